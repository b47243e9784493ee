//! A net with names, from what was found.

use std::collections::BTreeMap;

use qp_base::{IndexVec, Map};
use qp_front_promela::spec::{GlobalId, ProcId, Spec, Ty};
use qp_machines::{
    Arc, ArcId, Counter, CounterId, Counts, Detail, DetailId, Fact, Following, MachineId, Net,
    QueueId, Spot, Test, TestId,
};

use super::detail::Subject;
use super::fact::{Limits, limits};
use super::flow::{AtomId, Cells, Chan, ChanId, CopyId, Effect, Flow, Key, Step};
use super::worth::Worth;
use super::{Plan, depend, order};
use crate::graph::{Edge, NodeId, act_text};
use crate::run::Code;

/// The name of a process, as the outline has it.
pub(super) fn process_name(spec: &Spec, id: ProcId, machine: Option<MachineId>) -> String {
    let proc = &spec.procs[id];
    match machine {
        Some(machine) if proc.active > 1 => format!("{}({})", proc.name, machine.raw()),
        _ => proc.name.clone(),
    }
}

/// The net that was found.
pub(super) fn net(flow: &Flow<'_>, plan: &Plan, code: &Code) -> Net {
    let spec = &flow.basis.code.spec;
    let texts = spec.procs.iter().map(|proc| spec.numbered(&proc.body)).collect();
    let mut write = Write {
        flow,
        spec,
        texts,
        counters: IndexVec::new(),
        messages: IndexVec::new(),
        machines: IndexVec::new(),
        shared: Map::default(),
        details: IndexVec::new(),
        tests: IndexVec::new(),
        tested: Map::default(),
        limits: limits(flow, plan, code.is_never_full()),
    };
    write.detail(plan);
    write.count();
    write.count_shared();
    for (step, _) in flow.steps.iter().zip(&flow.open).filter(|(_, open)| **open) {
        write.test(plan, step);
    }
    let spots = flow.spots.values().iter().map(|key| write.spot(key)).collect();
    let begins: Vec<Arc> = flow.copies.ids().filter_map(|id| write.begin(id)).collect();
    let n_begins = begins.len();
    let steps = flow.steps.iter().zip(&flow.open);
    let arcs = begins.into_iter().chain(steps.map(|(step, &open)| write.arc(step, open))).collect();
    let Write { counters, details, tests, limits, .. } = write;
    let mut net = Net { spots, arcs, counters, details, tests, ..Net::default() };
    let subjects = plan.details.subjects.iter();
    for limits in subjects.filter_map(|it| limits.get(it)?.as_ref().ok()) {
        for sum in &limits.sums {
            let arc = |&(step, by): &(usize, i64)| (ArcId::new(n_begins + step), by);
            let (terms, because) = (sum.terms.iter().map(arc).collect(), sum.because.clone());
            net.facts.push(Fact { terms, at_most: sum.at_most, because });
        }
    }
    order::orders(flow, &mut net);
    order::capacities(flow, code, &mut net);
    net.dependencies = depend::dependencies(flow, &net.arcs, n_begins);
    net
}

struct Write<'a> {
    flow: &'a Flow<'a>,
    spec: &'a Spec,
    /// Statements by their numbers.
    texts: IndexVec<ProcId, BTreeMap<u32, String>>,
    counters: IndexVec<CounterId, Counter>,
    messages: IndexVec<ChanId, IndexVec<AtomId, CounterId>>,
    machines: IndexVec<CopyId, Option<CounterId>>,
    /// Values of shared cells.
    shared: Map<(usize, i32), CounterId>,
    details: IndexVec<DetailId, Detail>,
    tests: IndexVec<TestId, Test>,
    /// Statements whose conditions are left open.
    tested: Map<(ProcId, (NodeId, usize)), TestId>,
    /// What is known of numbers with too many values.
    limits: Map<Subject, Result<Limits, &'static str>>,
}

