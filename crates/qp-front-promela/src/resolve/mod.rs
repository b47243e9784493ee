//! Names and types: from what is written to a [`Spec`].
//!
//! Declarations are gone through in the order of the text, because a name means something only behind its
//! declaration. Two things are known from the start: which processes there are, and that formulas come
//! last.

mod body;
mod constant;
mod decl;
mod expr;
mod formula;
mod label;
mod message;
mod number;
mod place;
mod stmt;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::{Code, Diagnostic, IndexVec, Map, Source};

use crate::ast::{Active, Ident, Model, Proc as AstProc, ProcKind, Unit};
use crate::at::{At, Expansions};
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::report::Report;
use crate::spec::{
    Body, Claim, GlobalId, LabelId, LocalId, MtypeId, MtypeSet, Proc, ProcId, RecordId, Spec, Trace,
};

use body::{Frame, Header};

/// How many processes there can be.
const PROCESSES_MAX: i32 = 255;

/// Gives every name its meaning. After an error the result is not complete.
pub(crate) fn resolve(model: Model, source: Source, report: &mut Report) -> Spec {
    let Model { units, expansions } = model;
    let mut resolver = Resolver {
        spec: Spec {
            mtypes: IndexVec::from(vec![MtypeSet::default()]),
            records: IndexVec::new(),
            shapes: IndexVec::new(),
            globals: IndexVec::new(),
            procs: IndexVec::new(),
            claims: Vec::new(),
            traces: Vec::new(),
            formulas: Vec::new(),
            expansions: IndexVec::new(),
            source,
        },
        names: BTreeMap::new(),
        procs: BTreeMap::new(),
        mtype_sets: BTreeMap::from([(None, MtypeId::new(0))]),
        frame: None,
        runs: Vec::new(),
        unknown: BTreeSet::new(),
        fields: Map::default(),
        locals: Map::default(),
        labels: Map::default(),
        flat: 0,
        run_seen: false,
        is_assigned: false,
        in_formula: false,
        unnamed_formulas: 0,
        next_number: 0,
        bodies: 0,
        expansions: &expansions,
        report,
    };
    resolver.announce(&units);
    for unit in &units {
        resolver.unit(unit);
    }
    resolver.check_runs();
    resolver.check_start(&units);
    let mut spec = resolver.spec;
    spec.expansions = expansions.list;
    spec
}

/// What a global name means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Global(GlobalId),
    Local(LocalId),
    Mtype(MtypeId, i32),
    Record(RecordId),
    Proc(ProcId),
}

/// A `run` whose arguments are counted when all processes are known.
struct Run {
    proc: ProcId,
    args: usize,
    at: At,
}

struct Resolver<'e, 'r> {
    spec: Spec,
    /// The global names so far.
    names: BTreeMap<Arc<str>, (Meaning, At)>,
    /// All processes, also those that come later.
    procs: BTreeMap<Arc<str>, ProcId>,
    mtype_sets: BTreeMap<Option<Arc<str>>, MtypeId>,
    /// The body that is being gone through.
    frame: Option<Frame>,
    runs: Vec<Run>,
    /// Names that were said to mean nothing, each once.
    unknown: BTreeSet<Arc<str>>,
    /// The numbers of the fields of every record.
    fields: Map<(RecordId, Arc<str>), usize>,
    /// The variables of every process so far, for others that look at them.
    locals: Map<(ProcId, String), LocalId>,
    /// The labels of every process so far.
    labels: Map<(ProcId, String), LabelId>,
    /// How many parts all messages have together.
    flat: usize,
    /// Whether the present statement has a `run`.
    run_seen: bool,
    /// Whether a variable gets the present value.
    is_assigned: bool,
    in_formula: bool,
    unnamed_formulas: usize,
    /// The next of SPIN's numbers of statements.
    next_number: u32,
    /// How many bodies there were.
    bodies: u32,
    expansions: &'e Expansions,
    report: &'r mut Report,
}

impl Resolver<'_, '_> {
    fn error(&mut self, code: Code, message: impl Into<String>, at: At, help: &str) {
        let mut error = Diagnostic::error(code, message, at.span);
        if !help.is_empty() {
            error = error.help(help);
        }
        self.push(error, at);
    }

    /// Reports something that has no meaning for that reason.
    fn refused<T>(
        &mut self,
        code: Code,
        message: impl Into<String>,
        at: At,
        help: &str,
    ) -> Option<T> {
        self.error(code, message, at, help);
        None
    }

    fn warning(&mut self, code: Code, message: impl Into<String>, at: At, help: &str) {
        self.push(Diagnostic::warning(code, message, at.span).help(help), at);
    }

    fn push(&mut self, diagnostic: Diagnostic, at: At) {
        self.report.push_at(diagnostic, at, self.expansions);
    }

