//! Relevance: which local variables and which parts of messages are worth knowing. Those that decide which channel is
//! meant or which kind of message is sent, always; those that decide conditions, if they are asked for.

use qp_base::{IndexVec, Map, Set};
use qp_dataflow::{Direction, Lattice, Worklist, fixpoint};
use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, Init, LocalId, Place, ProcId, Ty, UnaryOp, Var,
};

use super::detail::{Subject, subject};
use crate::effects::{FieldKey, Guard, Source, Write, parameters};
use crate::graph::Act;
use crate::run::Code;
use crate::uses;

/// How much is gained by knowing a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) enum Worth {
    /// Nothing.
    #[default]
    None,
    /// Something, if there are only a few values: it is compared with what is not constant.
    Little,
    /// It is compared with constants, or says which channel is meant.
    Much,
}

/// An array with more cells than this is not worth it.
const CELLS_MAX: usize = 16;

/// What is worth knowing in a whole model.
pub(super) struct Worths {
    locals: IndexVec<ProcId, IndexVec<LocalId, Worth>>,
    fields: Map<FieldKey, Worth>,
}

impl Lattice for Worth {
    fn join(&mut self, other: &Self) -> bool {
        std::mem::replace(self, *other.max(self)) < *other
    }
}

impl Worths {
    /// What is worth knowing if these variables are asked for.
    pub(super) fn new(code: &Code, asked: &Set<Subject>) -> Self {
        let locals = code.spec.procs.iter();
        let locals =
            locals.map(|proc| proc.body.locals.iter().map(|_| Worth::None).collect()).collect();
        let mut worths = Self { locals, fields: Map::default() };
        for shape in &code.spec.shapes {
            for (part, _) in shape.fields.iter().enumerate().filter(|(_, ty)| is_name(**ty)) {
                worths.fields.insert((shape.fields.len(), part), Worth::Much);
            }
        }
        worths.spread(code, None);
        if !asked.is_empty() {
            worths.spread(code, Some(asked));
        }
        worths
    }

    /// What is worth knowing because of something else that is.
    fn spread(&mut self, code: &Code, asked: Option<&Set<Subject>>) {
        // The variables of each proctype are a cell, and all parts of messages are one behind them.
        let n_procs = code.graphs.len();
        fixpoint(0..n_procs, Direction::Backward, |index, worklist| {
            worklist.read(index);
            worklist.read(n_procs);
            let proc = ProcId::new(index);
            let mut look = Look { code, proc, worths: self, asked, worklist };
            look.declared();
            for edge in code.graphs[proc].edges() {
                look.act(&edge.act);
            }
        });
    }

    pub(super) fn local(&self, proc: ProcId, id: LocalId) -> Worth {
        self.locals[proc][id]
    }

    pub(super) fn field(&self, key: FieldKey) -> Worth {
        self.fields.get(&key).copied().unwrap_or_default()
    }

    pub(super) fn forget_local(&mut self, proc: ProcId, id: LocalId) {
        self.locals[proc][id] = Worth::None;
    }

    pub(super) fn forget_field(&mut self, key: FieldKey) {
        self.fields.remove(&key);
    }
}

struct Look<'a> {
    code: &'a Code,
    proc: ProcId,
    worths: &'a mut Worths,
    /// Conditions count for these variables, and nothing is new about others; `None` if conditions do not count.
    asked: Option<&'a Set<Subject>>,
    worklist: &'a mut Worklist,
}

