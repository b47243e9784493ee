//! Machines written out as automata: the program behind the CFSM language and the automata formats.

mod net;
mod prospects;
mod visited;

use std::sync::Arc;

use qp_base::{Code, IndexVec, Map, Span};

use crate::{
    CommandMemo, DetailId, EarId, Effect, Failure, FailureId, LocalId, MachineId, MessageId, Move,
    Moves, Names, Net, Outline, Place, Program, Property, Prospects, QueueId, Reception, Site,
    Start, Taken, Turn, Whereabouts, World, turns_of_commands,
};
use visited::Visited;

/// A failure that the user wrote into the model.
const FAILED: Code = Code(1002);

/// A program whose machines are finite automata. A local state is a state's number.
#[derive(Clone, Debug)]
pub struct Automata {
    outline: Outline,
    machines: Arc<IndexVec<MachineId, Automaton>>,
    failures: Vec<String>,
    /// What is looked up by name, from when it is looked up first.
    local_names: Map<MachineId, Map<String, LocalId>>,
    message_names: Map<String, MessageId>,
    /// What large states listen to, from when they listen first.
    heard: Map<(MachineId, LocalId), Heard>,
    visited: Visited,
    memo: CommandMemo,
}

/// States with more transitions than this are not looked through for every message.
const LARGE: usize = 32;

/// What a state listens to.
#[derive(Clone, Debug, Default)]
struct Heard {
    takes: Map<(QueueId, MessageId), Vec<LocalId>>,
    /// Whether it does nothing else.
    only: bool,
}

impl Heard {
    fn of(state: &State) -> Self {
        let mut heard = Self { only: state.only_receives(), ..Self::default() };
        for transition in &state.transitions {
            if let Action::Receive(queue, message) = transition.action {
                heard.takes.entry((queue, message)).or_default().push(transition.target);
            }
        }
        heard
    }
}

/// One machine.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its states; a [`LocalId`] is a place here.
    pub states: IndexVec<LocalId, State>,
    /// Where it begins.
    pub initial: LocalId,
}

/// A control state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The user's name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether the machine may rest here for ever although it could go on.
    pub end: bool,
    /// Whether being here counts as progress.
    pub progress: bool,
    /// Messages that stay in the queue while the machine is here.
    pub deferred: Vec<MessageId>,
    /// What the machine can do here, in source order.
    pub transitions: Vec<Transition>,
}

impl State {
    fn only_receives(&self) -> bool {
        self.transitions.iter().all(|t| matches!(t.action, Action::Receive(..)))
    }

    fn takes(&self, queue: QueueId, message: MessageId) -> Vec<LocalId> {
        let wanted = Action::Receive(queue, message);
        let mine = self.transitions.iter().filter(|t| t.action == wanted);
        mine.map(|t| t.target).collect()
    }
}

/// A step of one machine.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub target: LocalId,
    /// Where it is written.
    pub span: Span,
}

/// What a transition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing that others see.
    Internal,
    /// Sends a message to the back of a queue.
    Send(QueueId, MessageId),
    /// Takes a message from a queue.
    Receive(QueueId, MessageId),
    /// Runs into a failure with this text.
    Fail(String),
}

impl Automata {
    /// Puts machines together. Fills in what the outline can learn from them: readers and writers
    /// of queues, and whether there are failures and progress marks.
    pub fn new(mut outline: Outline, machines: IndexVec<MachineId, Automaton>) -> Self {
        assert_eq!(outline.machines.len(), machines.len(), "every machine has a name");
        outline.n_cells = Some(0);
        let mut failures = Vec::new();
        for (id, machine) in machines.iter_enumerated() {
            assert!(machine.initial.index() < machine.states.len(), "{id:?} begins somewhere");
            for state in &machine.states {
                outline.has_progress |= state.progress;
                for transition in &state.transitions {
                    assert!(transition.target.index() < machine.states.len());
                    match &transition.action {
                        Action::Internal => {}
                        Action::Send(queue, _) => add(&mut outline.queues[*queue].writers, id),
                        Action::Receive(queue, _) => add(&mut outline.queues[*queue].readers, id),
                        Action::Fail(text) => add(&mut failures, text.clone()),
                    }
                }
            }
        }
        if !failures.is_empty() {
            outline.failing.push(Property::Assert);
        }
        Self {
            outline,
            machines: Arc::new(machines),
            failures,
            local_names: Map::default(),
            message_names: Map::default(),
            heard: Map::default(),
            visited: Visited::default(),
            memo: CommandMemo::default(),
        }
    }

    /// The machines.
    pub fn machines(&self) -> &IndexVec<MachineId, Automaton> {
        &self.machines
    }

    fn state(&self, machine: MachineId, local: LocalId) -> &State {
        &self.machines[machine].states[local]
    }

