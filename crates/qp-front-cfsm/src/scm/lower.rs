//! From what is written to what it means: names become numbers.

use qp_base::{Complaints, IndexVec, Map, Span};
use qp_machines::{
    Action, Atom, Automata, Automaton, Bad, Capacity, Discipline, LocalId, Loss, MachineId,
    MessageId, QueueId, QueueKind, State, Transition,
};

use crate::codes;
use crate::draft::Draft;
use crate::names::{did_you_mean, quoted};

use super::ast::{self, File, Machine, Word};
use super::regexp::{Pieces, Splitter, unknown_message};

/// Resolves all names.
pub(super) fn lower(file: &File<'_>, complaints: &mut Complaints) -> Option<Automata> {
    let mut lowering = Lowering {
        file,
        draft: Draft::new("scm", Discipline::Channels),
        complaints,
        messages: Map::default(),
        machines: Map::default(),
        states: IndexVec::new(),
        nodes: 0,
    };
    lowering.channels();
    lowering.alphabet();
    lowering.declare();
    for machine in &file.automata {
        let automaton = lowering.machine(machine);
        lowering.draft.add(automaton);
    }
    lowering.bad();
    lowering.draft.finish(lowering.complaints)
}

struct Lowering<'a, 't> {
    file: &'a File<'t>,
    draft: Draft,
    complaints: &'a mut Complaints,
    messages: Map<&'t str, MessageId>,
    machines: Map<&'t str, MachineId>,
    states: IndexVec<MachineId, Map<&'t str, LocalId>>,
    /// How much of the allowance for written-out bad situations is used.
    nodes: usize,
}

