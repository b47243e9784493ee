//! Programs written down in a test: everything that machines can do and the CFSM language cannot say.

use qp_base::{Code, IndexVec, Interner, Span};
use qp_machines::Names as _;
use qp_machines::{
    EarId, Effect, Failure, FailureId, KindId, LocalId, MachineId, MachineInfo, MessageId, Model,
    Move, Observed, Outline, Place, Program, Property, QueueId, QueueInfo, QueueKind, Reception,
    SeedId, Start, Suspect, Taken, Turn, World, turns_of_commands,
};

/// A local state: what the machine is, where it is, and the numbers it knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// The name of the control state.
    pub at: String,
    /// What it was told: machines and queues that were created.
    pub knows: Vec<u32>,
}

/// What the machines of a test do. All functions depend on their arguments only.
#[derive(Clone, Copy)]
pub struct Rules {
    /// What a machine can do.
    pub moves: Moves,
    /// What it does about a message.
    pub hears: Hears,
    /// What a new machine begins with.
    pub born: fn(SeedId, MachineId, QueueId) -> Local,
}

/// What machines can do.
pub type Moves = fn(&mut Names, MachineId, &Local, &str) -> Vec<Move>;

/// What a machine does about a message.
pub type Hears = fn(&mut Names, &Local, &str, EarId, &str) -> Reception;

/// The queue that small scripts use.
pub const Q0: QueueId = QueueId::from_raw(0);

/// A script with one unbounded queue that creates nothing.
pub fn script(
    moves: Moves,
    hears: Hears,
    machines: &[&str],
    messages: &[&str],
    store: &str,
) -> Model {
    let born = |_, _, _| unreachable!("nothing is created");
    let queues = [QueueKind::UNBOUNDED];
    Script::new(Rules { moves, hears, born }, machines, &queues, messages, store).model()
}

/// A move that nobody else sees.
pub fn internal(next: LocalId) -> Move {
    Move::plain(Effect::Internal, next)
}

/// A send to the queue of small scripts.
pub fn send(names: &mut Names, message: &str, place: Place, next: &str) -> Move {
    let message = names.message(message);
    Move::plain(Effect::Send { queue: Q0, message, place }, names.at(next))
}

/// A receive from the queue of small scripts.
pub fn listen(names: &mut Names) -> Move {
    Move::plain(Effect::Receive { queue: Q0, ear: 0.into() }, names.at("unused"))
}

/// Takes a message out and goes on.
pub fn take(names: &mut Names, next: &str) -> Reception {
    Reception::Take(vec![Taken::plain(names.at(next))])
}

/// Numbers for texts.
#[derive(Clone, Default)]
pub struct Names {
    locals: Interner<LocalId, Local>,
    messages: Interner<MessageId, String>,
    stores: Interner<usize, String>,
}

impl Names {
    /// A control state in which nothing is known.
    pub fn at(&mut self, name: &str) -> LocalId {
        self.knowing(name, &[])
    }

    /// A control state in which some numbers are known.
    pub fn knowing(&mut self, name: &str, knows: &[u32]) -> LocalId {
        self.locals.intern(Local { at: name.to_owned(), knows: knows.to_vec() })
    }

    /// A message.
    pub fn message(&mut self, text: &str) -> MessageId {
        self.messages.intern(text.to_owned())
    }

    /// The values of the shared variables.
    pub fn store(&mut self, text: &str) -> i32 {
        i32::try_from(self.stores.intern(text.to_owned())).expect("few")
    }
}

/// A program from its rules.
#[derive(Clone)]
pub struct Script {
    outline: Outline,
    local: bool,
    names: Names,
    rules: Rules,
    start: Vec<LocalId>,
    watches: Watches,
    failures: Vec<(Property, &'static str)>,
    suspect: Option<&'static str>,
}

/// What those who watch make of a message: the store afterwards, or the number of a failure.
pub type Watches = fn(&str, &str) -> Result<String, u32>;

impl Script {
    /// Machines that begin in these states, queues of these kinds, and messages in this order. A state
    /// whose name begins with `end` may be rested in.
    pub fn new(
        rules: Rules,
        machines: &[&str],
        queues: &[QueueKind],
        messages: &[&str],
        store: &str,
    ) -> Self {
        let mut names = Names::default();
        names.store(store);
        let mut outline =
            Outline { language: "script", failing: vec![Property::Assert], ..Outline::default() };
        let info = |(m, _)| MachineInfo { name: format!("M{m}"), span: Span::default() };
        outline.machines = machines.iter().enumerate().map(info).collect();
        outline.kinds = queues.iter().copied().collect();
        for (number, kind) in (0..queues.len()).map(|n| (n, KindId::new(n))) {
            let (readers, writers) = (Vec::new(), Vec::new());
            let (name, span) = (format!("q{number}"), Span::default());
            outline.queues.push(QueueInfo { name, kind, readers, writers, span });
        }
        outline.messages = messages.iter().map(|&text| text.to_owned()).collect::<IndexVec<_, _>>();
        for message in messages {
            names.message(message);
        }
        let start = machines.iter().map(|at| names.at(at)).collect();
        let watches = |_: &str, _: &str| unreachable!("nobody watches");
        let (local, failures) = (false, Vec::new());
        Self { outline, local, names, rules, start, watches, failures, suspect: None }
    }

