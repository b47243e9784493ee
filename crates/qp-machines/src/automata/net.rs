//! Automata as a net: states are spots, transitions are arcs, and messages of one name in one queue are
//! counted together.

use std::collections::BTreeMap;

use crate::{
    Arc, ArcId, Capacity, Counter, CounterId, Counts, Fact, LocalId, Loss, MachineId, MessageId,
    Net, QueueId, Spot, SpotId,
};

use super::{Action, Automata, Automaton, Transition};

impl Automata {
    /// The net: what can be reached in the graphs of the machines, each taken for itself.
    ///
    /// A send that may be lost is a second arc without effect. A failure ends the run and moves nobody, so
    /// it is no arc. An arc counts as progress if it leaves or enters a state that is marked as progress.
    pub(super) fn as_net(&self) -> Net {
        let mut making = Making { automata: self, net: Net::default(), counters: BTreeMap::new() };
        for machine in (0..self.machines.len()).map(MachineId::new) {
            making.machine(machine);
        }
        making.capacities();
        making.orders();
        making.net
    }
}

struct Making<'a> {
    automata: &'a Automata,
    net: Net,
    counters: BTreeMap<(QueueId, MessageId), CounterId>,
}

impl Making<'_> {
    fn machine(&mut self, id: MachineId) {
        let machine = &self.automata.machines[id];
        let name = &self.automata.outline.machines[id].name;
        let mut spots: BTreeMap<LocalId, SpotId> = BTreeMap::new();
        for local in reachable(machine) {
            let state = &machine.states[local];
            let spot = self.net.spots.push(Spot {
                machine: Some(id),
                initial: u32::from(local == machine.initial),
                name: format!("{name}.{}", state.name),
                span: state.span,
            });
            spots.insert(local, spot);
        }
        for (&local, &from) in &spots {
            for transition in &machine.states[local].transitions {
                let Some(&to) = spots.get(&transition.target) else { continue };
                let marked = [local, transition.target].map(|end| machine.states[end].progress);
                self.transition(transition, (from, to), marked.contains(&true));
            }
        }
    }

    fn transition(&mut self, transition: &Transition, (from, to): (SpotId, SpotId), marked: bool) {
        let outline = &self.automata.outline;
        let said = |verb: &str, queue: QueueId, message: MessageId| {
            format!("{verb} {} {}", outline.queue_text(queue), outline.messages[message])
        };
        let arc = |effects: Vec<(CounterId, i64)>, text: String| Arc {
            from: Some(from),
            to: Some(to),
            effects,
            progress: marked,
            tests: Vec::new(),
            text,
            span: transition.span,
        };
        match transition.action {
            Action::Internal => {
                self.net.arcs.push(arc(Vec::new(), "internal".to_owned()));
            }
            Action::Send(queue, message) => {
                let text = said("send", queue, message);
                let kind = outline.kinds[outline.queues[queue].kind];
                let counter = self.counter(queue, message);
                if kind.capacity != Capacity::Rendezvous && kind.loss != Loss::Never {
                    self.net.arcs.push(arc(Vec::new(), format!("{text}, which is lost")));
                }
                self.net.arcs.push(arc(vec![(counter, 1)], text));
            }
            Action::Receive(queue, message) => {
                let counter = self.counter(queue, message);
                self.net.arcs.push(arc(vec![(counter, -1)], said("receive", queue, message)));
            }
            Action::Fail(_) => {}
        }
    }

    fn counter(&mut self, queue: QueueId, message: MessageId) -> CounterId {
        let outline = &self.automata.outline;
        let counts = match outline.kinds[outline.queues[queue].kind].capacity {
            Capacity::Rendezvous => Counts::Handshakes(queue),
            Capacity::Unbounded | Capacity::Messages(_) => Counts::Messages(queue),
        };
        let counters = &mut self.net.counters;
        *self.counters.entry((queue, message)).or_insert_with(|| {
            counters.push(Counter { counts, initial: 0, name: outline.messages[message].clone() })
        })
    }

    /// Messages are put at the back always, and taken from the front where nobody lets one wait behind others.
    fn orders(&mut self) {
        let automata = self.automata;
        let defers = |id: MachineId| {
            automata.machines[id].states.iter().any(|state| !state.deferred.is_empty())
        };
        for (queue, info) in automata.outline.queues.iter_enumerated() {
            if !info.readers.iter().any(|&reader| defers(reader)) {
                self.net.in_order.push(queue);
            }
        }
    }

    /// A queue never holds more than fits.
    fn capacities(&mut self) {
        let outline = &self.automata.outline;
        for (queue, info) in outline.queues.iter_enumerated() {
            let Capacity::Messages(n) = outline.kinds[info.kind].capacity else { continue };
            let inside = |arc: &Arc| -> i64 {
                let mine = arc.effects.iter();
                let mine = mine.filter(|(id, _)| self.net.counters[*id].counts.is_in(queue));
                mine.map(|&(_, by)| by).sum()
            };
            let terms: Vec<(ArcId, i64)> = self
                .net
                .arcs
                .iter_enumerated()
                .map(|(id, arc)| (id, inside(arc)))
                .filter(|&(_, by)| by != 0)
                .collect();
            let because = format!("{} holds at most {n}", outline.queue_text(queue));
            self.net.facts.push(Fact { terms, at_most: i64::from(n), because });
        }
    }
}

/// The states that the graph of a machine leads to, in the order of their numbers.
fn reachable(machine: &Automaton) -> Vec<LocalId> {
    let mut seen = vec![false; machine.states.len()];
    let mut open = vec![machine.initial];
    seen[machine.initial.index()] = true;
    while let Some(local) = open.pop() {
        for transition in &machine.states[local].transitions {
            let moves = !matches!(transition.action, Action::Fail(_));
            if moves && !std::mem::replace(&mut seen[transition.target.index()], true) {
                open.push(transition.target);
            }
        }
    }
    (0..seen.len()).filter(|&local| seen[local]).map(LocalId::new).collect()
}
