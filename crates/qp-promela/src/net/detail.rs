//! What a net of a model may follow: its variables, who changes them, and what their values come from.

use qp_base::{IndexVec, Map, Set};
use qp_dataflow::{Direction, fixpoint};
use qp_front_promela::spec::{
    Expr, ExprKind, GlobalId, Init, LocalId, Place, ProcId, Ty, Var, Variable,
};
use qp_machines::DetailId;

use crate::effects::{FieldKey, Source, Write, parameters};
use crate::graph::{Act, Edge, act_text};
use crate::run::Code;
use crate::uses;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Subject {
    /// One that all processes share.
    Global(GlobalId),
    /// One that each process of a proctype has.
    Local(ProcId, LocalId),
}

/// All that can be followed, in the order of its numbers.
pub(super) struct Details {
    pub(super) subjects: IndexVec<DetailId, Subject>,
    numbers: Map<Subject, DetailId>,
    /// The variables that the value of each comes from, in one step.
    sources: IndexVec<DetailId, Set<DetailId>>,
}

impl Details {
    /// Shared variables other than channels come first, then those of each proctype.
    pub(super) fn new(code: &Code) -> Self {
        let globals = code.spec.globals.iter_enumerated().filter(|(_, it)| it.ty != Ty::Chan);
        let mut subjects: IndexVec<DetailId, Subject> =
            globals.map(|(id, _)| Subject::Global(id)).collect();
        for (proc, spec) in code.spec.procs.iter_enumerated() {
            for id in spec.body.locals.ids() {
                subjects.push(Subject::Local(proc, id));
            }
        }
        let sources = subjects.iter().map(|_| Set::default()).collect();
        let numbers = subjects.iter_enumerated().map(|(id, &it)| (it, id)).collect();
        let mut details = Self { subjects, numbers, sources };
        details.trace(code);
        details
    }

    pub(super) fn find(&self, subject: Subject) -> Option<DetailId> {
        self.numbers.get(&subject).copied()
    }

    /// A variable with its name in the model.
    pub(super) fn declared<'a>(&self, code: &'a Code, id: DetailId) -> (String, &'a Variable) {
        match self.subjects[id] {
            Subject::Global(id) => {
                let variable = &code.spec.globals[id];
                (variable.name.clone(), variable)
            }
            Subject::Local(proc, id) => {
                let proc = &code.spec.procs[proc];
                let variable = &proc.body.locals[id];
                (format!("{}.{}", proc.name, variable.name), variable)
            }
        }
    }

    /// The statements that change a variable.
    pub(super) fn writes(&self, code: &Code, id: DetailId) -> Vec<(String, qp_base::Span)> {
        let mut found = Vec::new();
        for (proc, edge) in edges(code) {
            if changes(proc, &edge.act, self.subjects[id]) {
                let body = &code.spec.procs[proc].body;
                found.push((act_text(&code.spec, body, &edge.act), edge.at.span));
            }
        }
        found.sort_by_key(|(_, span)| (span.start, span.end));
        found.dedup();
        found
    }

    /// The variables from which these values of a proctype come, directly or not. Those that `stops` says
    /// yes to are left out, with what only they come from.
    pub(super) fn behind(
        &self,
        reads: &Reads,
        mut stops: impl FnMut(DetailId) -> bool,
    ) -> Vec<DetailId> {
        let mut seen: Set<DetailId> = Set::default();
        let first = reads.0.iter().filter_map(|&it| self.find(it));
        fixpoint(first.map(DetailId::index), Direction::Forward, |id, worklist| {
            let id = DetailId::new(id);
            if !stops(id) && seen.insert(id) {
                self.sources[id].iter().for_each(|it| worklist.add(it.index()));
            }
        });
        let mut found: Vec<DetailId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// Fills in where values come from.
    fn trace(&mut self, code: &Code) {
        for (proc, edge) in edges(code) {
            let effects = edge.act.effects();
            for Write { place, source } in &effects.writes {
                let mut reads = Reads::default();
                match *source {
                    Source::Value(value) | Source::First(value) => reads.value(proc, value),
                    Source::Part(key) => reads.part(code, key),
                    Source::Sum(_) => {}
                    // It comes from nowhere.
                    Source::Child => continue,
                }
                reads.indices(proc, place);
                self.comes_from(subject(proc, place.var), &reads);
            }
            if let Some((called, args)) = effects.starts {
                for (value, (id, _)) in args.iter().zip(parameters(&code.spec, called)) {
                    let mut reads = Reads::default();
                    reads.value(proc, value);
                    self.comes_from(Some(Subject::Local(called, id)), &reads);
                }
            }
        }
        for (proc, spec) in code.spec.procs.iter_enumerated() {
            for (id, local) in spec.body.locals.iter_enumerated() {
                if let Init::Value(value) = &local.init {
                    let mut reads = Reads::default();
                    reads.value(proc, value);
                    self.comes_from(Some(Subject::Local(proc, id)), &reads);
                }
            }
        }
    }

    fn comes_from(&mut self, subject: Option<Subject>, reads: &Reads) {
        let Some(id) = subject.and_then(|it| self.find(it)) else { return };
        let sources: Vec<DetailId> = reads.0.iter().filter_map(|&it| self.find(it)).collect();
        self.sources[id].extend(sources);
    }
}

/// Variables that values depend on.
#[derive(Default)]
pub(super) struct Reads(pub(super) Vec<Subject>);

impl Reads {
    /// What a value of a proctype depends on.
    pub(super) fn value(&mut self, proc: ProcId, value: &Expr) {
        uses::expr(value, &mut |it| {
            if let ExprKind::Load(place) | ExprKind::Len(place) | ExprKind::Probe(_, place) =
                &it.kind
            {
                self.0.extend(subject(proc, place.var));
            }
        });
    }

    /// What the indices of a place depend on.
    pub(super) fn indices(&mut self, proc: ProcId, place: &Place) {
        uses::place(place, &mut |it| {
            if let ExprKind::Load(place) = &it.kind {
                self.0.extend(subject(proc, place.var));
            }
        });
    }

    /// What a part of messages depends on where they are sent.
    pub(super) fn part(&mut self, code: &Code, key: FieldKey) {
        self.0.extend(sent(code, key).0);
    }
}

/// The variable that a place of a proctype is in.
pub(super) fn subject(proc: ProcId, var: Var) -> Option<Subject> {
    match var {
        Var::Global(id) => Some(Subject::Global(id)),
        Var::Local(id) => Some(Subject::Local(proc, id)),
        Var::Scratch => None,
    }
}

/// Whether a statement of a proctype changes a variable.
pub(super) fn changes(proc: ProcId, act: &Act, it: Subject) -> bool {
    act.effects().writes.iter().any(|write| subject(proc, write.place.var) == Some(it))
}

/// All statements of proctypes.
pub(super) fn edges(code: &Code) -> impl Iterator<Item = (ProcId, &Edge)> {
    code.graphs
        .iter_enumerated()
        .flat_map(|(proc, graph)| graph.edges().map(move |edge| (proc, edge)))
}

/// The variables in a part of all messages with so many parts.
fn sent(code: &Code, (n_parts, part): FieldKey) -> Reads {
    let mut reads = Reads::default();
    for (proc, edge) in edges(code) {
        if let Some((_, args)) = edge.act.effects().sends
            && args.len() == n_parts
        {
            reads.value(proc, &args[part]);
        }
    }
    reads
}