    /// Where a state leads with a message, and whether it does nothing but receive.
    fn hears(
        &mut self,
        (machine, local): (MachineId, LocalId),
        queue: QueueId,
        message: MessageId,
    ) -> (Vec<LocalId>, bool) {
        let state = &self.machines[machine].states[local];
        if state.transitions.len() <= LARGE {
            return (state.takes(queue, message), state.only_receives());
        }
        let heard = self.heard.entry((machine, local)).or_insert_with(|| Heard::of(state));
        (heard.takes.get(&(queue, message)).cloned().unwrap_or_default(), heard.only)
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

impl Program for Automata {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(Self { visited: Visited::default(), ..self.clone() })
    }

    fn start(&mut self) -> Start {
        Start {
            locals: self.machines.iter().map(|machine| machine.initial).collect(),
            queues: self.outline.queues.iter().map(|queue| queue.kind).collect(),
            cells: Vec::new(),
        }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        Some(self)
    }

    fn is_progress(&self, machine: MachineId, local: LocalId) -> bool {
        self.state(machine, local).progress
    }

    fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        queue.index() < self.outline.queues.len() && self.outline.limit(queue, messages).is_some()
    }

    fn net(&mut self, _: &[DetailId]) -> Result<Net, String> {
        Ok(self.as_net())
    }

    fn may_rest(&self, machine: MachineId, local: LocalId) -> bool {
        let state = self.state(machine, local);
        state.end || state.transitions.is_empty()
    }
}

impl Moves for Automata {
    fn are_local(&self) -> bool {
        true
    }

    fn memo(&mut self) -> Option<&mut CommandMemo> {
        Some(&mut self.memo)
    }

    fn prospects(&mut self) -> Option<Arc<Prospects>> {
        Some(Arc::new(prospects::of(&self.outline, &self.machines)))
    }

    fn whereabouts(&mut self, machine: MachineId, local: LocalId) -> Option<Whereabouts> {
        let stages = vec![prospects::stage(&self.machines, machine, local)];
        Some(Whereabouts { class: machine.raw(), stages })
    }

    /// All receives from one queue are one move, at the place of the first of them.
    fn moves(&mut self, machine: MachineId, local: LocalId, _: i32) -> Vec<Move> {
        let mut heard: Vec<QueueId> = Vec::new();
        let mut moves = Vec::new();
        let state = &self.machines[machine].states[local];
        self.visited.stays(machine, local, state);
        for transition in &state.transitions {
            let effect = match &transition.action {
                Action::Internal => Effect::Internal,
                &Action::Send(queue, message) => {
                    Effect::Send { queue, message, place: Place::Back }
                }
                &Action::Receive(queue, _) if heard.contains(&queue) => continue,
                &Action::Receive(queue, _) => {
                    heard.push(queue);
                    Effect::Receive { queue, ear: EarId::from_raw(queue.raw()) }
                }
                Action::Fail(text) => {
                    let failure = self.failures.iter().position(|f| f == text);
                    let failure = failure.expect("every failure was recorded when it was built");
                    Effect::Fail { failure: FailureId::new(failure) }
                }
            };
            moves.push(Move::plain(effect, transition.target));
        }
        moves
    }

    fn reception(
        &mut self,
        machine: MachineId,
        local: LocalId,
        _: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let queue = QueueId::from_raw(ear.raw());
        let state = &self.machines[machine].states[local];
        self.visited.hears(machine, local, state, &Action::Receive(queue, message));
        let (targets, only) = self.hears((machine, local), queue, message);
        // An unexpected message is an error where the machine can only receive, and nobody else could take the
        // message away.
        let insists = only && self.outline.queues[queue].readers.len() == 1;
        if !targets.is_empty() {
            Reception::Take(targets.into_iter().map(Taken::plain).collect())
        } else if self.state(machine, local).deferred.contains(&message) {
            Reception::Skip
        } else if insists {
            Reception::Crash
        } else {
            Reception::Refuse
        }
    }
}

impl Names for Automata {
    fn unvisited(&self) -> Option<Vec<Site>> {
        Some(self.visited.others(&self.outline, &self.machines))
    }

    fn control_name(&self, machine: MachineId, local: LocalId) -> String {
        self.state(machine, local).name.clone()
    }

    fn control_span(&self, machine: MachineId, local: LocalId) -> Span {
        self.state(machine, local).span
    }

    fn local_text(&self, machine: MachineId, local: LocalId) -> String {
        self.control_name(machine, local)
    }

    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId> {
        let states = &self.machines.get(machine)?.states;
        let names = self.local_names.entry(machine).or_insert_with(|| {
            // The first of a name counts.
            let all = states.iter().rev().map(|state| state.name.clone());
            all.zip((0..states.len()).rev().map(LocalId::new)).collect()
        });
        names.get(text).copied()
    }

    fn message_text(&self, message: MessageId) -> String {
        self.outline.messages[message].clone()
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        if self.message_names.is_empty() {
            let messages = &self.outline.messages;
            let ids = (0..messages.len()).rev().map(MessageId::new);
            self.message_names = messages.iter().rev().cloned().zip(ids).collect();
        }
        self.message_names.get(text).copied()
    }

    fn failure(&self, failure: FailureId) -> Failure {
        let text = self.failures[failure.index()].clone();
        Failure { property: Property::Assert, code: FAILED, text, span: None }
    }
}
