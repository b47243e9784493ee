//! Where variables are in rows of cells, and what they hold at first.

use qp_base::IndexVec;
use qp_front_promela::spec::{GlobalId, Init, LocalId, ProcId, ShapeId, Spec, Ty, Variable};

/// Where every variable begins, and which channels come with it.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    globals: IndexVec<GlobalId, usize>,
    n_globals: usize,
    locals: IndexVec<ProcId, IndexVec<LocalId, usize>>,
    n_locals: IndexVec<ProcId, usize>,
    own: IndexVec<ProcId, Vec<(String, ShapeId)>>,
    global: Vec<(String, ShapeId)>,
}

impl Layout {
    pub(crate) fn new(spec: &Spec) -> Self {
        let (mut locals, mut n_locals, mut own) =
            (IndexVec::new(), IndexVec::new(), IndexVec::new());
        for proc in &spec.procs {
            let (offsets, n) = rows(spec, &proc.body.locals);
            locals.push(offsets);
            n_locals.push(n);
            own.push(channels(spec, proc.body.locals.iter().filter(|local| !local.late)));
        }
        let (globals, n_globals) = rows(spec, &spec.globals);
        let global = channels(spec, spec.globals.iter());
        Self { globals, n_globals, locals, n_locals, own, global }
    }

    pub(crate) fn global(&self, id: GlobalId) -> usize {
        self.globals[id]
    }

    pub(crate) fn local(&self, proc: ProcId, id: LocalId) -> usize {
        self.locals[proc][id]
    }

    pub(crate) fn n_globals(&self) -> usize {
        self.n_globals
    }

    pub(crate) fn n_locals(&self, proc: ProcId) -> usize {
        self.n_locals[proc]
    }

    /// The channels that are created with a process, with their names.
    pub(crate) fn own_channels(&self, proc: ProcId) -> &[(String, ShapeId)] {
        &self.own[proc]
    }

    /// The channels that exist from the beginning and belong to nobody.
    pub(crate) fn global_channels(&self) -> &[(String, ShapeId)] {
        &self.global
    }

    /// Lets the channel of this number carry something else, if it belongs to nobody.
    pub(super) fn carry(&mut self, queue: usize, shape: ShapeId) {
        if let Some((_, carried)) = self.global.get_mut(queue) {
            *carried = shape;
        }
    }
}

fn rows<I>(spec: &Spec, variables: &IndexVec<I, Variable>) -> (IndexVec<I, usize>, usize)
where
    I: From<usize> + Into<usize> + Copy,
{
    let (mut offsets, mut next) = (IndexVec::new(), 0);
    for variable in variables {
        offsets.push(next);
        next += spec.variable_cells(variable);
    }
    (offsets, next)
}

/// The channels that come with variables, in the order in which they are numbered.
fn channels<'a>(
    spec: &Spec,
    variables: impl Iterator<Item = &'a Variable>,
) -> Vec<(String, ShapeId)> {
    let mut found = Vec::new();
    for variable in variables {
        add(spec, &variable.name, (variable.ty, variable.len, &variable.init), &mut found);
    }
    found
}

fn add(
    spec: &Spec,
    name: &str,
    (ty, len, init): (Ty, Option<u32>, &Init),
    found: &mut Vec<(String, ShapeId)>,
) {
    for index in 0..len.unwrap_or(1) {
        let name = if len.is_some() { format!("{name}[{index}]") } else { name.to_owned() };
        match (ty, init) {
            (Ty::Record(record), _) => {
                for field in &spec.records[record].fields {
                    let name = format!("{name}.{}", field.name);
                    add(spec, &name, (field.ty, field.len, &field.init), found);
                }
            }
            (_, Init::Channel(shape)) => found.push((name, *shape)),
            (_, Init::Zero | Init::Value(_) | Init::List(_)) => break,
        }
    }
}