impl<'t> Lowering<'_, 't> {
    fn channels(&mut self) {
        let Some((count, span)) = self.file.channels else { return };
        let mut lossy = vec![false; count as usize];
        for &word in &self.file.lossy {
            if let Some(queue) = self.channel(word) {
                lossy[queue.index()] = true;
            }
        }
        for (i, lossy) in lossy.into_iter().enumerate() {
            let loss = if lossy { Loss::Always } else { Loss::Never };
            let kind = QueueKind { capacity: Capacity::Unbounded, loss };
            self.draft.queue(i.to_string(), kind, span);
        }
    }

    fn channel(&mut self, word: Word<'t>) -> Option<QueueId> {
        let count = self.file.channels.map_or(0, |(count, _)| count);
        let found = word.text.parse().ok().filter(|&i: &u32| i < count);
        if found.is_none() {
            let help = match count {
                0 => "the model has no channel; change `nb_channels`".to_owned(),
                _ => format!("channels are numbered from 0 to {}", count - 1),
            };
            self.unknown("channel", word, help);
        }
        found.map(QueueId::from_raw)
    }

    fn alphabet(&mut self) {
        for word in &self.file.parameters {
            if self.messages.contains_key(word.text) {
                self.twice("message", *word);
            }
            let message = self.draft.message(word.text);
            self.messages.insert(word.text, message);
        }
    }

    fn declare(&mut self) {
        for machine in &self.file.automata {
            let id = self.draft.declare(machine.name.text, machine.name.span);
            if self.machines.insert(machine.name.text, id).is_some() {
                self.twice("automaton", machine.name);
            }
        }
    }

    /// States need no block of their own: one that is only a target has no transition.
    fn machine(&mut self, machine: &Machine<'t>) -> Automaton {
        let mut states: IndexVec<LocalId, State> = IndexVec::new();
        let mut known: Map<&str, LocalId> = Map::default();
        let mut state = |states: &mut IndexVec<LocalId, State>, word: Word<'t>| {
            *known.entry(word.text).or_insert_with(|| {
                let name = word.text.to_owned();
                states.push(State { name, span: word.span, ..State::default() })
            })
        };
        let initial: Vec<LocalId> =
            machine.initial.iter().map(|&word| state(&mut states, word)).collect();
        for block in &machine.states {
            let from = state(&mut states, block.name);
            for edge in &block.edges {
                let target = state(&mut states, edge.to);
                let Some(action) = self.action(edge.action) else { continue };
                states[from].transitions.push(Transition { action, target, span: edge.span });
            }
        }
        self.states.push(known);
        let initial = match *initial {
            [only] => only,
            _ => fresh_initial(&mut states, &initial, machine.name.span),
        };
        Automaton { states, initial }
    }

    fn action(&mut self, action: Option<ast::Action<'t>>) -> Option<Action> {
        let Some(ast::Action { channel, sends, message }) = action else {
            return Some(Action::Internal);
        };
        let queue = self.channel(channel);
        let known = self.messages.get(message.text).copied();
        if known.is_none() {
            unknown_message(message, &self.file.parameters, self.complaints);
        }
        let (queue, message) = (queue?, known?);
        Some(if sends { Action::Send(queue, message) } else { Action::Receive(queue, message) })
    }

    /// All bad situations are one, with a case for each way to be in it.
    fn bad(&mut self) {
        if self.file.bad.is_empty() {
            return;
        }
        let mut cases = Vec::new();
        for bad in &self.file.bad {
            let at: Vec<Atom> = bad.at.iter().filter_map(|(m, s)| self.control(*m, s)).collect();
            let Some((regexp, span)) = &bad.contents else {
                cases.push(at);
                continue;
            };
            let conditions = bad.at.iter().map(|(_, states)| 1 + states.len()).sum();
            for pieces in self.contents(regexp, *span, conditions) {
                let mut case = at.clone();
                let queues = self.draft.outline.queues.ids();
                case.extend(queues.zip(pieces).map(|(queue, p)| Atom::Content(queue, p)));
                cases.push(case);
            }
        }
        let (name, span) = ("bad_states".to_owned(), self.file.bad_span);
        self.draft.outline.bad.push(Bad { name, span, cases });
    }

    fn control(&mut self, machine: Word<'t>, states: &[Word<'t>]) -> Option<Atom> {
        let Some(&id) = self.machines.get(machine.text) else {
            let names = self.file.automata.iter().map(|machine| machine.name.text);
            let help = did_you_mean(machine.text, names, "declare it: `automaton name : ...`");
            self.unknown("automaton", machine, help);
            return None;
        };
        for &state in states {
            if !self.states[id].contains_key(state.text) {
                let help = "the automaton has no state with this number".to_owned();
                self.unknown("state", state, help);
            }
        }
        Some(Atom::Control(id, states.iter().map(|state| state.text.to_owned()).collect()))
    }

    /// The ways to satisfy an expression, each with one pattern per channel.
    fn contents(&mut self, regexp: &ast::Regexp<'t>, span: Span, conditions: usize) -> Vec<Pieces> {
        let mut splitter = Splitter {
            messages: &self.messages,
            alphabet: &self.file.parameters,
            complaints: self.complaints,
            nodes: self.nodes,
        };
        let ways = splitter.split(regexp).and_then(|ways| {
            // Every way but the first repeats the conditions on states.
            splitter.spend(ways.len().saturating_sub(1).saturating_mul(conditions))?;
            Ok(ways)
        });
        self.nodes = splitter.nodes;
        let Ok(ways) = ways else {
            let message = "this expression is too large when its choices are written out";
            let help = "use several parentheses after `bad_states`";
            self.complaints.error(codes::TOO_LARGE, message, span, help);
            return Vec::new();
        };
        let channels = self.draft.outline.queues.len();
        if let Some(wrong) = ways.iter().find(|pieces| pieces.len() != channels) {
            let message = format!(
                "the number of channels is {channels}, but this expression describes {}",
                wrong.len()
            );
            let help = format!("every choice needs {} of `#`", channels.saturating_sub(1));
            self.complaints.error(codes::SEPARATORS, message, span, help);
        }
        ways
    }

    fn unknown(&mut self, what: &str, word: Word<'_>, help: String) {
        let message = format!("there is no {what} {}", quoted(word.text));
        self.complaints.error(codes::UNKNOWN, message, word.span, help);
    }

    fn twice(&mut self, what: &str, word: Word<'_>) {
        let message = format!("{what} {} is declared twice", quoted(word.text));
        let help = "give one of them another name";
        self.complaints.error(codes::TWICE, message, word.span, help);
    }
}

/// A state from which internal moves lead to all initial states.
fn fresh_initial(
    states: &mut IndexVec<LocalId, State>,
    initial: &[LocalId],
    span: Span,
) -> LocalId {
    let to = |&target| Transition { action: Action::Internal, target, span };
    states.push(State {
        // No state of the text can have this name.
        name: "(initial)".to_owned(),
        span,
        transitions: initial.iter().map(to).collect(),
        ..State::default()
    })
}