impl Write<'_> {
    /// Fills in what is counted.
    fn count(&mut self) {
        for (id, chan) in self.flow.chans.iter_enumerated() {
            let queue = QueueId::new(id.index());
            let is_handed_over = self.spec.shapes[chan.shape].capacity == 0;
            let counts =
                if is_handed_over { Counts::Handshakes(queue) } else { Counts::Messages(queue) };
            let mut counters = IndexVec::new();
            for parts in chan.atoms.values() {
                let name = format!("{}: {}", chan.name, self.message(chan, parts));
                counters.push(self.counters.push(Counter { counts, initial: 0, name }));
            }
            self.messages.push(counters);
        }
        for copy in &self.flow.copies {
            let name = self.spec.procs[copy.proc].name.clone();
            let counter = Counter { counts: Counts::Machines, initial: 0, name };
            let id = copy.machine.is_none().then(|| self.counters.push(counter));
            self.machines.push(id);
        }
    }

    /// Every value of a shared cell is counted: it is there once, or not.
    fn count_shared(&mut self) {
        let mut cells: Vec<(usize, &[i32])> =
            self.flow.shared.cells.iter().map(|(cell, (it, _))| (*cell, &it[..])).collect();
        cells.sort_unstable();
        let names = cell_names(self.spec);
        for (cell, values) in cells {
            let (name, ty) = &names[cell];
            for (index, &value) in values.iter().enumerate() {
                let name = format!("{name} = {}", self.value(value, *ty));
                let initial = u32::from(index == 0);
                let counter = Counter { counts: Counts::Number, initial, name };
                self.shared.insert((cell, value), self.counters.push(counter));
            }
        }
    }

    /// Says what is followed.
    fn detail(&mut self, plan: &Plan) {
        let code = &self.flow.basis.code;
        for id in plan.details.subjects.ids() {
            let (name, variable) = plan.details.declared(code, id);
            let subject = plan.details.subjects[id];
            self.details.push(Detail {
                name,
                span: variable.at.span,
                shared: matches!(subject, Subject::Global(_)),
                following: self.following(plan, subject),
                writes: plan.details.writes(code, id),
            });
        }
    }

    fn following(&self, plan: &Plan, subject: Subject) -> Following {
        let is_asked = plan.asked.contains(&subject);
        let n_values = match subject {
            Subject::Global(id) => self.values_of(id),
            Subject::Local(proc, id) if self.flow.worths.local(proc, id) > Worth::None => {
                Some(self.flow.n_values(proc, id))
            }
            Subject::Local(..) => None,
        };
        match self.limits.get(&subject) {
            Some(Ok(limits)) => return Following::Yes(limits.how.clone()),
            Some(Err(why)) if n_values.unwrap_or(0) == 0 => {
                return Following::Refused((*why).to_owned());
            }
            Some(Err(_)) | None => {}
        }
        match (n_values, plan.refused.get(&subject)) {
            (Some(0), None) if is_asked => {
                Following::Refused("its values are not known".to_owned())
            }
            (Some(1), None) => Following::Yes("its value is known".to_owned()),
            (Some(n @ 2..), None) => Following::Yes(format!("its {n} values are told apart")),
            (None, None) if is_asked => Following::Refused("it decides nothing".to_owned()),
            (_, Some(&why)) if is_asked => Following::Refused(why.to_owned()),
            _ => Following::No,
        }
    }

    /// How many values of a shared variable are told apart, if it is followed.
    fn values_of(&self, id: GlobalId) -> Option<usize> {
        let code = &self.flow.basis.code;
        let start = code.layout.global(id);
        let cells = start..start + self.spec.variable_cells(&self.spec.globals[id]);
        let found = |cell: usize| self.flow.shared.cells.get(&cell);
        let values = cells.filter_map(found).flat_map(|(values, _)| values);
        let n = values.collect::<qp_base::Set<_>>().len();
        (n > 0).then_some(n)
    }

    /// Notes that the condition of a step is left open.
    fn test(&mut self, plan: &Plan, step: &Step) {
        let code = &self.flow.basis.code;
        let proc = self.flow.copies[self.flow.spots.value(step.from).copy].proc;
        if self.tested.contains_key(&(proc, step.edge)) {
            return;
        }
        let reads = super::open::deciders(code, proc, step.edge);
        let is_refused = |it: DetailId| matches!(self.details[it].following, Following::Refused(_));
        let mut reads = plan.details.behind(&reads, is_refused);
        reads.retain(|&it| self.details[it].following == Following::No);
        let (node, index) = step.edge;
        let edge = &code.graphs[proc].nodes[node].edges[index];
        let text = self.text(proc, edge);
        let id = self.tests.push(Test { text, span: edge.at.span, reads });
        self.tested.insert((proc, step.edge), id);
    }

    fn text(&self, proc: ProcId, edge: &Edge) -> String {
        let text = edge.number.and_then(|it| self.texts[proc].get(&it).cloned());
        text.unwrap_or_else(|| act_text(self.spec, &self.spec.procs[proc].body, &edge.act))
    }

    /// A kind of message as the user would write it.
    fn message(&self, chan: &Chan, parts: &Cells) -> String {
        let fields = &self.spec.shapes[chan.shape].fields;
        let part = |(value, &ty): (&Option<i32>, &Ty)| match value {
            None => "_".to_owned(),
            Some(value) => self.value(*value, ty),
        };
        parts.iter().zip(fields).map(part).collect::<Vec<_>>().join(",")
    }

    fn value(&self, value: i32, ty: Ty) -> String {
        let index = usize::try_from(value).ok().and_then(|it| it.checked_sub(1));
        let chan = index.filter(|&it| ty == Ty::Chan && it < self.flow.chans.len());
        match (ty, chan) {
            (Ty::Mtype(set), _) => self.spec.mtypes[set].name_of(value).map(str::to_owned),
            (_, Some(chan)) => Some(self.flow.chans[ChanId::new(chan)].name.clone()),
            _ => None,
        }
        .unwrap_or_else(|| value.to_string())
    }

    fn spot(&self, key: &Key) -> Spot {
        let copy = &self.flow.copies[key.copy];
        let code = &self.flow.basis.code;
        let node = &code.graphs[copy.proc].nodes[key.node];
        let at = node.edges.first().map_or(self.spec.procs[copy.proc].at, |edge| edge.at);
        let is_first = self.flow.spots.value(copy.start) == key;
        let mut name = code.names[copy.proc][key.node].clone();
        let values = self.values(copy.proc, key);
        if !values.is_empty() {
            name = format!("{name} ({})", values.join(", "));
        }
        let initial = u32::from(is_first && copy.machine.is_some());
        Spot { machine: copy.machine, initial, name, span: at.span }
    }

    /// What is known of variables at a place.
    fn values(&self, proc: ProcId, key: &Key) -> Vec<String> {
        let mut found = Vec::new();
        for (id, local) in self.spec.procs[proc].body.locals.iter_enumerated() {
            let cells = self.flow.basis.cells_of(proc, id);
            let types = self.spec.cells(local);
            let known = |(cell, ty): (usize, Ty)| {
                key.cells[cell].map_or_else(|| "_".to_owned(), |it| self.value(it, ty))
            };
            if key.cells[cells.clone()].iter().any(Option::is_some) {
                let values: Vec<_> =
                    cells.zip(types.into_iter().map(|it| it.ty)).map(known).collect();
                found.push(format!("{} = {}", local.name, values.join(" ")));
            }
        }
        let names = if key.known.0.is_empty() { Vec::new() } else { cell_names(self.spec) };
        for &(cell, value) in &key.known.0 {
            let (name, ty) = &names[cell];
            found.push(format!("{name} = {}", self.value(value, *ty)));
        }
        found
    }

    /// The step with which processes of a copy appear.
    fn begin(&self, id: CopyId) -> Option<Arc> {
        let (counter, copy) = (self.machines[id]?, &self.flow.copies[id]);
        let proc = &self.spec.procs[copy.proc];
        Some(Arc {
            from: None,
            to: Some(copy.start),
            effects: vec![(counter, -1)],
            progress: false,
            tests: Vec::new(),
            text: format!("{} begins", proc.name),
            span: proc.at.span,
        })
    }

    fn arc(&self, step: &Step, open: bool) -> Arc {
        let key = self.flow.spots.value(step.from);
        let copy = &self.flow.copies[key.copy];
        let (node, index) = step.edge;
        let edge = &self.flow.basis.code.graphs[copy.proc].nodes[node].edges[index];
        let mut effects = match step.effect {
            Effect::Nothing => Vec::new(),
            Effect::Puts(chan, atom) => vec![(self.messages[chan][atom], 1)],
            Effect::Takes(chan, atom) => vec![(self.messages[chan][atom], -1)],
            Effect::Starts(copy) => self.machines[copy].map(|it| (it, 1)).into_iter().collect(),
        };
        let shifts = step.shifts.iter();
        effects.extend(shifts.filter_map(|&(cell, value, by)| {
            self.shared.get(&(cell, value)).map(|&counter| (counter, by))
        }));
        let test = self.tested.get(&(copy.proc, step.edge)).filter(|_| open);
        Arc {
            from: Some(step.from),
            to: step.to,
            effects,
            progress: self.is_progress(step),
            tests: test.copied().into_iter().collect(),
            text: self.text(copy.proc, edge),
            span: edge.at.span,
        }
    }

    /// Whether a step ends at a progress label where its process is seen to be: labels inside of atomic sequences
    /// are passed unseen, and so are those to which a process goes on alone.
    fn is_progress(&self, step: &Step) -> bool {
        let Some(to) = step.to.map(|it| self.flow.spots.value(it)) else { return false };
        let proc = self.flow.copies[to.copy].proc;
        let nodes = &self.flow.basis.code.graphs[proc].nodes;
        let (node, index) = step.edge;
        let is_seen = |id: NodeId| !nodes[id].held && nodes[id].inside.is_none();
        let labels = &self.spec.procs[proc].body.labels;
        let marked = nodes[to.node].labels.iter().any(|&label| labels[label].is_progress());
        marked && is_seen(node) && is_seen(to.node) && !nodes[node].edges[index].holds
    }
}

/// The cells of shared variables: what they are called, and their types.
pub(super) fn cell_names(spec: &Spec) -> Vec<(String, Ty)> {
    let mut names = Vec::new();
    for variable in &spec.globals {
        add_cells(spec, &variable.name, (variable.ty, variable.len), &mut names);
    }
    names
}

/// Adds the cells of a variable or field.
pub(crate) fn add_cells(
    spec: &Spec,
    name: &str,
    (ty, len): (Ty, Option<u32>),
    names: &mut Vec<(String, Ty)>,
) {
    for index in 0..len.unwrap_or(1) {
        let name = if len.is_some() { format!("{name}[{index}]") } else { name.to_owned() };
        match ty {
            Ty::Record(record) => {
                for field in &spec.records[record].fields {
                    let name = format!("{name}.{}", field.name);
                    add_cells(spec, &name, (field.ty, field.len), names);
                }
            }
            _ => names.push((name, ty)),
        }
    }
}
