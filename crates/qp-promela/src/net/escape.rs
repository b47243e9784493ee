//! Which channels may be known by other names than those that they are declared with.

use qp_base::Set;
use qp_front_promela::spec::{Expr, ExprKind, Init, ProcId, Ty, Var, Variable};

use crate::effects::{Source, Write, parameters};
use crate::graph::{Act, Graph};
use crate::run::Code;
use crate::run::is_channel;

/// What becomes of channels as values.
pub(super) struct Escapes {
    /// Whether numbers become channels: then every channel may be meant.
    everything: bool,
    /// The variables whose channels are handed on; those of a proctype with it.
    handed_on: Set<(Option<ProcId>, Var)>,
    /// Whether the number of a channel may become that of another one, because its process ends.
    pub(super) mortal: bool,
}

impl Escapes {
    pub(super) fn new(code: &Code) -> Self {
        let mut escapes = Self { everything: false, handed_on: Set::default(), mortal: false };
        for (proc, graph) in code.graphs.iter_enumerated() {
            for edge in graph.edges() {
                escapes.act(code, proc, &edge.act);
            }
            escapes.declared(proc, code.spec.procs[proc].body.locals.iter());
        }
        if let Some(proc) = code.graphs.ids().next() {
            escapes.declared(proc, code.spec.globals.iter());
        }
        let owns = |proc: ProcId| !code.layout.own_channels(proc).is_empty();
        let edges = code.graphs.iter().flat_map(Graph::edges);
        let mut runs = edges.filter_map(|edge| Some(edge.act.effects().starts?.0));
        let hands_over = |(id, ends): (ProcId, bool)| {
            let handed = escapes.handed_on.iter().any(|(proc, _)| *proc == Some(id));
            ends && owns(id) && (escapes.everything || handed)
        };
        let ends = code.graphs.iter_enumerated().map(|(id, graph)| (id, graph.ends));
        escapes.mortal = runs.any(owns) && ends.into_iter().any(hands_over);
        escapes
    }

    /// Whether a channel may be what a place holds of which nothing is known. `owner` is the proctype that
    /// declares it, if one does.
    pub(super) fn may_be_anywhere(&self, owner: Option<ProcId>, var: Var) -> bool {
        self.everything || self.handed_on.contains(&(owner, var)) || self.mortal && owner.is_some()
    }

    /// What variables hold at first.
    fn declared<'a>(&mut self, proc: ProcId, variables: impl Iterator<Item = &'a Variable>) {
        for variable in variables {
            if let Init::Value(value) = &variable.init {
                self.value(proc, value, Some(variable.ty));
            }
        }
    }

    fn act(&mut self, code: &Code, proc: ProcId, act: &Act) {
        let effects = act.effects();
        let shapes =
            |n_parts: usize| code.spec.shapes.iter().filter(move |it| it.fields.len() == n_parts);
        for Write { place, source } in &effects.writes {
            match *source {
                Source::Value(value) | Source::First(value) => {
                    self.value(proc, value, Some(place.ty));
                }
                Source::Sum(_) => self.everything |= place.ty == Ty::Chan,
                Source::Part((n_parts, part)) => {
                    let is_number = shapes(n_parts).any(|it| it.fields[part] != Ty::Chan);
                    self.everything |= place.ty == Ty::Chan && is_number;
                }
                Source::Child => {}
            }
        }
        if let Some((_, args)) = effects.sends {
            for (part, value) in args.iter().enumerate() {
                let into = shapes(args.len()).any(|it| it.fields[part] == Ty::Chan);
                self.value(proc, value, into.then_some(Ty::Chan));
            }
        }
        if let Some((called, args)) = effects.starts {
            for (value, (_, cell)) in args.iter().zip(parameters(&code.spec, called)) {
                self.value(proc, value, Some(cell.ty));
            }
        }
    }

    /// A value that is handed on to something of a type.
    fn value(&mut self, proc: ProcId, value: &Expr, into: Option<Ty>) {
        let is_zero = matches!(value.kind, ExprKind::Number(0));
        self.everything |= into == Some(Ty::Chan) && !is_channel(value) && !is_zero;
        self.loads(proc, value);
    }

    fn loads(&mut self, proc: ProcId, value: &Expr) {
        match &value.kind {
            ExprKind::Load(place) if place.ty == Ty::Chan => {
                let owner = match place.var {
                    Var::Local(_) => Some(proc),
                    Var::Global(_) | Var::Scratch => None,
                };
                self.handed_on.insert((owner, place.var));
            }
            ExprKind::RemoteVar { proc, place, .. } if place.ty == Ty::Chan => {
                self.handed_on.insert((Some(*proc), place.var));
            }
            ExprKind::Conditional(_, yes, no) => {
                self.loads(proc, yes);
                self.loads(proc, no);
            }
            _ => {}
        }
    }
}
