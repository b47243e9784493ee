//! A net with names, from what was found.

use std::collections::BTreeMap;

use qp_base::IndexVec;
use qp_front_promela::spec::{ProcId, Spec, Ty};
use qp_machines::{Arc, Counter, CounterId, Counts, MachineId, Net, QueueId, Spot};

use super::flow::{AtomId, Cells, Chan, ChanId, CopyId, Effect, Flow, Key, Step};
use crate::graph::{NodeId, act_text};

/// The name of a process, as the outline has it.
pub(super) fn process_name(spec: &Spec, id: ProcId, machine: Option<MachineId>) -> String {
    let proc = &spec.procs[id];
    match machine {
        Some(machine) if proc.active > 1 => format!("{}({})", proc.name, machine.raw()),
        _ => proc.name.clone(),
    }
}

/// The net that was found.
pub(super) fn net(flow: &Flow<'_>) -> Net {
    let spec = &flow.basis.code.spec;
    let texts = spec.procs.iter().map(|proc| spec.numbered(&proc.body)).collect();
    let mut write = Write {
        flow,
        spec,
        texts,
        counters: IndexVec::new(),
        messages: IndexVec::new(),
        machines: IndexVec::new(),
    };
    write.count();
    let spots = flow.spots.values().iter().map(|key| write.spot(key)).collect();
    let begins = flow.copies.iter_enumerated().filter_map(|(id, _)| write.begin(id));
    let arcs = begins.chain(flow.steps.iter().map(|step| write.arc(step))).collect();
    Net { spots, arcs, counters: write.counters, ..Net::default() }
}

struct Write<'a> {
    flow: &'a Flow<'a>,
    spec: &'a Spec,
    /// Statements by their numbers.
    texts: IndexVec<ProcId, BTreeMap<u32, String>>,
    counters: IndexVec<CounterId, Counter>,
    messages: IndexVec<ChanId, IndexVec<AtomId, CounterId>>,
    machines: IndexVec<CopyId, Option<CounterId>>,
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

    fn arc(&self, step: &Step) -> Arc {
        let key = self.flow.spots.value(step.from);
        let copy = &self.flow.copies[key.copy];
        let (node, index) = step.edge;
        let edge = &self.flow.basis.code.graphs[copy.proc].nodes[node].edges[index];
        let body = &self.spec.procs[copy.proc].body;
        let text = edge.number.and_then(|it| self.texts[copy.proc].get(&it).cloned());
        let effects = match step.effect {
            Effect::Nothing => Vec::new(),
            Effect::Puts(chan, atom) => vec![(self.messages[chan][atom], 1)],
            Effect::Takes(chan, atom) => vec![(self.messages[chan][atom], -1)],
            Effect::Starts(copy) => self.machines[copy].map(|it| (it, 1)).into_iter().collect(),
        };
        Arc {
            from: Some(step.from),
            to: step.to,
            effects,
            progress: self.is_progress(step),
            tests: Vec::new(),
            text: text.unwrap_or_else(|| act_text(self.spec, body, &edge.act)),
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