    /// Gives every process its number.
    fn announce(&mut self, units: &[Unit]) {
        for unit in units {
            let Unit::Proc(proc) = unit else { continue };
            if let Some(&first) = self.procs.get(&proc.name.text) {
                let at = self.spec.procs[first].at;
                self.duplicate(&proc.name, at);
                continue;
            }
            let id = self.spec.procs.push(Proc {
                name: proc.name.text.to_string(),
                at: proc.name.at,
                is_init: matches!(proc.kind, ProcKind::Init),
                active: 0,
                params: 0,
                priority: None,
                provided: None,
                body: Body::default(),
            });
            self.procs.insert(proc.name.text.clone(), id);
        }
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Mtype { set, names, at } => self.mtype(set.as_ref(), names, *at),
            Unit::Vars(vars) => self.globals(vars),
            Unit::Typedef { name, fields } => self.typedef(name, fields),
            Unit::Proc(proc) => self.proc(proc),
            Unit::Never { name, body, at } => {
                let count = self.spec.claims.len();
                let name = name.as_ref().map_or(format!("never_{count}"), |it| it.text.to_string());
                let number = self.bodies;
                let body = self.body(Frame::claim(), Header::default(), body).0;
                self.spec.claims.push(Claim { name, at: *at, number, body });
            }
            Unit::Trace { forbidden, body, at } => {
                let body = self.body(Frame::trace(), Header::default(), body).0;
                self.spec.traces.push(Trace { forbidden: *forbidden, at: *at, body });
            }
            Unit::Ltl { name, formula, at } => self.formula_unit(name.as_ref(), formula, *at),
        }
    }

    fn proc(&mut self, proc: &AstProc) {
        let Some(&id) = self.procs.get(&proc.name.text) else { return };
        // The second of two has been reported.
        if self.spec.procs[id].at != proc.name.at {
            return;
        }
        let is_init = matches!(proc.kind, ProcKind::Init);
        if !is_init {
            self.declare(&proc.name, Meaning::Proc(id));
        }
        let active = match &proc.kind {
            ProcKind::Init | ProcKind::Proctype(Active::One) => 1,
            ProcKind::Proctype(Active::None) => 0,
            ProcKind::Proctype(Active::Some(count)) => {
                let what = "the number of active processes";
                let value = self.size(count, what).unwrap_or(1);
                self.in_range(value, 0, PROCESSES_MAX, what, count.at).unwrap_or(1)
            }
        };
        let priority = proc.priority.as_ref().and_then(|it| self.constant(it, "a priority"));
        let header = Header { params: &proc.params, provided: proc.provided.as_ref() };
        let (body, params, provided) = self.body(Frame::proc(id), header, &proc.body);
        for (local, variable) in body.locals.iter_enumerated() {
            self.locals.entry((id, variable.name.clone())).or_insert(local);
        }
        // Of several blocks with such a label SPIN takes the last one.
        for (label, it) in body.labels.iter_enumerated() {
            self.labels.insert((id, it.name.clone()), label);
        }
        let slot = &mut self.spec.procs[id];
        slot.active = active.unsigned_abs();
        slot.priority = priority;
        slot.provided = provided;
        slot.body = body;
        slot.params = params;
    }

    /// Gives a global name its meaning.
    fn declare(&mut self, name: &Ident, meaning: Meaning) {
        if let Some(&(_, first)) = self.names.get(&name.text) {
            return self.duplicate(name, first);
        }
        self.names.insert(name.text.clone(), (meaning, name.at));
    }

    fn duplicate(&mut self, name: &Ident, first: At) {
        let message = format!("the name {} is taken already", quoted(&name.text));
        let error = Diagnostic::error(codes::DUPLICATE, message, name.at.span)
            .also(first.span, "it is declared here first")
            .help("an inner block cannot have a name of its own that an outer one has too");
        self.push(error, name.at);
    }

    /// What a name means here, if anything.
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let local = self.frame.as_ref().and_then(|frame| frame.local(name)).map(Meaning::Local);
        local.or_else(|| self.names.get(name).map(|&(meaning, _)| meaning))
    }

    /// Reports a name that means nothing, the first time.
    fn unknown_name(&mut self, name: &Ident) {
        if !self.unknown.insert(name.text.clone()) {
            return;
        }
        let locals = self.frame.as_ref().map(Frame::local_names).unwrap_or_default();
        let values = self
            .names
            .iter()
            .filter(|(_, (meaning, _))| matches!(meaning, Meaning::Global(_) | Meaning::Mtype(..)));
        let known = locals.iter().chain(values.map(|(name, _)| name)).map(|known| &**known);
        let otherwise = "declare it before it is used";
        let help = did_you_mean(&name.text, known, otherwise);
        let message = format!("the name {} is not declared", quoted(&name.text));
        let error = Diagnostic::error(codes::UNKNOWN, message, name.at.span).help(help);
        self.push(error, name.at);
    }

    /// Compares the numbers of arguments and parameters of every `run`.
    fn check_runs(&mut self) {
        for run in std::mem::take(&mut self.runs) {
            let Proc { params, body, name, at, .. } = &self.spec.procs[run.proc];
            let params = body.locals.iter().take(*params);
            let wanted: usize = params.map(|it| self.spec.variable_cells(it)).sum();
            if wanted == run.args {
                continue;
            }
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!(
                "the process {} takes {wanted} argument{plural}, but there are {}",
                quoted(name),
                run.args
            );
            let error = Diagnostic::error(codes::ARGUMENTS, message, run.at.span)
                .also(at.span, "it is declared here");
            self.push(error, run.at);
        }
    }

    /// A model in which nothing runs is most likely not what was meant.
    fn check_start(&mut self, units: &[Unit]) {
        let runs = self.spec.procs.iter().any(|proc| proc.active > 0);
        if !runs && !self.report.has_errors() {
            let at = units.iter().find_map(|unit| match unit {
                Unit::Proc(proc) => Some(proc.name.at),
                _ => None,
            });
            let help = "begin with `init { run …; }`, or write `active` before a `proctype`";
            self.error(codes::NOTHING_RUNS, "no process runs", at.unwrap_or_default(), help);
        }
    }
}