    /// Machines do not look at the store, which changes when something is announced.
    #[must_use]
    pub fn watched(mut self, watches: Watches) -> Self {
        self.outline.store_is_watched = true;
        self.watches = watches;
        self
    }

    /// What failures are about, by number; beyond the list they are all of one kind.
    #[must_use]
    pub fn failures(mut self, failures: &[(Property, &'static str)]) -> Self {
        self.outline.failing.extend(failures.iter().map(|failure| failure.0));
        self.failures = failures.to_vec();
        self
    }

    /// What may never stop growing.
    #[must_use]
    pub fn suspect(mut self, text: &'static str) -> Self {
        self.suspect = Some(text);
        self
    }

    /// Machines meet only through queues, each of which is read by the machine with the same number.
    #[must_use]
    pub fn local(mut self) -> Self {
        (self.local, self.outline.store_is_watched) = (true, true);
        for number in 0..self.outline.queues.len() {
            self.outline.queues[QueueId::new(number)].readers = vec![MachineId::new(number)];
        }
        self
    }

    /// The language that it pretends to be written in.
    #[must_use]
    pub fn language(mut self, language: &'static str) -> Self {
        self.outline.language = language;
        self
    }

    /// States a bad situation.
    #[must_use]
    pub fn bad(mut self, bad: qp_machines::Bad) -> Self {
        self.outline.bad.push(bad);
        self
    }

    /// The model.
    pub fn model(self) -> Model {
        Model::new(self)
    }
}

impl Program for Script {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(self.clone())
    }

    fn start(&mut self) -> Start {
        Start {
            locals: self.start.clone(),
            queues: self.outline.queues.iter().map(|queue| queue.kind).collect(),
            cells: vec![0],
        }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn qp_machines::Moves> {
        Some(self)
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        self.names.locals.value(local).at.starts_with("end")
    }
}

impl qp_machines::Moves for Script {
    fn are_local(&self) -> bool {
        self.local
    }

    fn moves(&mut self, machine: MachineId, local: LocalId, store: i32) -> Vec<Move> {
        let (local, store) = (self.names.locals.value(local).clone(), self.store_text(&[store]));
        (self.rules.moves)(&mut self.names, machine, &local, &store)
    }

    fn reception(
        &mut self,
        _: MachineId,
        local: LocalId,
        store: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let (local, store) = (self.names.locals.value(local).clone(), self.store_text(&[store]));
        let message = self.names.messages.value(message).clone();
        (self.rules.hears)(&mut self.names, &local, &store, ear, &message)
    }

    fn born(&mut self, seed: SeedId, machine: MachineId, first_queue: QueueId) -> LocalId {
        self.names.locals.intern((self.rules.born)(seed, machine, first_queue))
    }

    fn resume(&mut self, local: LocalId, child: MachineId, first_queue: QueueId) -> LocalId {
        let at = self.names.locals.value(local).at.clone();
        self.names.knowing(&at, &[child.raw(), first_queue.raw()])
    }

    fn observe(&mut self, store: i32, message: MessageId) -> Observed {
        match (self.watches)(&self.store_text(&[store]), &self.message_text(message)) {
            Ok(store) => Observed::Store(self.names.store(&store)),
            Err(failure) => Observed::Failed(FailureId::from_raw(failure)),
        }
    }
}

impl qp_machines::Names for Script {
    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        self.names.locals.value(local).at.clone()
    }

    fn control_span(&self, _: MachineId, _: LocalId) -> Span {
        Span::default()
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        let Local { at, knows } = self.names.locals.value(local);
        let knows: Vec<String> = knows.iter().map(u32::to_string).collect();
        format!("{at}:{}", knows.join(","))
    }

    fn local_from_text(&mut self, _: MachineId, text: &str) -> Option<LocalId> {
        let (at, knows) = text.split_once(':')?;
        let numbers = knows.split(',').filter(|number| !number.is_empty());
        let knows: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
        Some(self.names.knowing(at, &knows?))
    }

    fn message_text(&self, message: MessageId) -> String {
        self.names.messages.value(message).clone()
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        self.names.messages.find(&text.to_owned())
    }

    fn store_text(&self, cells: &[i32]) -> String {
        self.names.stores.value(cells[0].cast_unsigned() as usize).clone()
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        Some(vec![self.names.store(text)])
    }

    fn failure(&self, failure: FailureId) -> Failure {
        let (code, span) = (Code(1002), None);
        let known = self.failures.get(failure.index());
        let known = known.map(|&(property, text)| (property, text.to_owned()));
        let (property, text) =
            known.unwrap_or_else(|| (Property::Assert, format!("failure {failure:?}")));
        Failure { property, code, text, span }
    }

    fn machine_name(&self, machine: MachineId, _: LocalId) -> Option<String> {
        Some(format!("M({})", machine.raw()))
    }

    fn suspect(&self) -> Option<Suspect> {
        self.suspect.map(|text| Suspect { text: text.to_owned(), span: Span::default() })
    }
}