impl Look<'_> {
    /// What variables hold at first.
    fn declared(&mut self) {
        for (id, local) in self.code.spec.procs[self.proc].body.locals.iter_enumerated() {
            if let Init::Value(value) = &local.init {
                self.all(value, self.worths.local(self.proc, id));
            }
        }
    }

    fn act(&mut self, act: &Act) {
        let effects = act.effects();
        if let (Guard::Holds(value), Some(_)) = (effects.guard, self.asked) {
            self.condition(value);
        }
        if let Some((channel, _)) = effects.channel() {
            self.place(channel, Worth::Much);
        }
        if let Some((_, args)) = effects.sends {
            for (part, value) in args.iter().enumerate() {
                self.all(value, self.worths.field((args.len(), part)));
            }
        }
        for (key, value) in effects.wanted() {
            self.all(value, Worth::Much);
            self.field(key, Worth::Much);
        }
        for Write { place, source } in &effects.writes {
            let worth = self.of(place);
            match *source {
                Source::Value(value) | Source::First(value) => self.all(value, worth),
                Source::Part(key) => self.field(key, worth),
                Source::Sum(_) => {}
                // It is never known.
                Source::Child => continue,
            }
            self.indices(place, worth);
        }
        if let Some((proc, args)) = effects.starts {
            self.worklist.read(proc.index());
            for (value, (id, _)) in args.iter().zip(parameters(&self.code.spec, proc)) {
                self.all(value, self.worths.local(proc, id));
            }
        }
    }

    fn field(&mut self, key: FieldKey, worth: Worth) {
        if self.worths.fields.entry(key).or_default().join(&worth) {
            self.worklist.changed(self.code.graphs.len());
        }
    }

    fn condition(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.condition(left);
                self.condition(right);
            }
            ExprKind::Binary(_, left, right) => {
                let is_plain = is_constant(left) || is_constant(right);
                let worth = if is_plain { Worth::Much } else { Worth::Little };
                self.all(left, worth);
                self.all(right, worth);
            }
            ExprKind::Conditional(condition, yes, no) => {
                for it in [condition, yes, no] {
                    self.condition(it);
                }
            }
            _ => self.all(value, Worth::Much),
        }
    }

    /// Every variable in a value is worth this much.
    fn all(&mut self, value: &Expr, worth: Worth) {
        if worth == Worth::None {
            return;
        }
        match &value.kind {
            ExprKind::Load(place) => self.place(place, worth),
            ExprKind::Unary(_, inner) => self.all(inner, worth),
            ExprKind::Binary(_, left, right) => {
                self.all(left, worth);
                self.all(right, worth);
            }
            ExprKind::Conditional(condition, yes, no) => {
                for it in [condition, yes, no] {
                    self.all(it, worth);
                }
            }
            // What others do decides about everything else.
            _ => {}
        }
    }

    fn place(&mut self, place: &Place, worth: Worth) {
        if let Var::Local(id) = place.var {
            let local = &self.code.spec.procs[self.proc].body.locals[id];
            let few = matches!(local.ty, Ty::Bit | Ty::Bool | Ty::Mtype(_) | Ty::Chan);
            let worth = if few && worth > Worth::None { Worth::Much } else { worth };
            let counts = self.asked.is_none_or(|it| it.contains(&Subject::Local(self.proc, id)));
            if counts
                && self.code.spec.variable_cells(local) <= CELLS_MAX
                && self.worths.locals[self.proc][id].join(&worth)
            {
                self.worklist.changed(self.proc.index());
            }
        }
        self.indices(place, worth);
    }

    fn indices(&mut self, place: &Place, worth: Worth) {
        uses::indices(place).for_each(|index| self.all(index, worth));
    }

    fn of(&self, place: &Place) -> Worth {
        match place.var {
            Var::Local(id) => self.worths.local(self.proc, id),
            Var::Global(_) | Var::Scratch => {
                let subject = subject(self.proc, place.var);
                let is_asked = subject.zip(self.asked).is_some_and(|(it, all)| all.contains(&it));
                if is_asked { Worth::Much } else { Worth::None }
            }
        }
    }
}

/// Users tell messages apart by symbolic names, whether or not anything depends on them.
fn is_name(ty: Ty) -> bool {
    matches!(ty, Ty::Mtype(_))
}

/// Whether a value is the same always.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Number(_) | ExprKind::Mtype(..) | ExprKind::Pid => true,
        ExprKind::Unary(_, inner) => is_constant(inner),
        ExprKind::Binary(_, left, right) => is_constant(left) && is_constant(right),
        _ => false,
    }
}
