//! Steps as guarded commands of machines that share nothing but queues: communicating finite-state machines (Brand and
//! Zafiropulo 1983), whatever language they are written in.
//!
//! A machine is asked for its steps in a local state while all queues are empty, and once more for each message that
//! may stand at the front of a queue. That is all there is to know if its footprint says so: it reads its own local
//! state and shared variables that never change, and of queues what the program names ([`Uses`]): the first message of
//! those that it takes from, and whether there is room in those that it sends to, one of them in each step. A step that
//! reads or does more is refused, with its place. What fits into queues is left out: whoever asks has to keep in mind that a full queue blocks.

use crate::domain::{Content, Heed, QueueDomain, Scan, Texts};
use crate::reads::Reads;
use crate::{
    Act, Capacity, CellId, Config, Event, FailureId, KindId, LocalId, Loss, MachineId, MessageId,
    QueueId, System, Turn, Uses, WordId, Words,
};

/// Whoever counts machines is asked about all numbers up to this one.
const MACHINES_MAX: usize = 64;

/// What a machine can do in a local state without a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Commands {
    /// Where it can go without anybody seeing it.
    pub internals: Vec<LocalId>,
    /// What it can send, if there is room.
    pub sends: Vec<Sending>,
    /// The queues that it listens to, each once.
    pub listens: Vec<QueueId>,
    /// What it can run into.
    pub fails: Vec<FailureId>,
    /// Whether it can create machines. How that goes on depends on how many there are.
    pub creates: bool,
    /// Whether it ends, once those are gone that were created later.
    pub ends: bool,
    /// Which step changes what others or specifications see beside queues, if one does, in the user's words.
    pub shares: Option<String>,
}

impl Commands {
    /// Whether it can only move by itself or create others.
    pub fn is_quiet(&self) -> bool {
        let waits = self.listens.is_empty() && !self.ends;
        waits && self.sends.is_empty() && self.fails.is_empty()
    }
}

/// A send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sending {
    /// Where to.
    pub queue: QueueId,
    /// What.
    pub message: MessageId,
    /// The local state afterwards.
    pub next: LocalId,
}

/// What a machine makes of a message at the front of a queue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hearing {
    /// Where it goes on if it takes the message.
    pub takes: Vec<LocalId>,
    /// Whether it may leave the message where it is and look at the next one.
    pub skips: bool,
    /// Whether it can run into a failure then.
    pub fails: bool,
    /// Which step changes what others or specifications see beside queues, if one does, in the user's words.
    pub shares: Option<String>,
}

/// Why steps are not told as commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// A step reads or does more: where, and what, in the user's words.
    Step(String),
    /// The interpreter cannot say what comes next.
    GivesUp(FailureId),
}

/// What a single turn is.
enum Command {
    Moves(LocalId),
    Sends(Sending),
    Takes(LocalId),
    Fails(FailureId),
    Creates,
    Ends,
}

impl System {
    /// What a machine can do in a local state without a message; queues and shared variables are those of `like`.
    pub fn commands(
        &mut self,
        like: &Config,
        machine: MachineId,
        local: LocalId,
    ) -> Result<Commands, Beyond> {
        let mut asked = Asked::new(self, like, (machine, local));
        let mut fronts = Fronts::default();
        let mut found = Commands::default();
        for (command, shares) in self.probe(&mut asked, &mut fronts)? {
            found.shares = found.shares.or(shares);
            match command {
                Command::Moves(next) => found.internals.push(next),
                Command::Sends(sending) => found.sends.push(sending),
                Command::Fails(failure) => found.fails.push(failure),
                Command::Creates => found.creates = true,
                Command::Ends => found.ends = true,
                Command::Takes(_) => {
                    unreachable!("bug in Queueproof: something is taken from an empty queue")
                }
            }
        }
        found.listens = fronts.scanned;
        found.listens.sort_unstable();
        found.listens.dedup();
        Ok(found)
    }

    /// What a machine makes of a message at the front of a queue.
    pub fn hearing(
        &mut self,
        like: &Config,
        (machine, local): (MachineId, LocalId),
        front: (QueueId, MessageId),
    ) -> Result<Hearing, Beyond> {
        let mut asked = Asked::new(self, like, (machine, local));
        let mut fronts = Fronts { all: vec![front], ..Fronts::default() };
        let commands = self.probe(&mut asked, &mut fronts)?;
        let mut hearing = Hearing { skips: fronts.skips, ..Hearing::default() };
        for (command, shares) in commands {
            match command {
                Command::Takes(next) => {
                    hearing.shares = hearing.shares.or(shares);
                    hearing.takes.push(next);
                }
                Command::Fails(_) => hearing.fails = true,
                Command::Moves(_) | Command::Sends(_) | Command::Creates | Command::Ends => {}
            }
        }
        Ok(hearing)
    }

    /// All steps as commands, each with what it shares; refuses a footprint that is larger.
    fn probe(
        &mut self,
        asked: &mut Asked<'_>,
        fronts: &mut Fronts,
    ) -> Result<Vec<(Command, Option<String>)>, Beyond> {
        let machine = asked.machine;
        let uses = self.uses_in(machine, asked);
        let turns = self.turns_over(machine, false, asked, fronts);
        let mut commands = Vec::with_capacity(turns.len());
        for turn in &turns {
            commands.push((self.command(asked, turn)?, self.shares(asked, turn)));
        }
        if self.turns_over(machine, true, asked, &mut fronts.clone()) != turns {
            return Err(self.beyond(asked, None, "it waits until nothing else can happen"));
        }
        self.check_footprint(asked, fronts, uses.as_ref())?;
        let creates = |it: &(Command, _)| matches!(it.0, Command::Creates);
        if asked.counts && !commands.iter().any(creates) && self.ends(asked, fronts, &turns)? {
            commands.retain(|it| !matches!(it.0, Command::Ends));
            commands.push((Command::Ends, None));
        }
        self.check_footprint(asked, fronts, uses.as_ref())?;
        Ok(commands)
    }

    /// Whether a machine can do nothing but receive, and has no right to ignore what is first in any of the queues that
    /// it listens to.
    pub fn is_at_a_loss(
        &mut self,
        like: &Config,
        (machine, local): (MachineId, LocalId),
        fronts: &[(QueueId, MessageId)],
    ) -> bool {
        let mut asked = Asked::new(self, like, (machine, local));
        let mut fronts = Fronts { all: fronts.to_vec(), ..Fronts::default() };
        self.unhandled_over(machine, &mut asked, &mut fronts).is_some()
    }

    /// Whether a queue has a capacity. One that loses messages or hands them over is refused, with the reason.
    pub fn is_limited(&self, config: &Config, queue: QueueId) -> Result<bool, &'static str> {
        let Some(&kind) = config.kinds.get(queue.index()) else { return Ok(false) };
        let kind = self.program().outline().kinds[kind];
        match (kind.capacity, kind.loss) {
            (Capacity::Rendezvous, _) => Err("messages are handed over without a queue"),
            (_, Loss::WhenFull | Loss::Always) => Err("queues may lose messages"),
            (Capacity::Messages(_), Loss::Never) => Ok(true),
            (Capacity::Unbounded, Loss::Never) => Ok(false),
        }
    }

    /// What a turn is, if it does one thing.
    fn command(&self, asked: &Asked<'_>, turn: &Turn) -> Result<Command, Beyond> {
        let beyond = |why: &str| Err(self.beyond(asked, Some(turn), why));
        let (acts, after) = match turn {
            Turn::Does { acts, after } => (acts, after),
            Turn::Fails { acts, failure } => {
                let takes = acts.iter().any(|act| matches!(act.event, Event::Took { .. }));
                let why = "a message is taken and the run fails in the same step";
                return if takes { beyond(why) } else { Ok(Command::Fails(*failure)) };
            }
            &Turn::GivesUp { why } => return Err(Beyond::GivesUp(why)),
        };
        if after.holder.is_some() {
            return beyond("a machine goes on alone as long as it can");
        }
        let visible = |act: &&Act| !matches!(act.event, Event::Internal | Event::Announced { .. });
        let mut seen = acts.iter().filter(visible).map(|act| act.event);
        let event = seen.next();
        if let Some(Event::Created { .. }) = event
            && seen.all(|event| matches!(event, Event::Created { .. }))
        {
            return Ok(Command::Creates);
        }
        if event == Some(Event::Ended)
            && after.n_queues.is_none_or(|left| left == asked.like.words.len())
        {
            return Ok(Command::Ends);
        }
        let is_own = |&(machine, _): &(MachineId, LocalId)| machine == asked.machine;
        if !after.locals.iter().all(is_own) || acts.iter().any(|act| act.machine != asked.machine) {
            return beyond("a step moves several machines");
        }
        let next = after.locals.last().map_or(asked.local, |&(_, next)| next);
        let command = match event {
            None => Command::Moves(next),
            Some(Event::Sent { queue, message }) => {
                Command::Sends(Sending { queue, message, next })
            }
            Some(Event::Took { kept: false, position: 0, .. }) => Command::Takes(next),
            Some(Event::Took { .. }) => return beyond("messages are read and stay in their queue"),
            Some(Event::Lost { .. } | Event::Closed { .. }) => return beyond("queues are closed"),
            Some(Event::Ended) => return beyond("queues end with the machine that they belong to"),
            Some(_) => return beyond("a step does more than send or receive"),
        };
        if acts.iter().filter(visible).count() > 1 {
            return beyond("a step sends or receives several messages");
        }
        Ok(command)
    }

    /// Whether a turn changes what others or specifications see beside queues: in the user's words.
    fn shares(&self, asked: &Asked<'_>, turn: &Turn) -> Option<String> {
        let Turn::Does { acts, after } = turn else { return None };
        let announces = acts.iter().any(|act| matches!(act.event, Event::Announced { .. }));
        let changes =
            |&(cell, value): &(CellId, i32)| asked.cells.get(cell.index()) != Some(&value);
        let why = "steps change what other machines or specifications see";
        let at = (asked.machine, asked.local);
        (announces || after.cells.iter().any(changes)).then(|| self.told(at, Some(turn), why))
    }

    /// Refuses who reads more than its own local state, what never changes, and ends of queues that the program names.
    fn check_footprint(
        &self,
        asked: &Asked<'_>,
        fronts: &Fronts,
        uses: Option<&Uses>,
    ) -> Result<(), Beyond> {
        let named = |queue: &QueueId| {
            uses.is_some_and(|it| {
                it.single && (it.front.contains(queue) || it.back.contains(queue))
            })
        };
        let why = if asked.looks {
            "a step depends on where other machines are, or hands a message over"
        } else if fronts.sorts {
            "messages are sorted into queues"
        } else if !asked.words.iter().all(named) {
            "a step asks more of a queue than its first message, or sends or receives several"
        } else {
            return Ok(());
        };
        Err(self.beyond(asked, None, why))
    }

    /// Whether a machine that counts machines ends when it is the last one. It must do nothing else because of it.
    fn ends(
        &mut self,
        asked: &mut Asked<'_>,
        fronts: &Fronts,
        turns: &[Turn],
    ) -> Result<bool, Beyond> {
        let machine = asked.machine;
        let is_end = |turn: &&Turn| turn.acts().iter().any(|act| act.event == Event::Ended);
        let mut ends = false;
        for n in machine.index() + 1..=MACHINES_MAX {
            asked.n_machines = n;
            let now = self.turns_over(machine, false, asked, &mut fronts.clone());
            for end in now.iter().filter(is_end) {
                self.command(asked, end)?;
                ends = true;
            }
            if !now.iter().filter(|turn| !is_end(turn)).eq(turns.iter().filter(|it| !is_end(it))) {
                let why = "a step depends on how many machines there are";
                return Err(self.beyond(asked, None, why));
            }
        }
        Ok(ends)
    }

    fn beyond(&self, asked: &Asked<'_>, turn: Option<&Turn>, why: &str) -> Beyond {
        Beyond::Step(self.told((asked.machine, asked.local), turn, why))
    }

    /// Why somebody does not treat a step, with its place, in the user's words.
    pub fn told(
        &self,
        (machine, local): (MachineId, LocalId),
        turn: Option<&Turn>,
        why: &str,
    ) -> String {
        let program = self.program();
        let known = program.outline().machines.get(machine).map(|info| info.name.clone());
        let name = known.or_else(|| program.machine_name(machine, local));
        let name = name.unwrap_or_else(|| format!("machine {}", machine.index()));
        let place = program.control_name(machine, local);
        let deed = turn.and_then(|turn| match turn {
            Turn::Does { acts, after } => {
                let own = after.locals.iter().find(|it| it.0 == machine).map_or(local, |it| it.1);
                program.deed(machine, local, own, acts.first().and_then(|act| act.statement))
            }
            Turn::Fails { .. } | Turn::GivesUp { .. } => None,
        });
        let deed = deed.map_or_else(String::new, |deed| format!(", `{}`", deed.text));
        format!("{why} ({name} at {place}{deed})")
    }
}

/// A machine in a local state, with what it reads.
#[derive(Clone, Debug)]
struct Asked<'a> {
    like: &'a Config,
    machine: MachineId,
    local: LocalId,
    cells: std::sync::Arc<[i32]>,
    n_machines: usize,
    /// The queues that it reads.
    words: Vec<QueueId>,
    /// Whether it reads where others are.
    looks: bool,
    /// Whether it reads how many machines there are.
    counts: bool,
}

impl<'a> Asked<'a> {
    fn new(system: &System, like: &'a Config, (machine, local): (MachineId, LocalId)) -> Self {
        let (cells, n_machines) = (system.cells(like.store).into(), like.locals.len());
        let (words, looks, counts) = (Vec::new(), false, false);
        Self { like, machine, local, cells, n_machines, words, looks, counts }
    }
}

impl Reads for Asked<'_> {
    fn n_machines(&mut self) -> usize {
        self.counts = true;
        self.n_machines
    }

    fn n_queues(&mut self) -> usize {
        self.like.words.len()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        if machine == self.machine {
            return self.local;
        }
        self.looks = true;
        self.like.locals.get(machine.index()).copied().unwrap_or(self.local)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.cells[cell.index()]
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.words.push(queue);
        WordId::EMPTY
    }

    /// Nobody is asked who may not be there.
    fn about(&mut self, machine: MachineId, _: u64, answer: &mut dyn FnMut(LocalId) -> u32) -> u32 {
        self.looks |= machine != self.machine;
        if machine == self.machine { answer(self.local) } else { 0 }
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.like.kinds.get(queue.index()).copied().unwrap_or(KindId::from_raw(0))
    }
}

/// Contents of which nothing is known but what is first in some of them. Others are empty, and there is always room.
#[derive(Clone, Debug, Default)]
struct Fronts {
    all: Vec<(QueueId, MessageId)>,
    /// The queues that were looked through.
    scanned: Vec<QueueId>,
    /// Whether a first message was left where it is.
    skips: bool,
    /// Whether messages are sorted in.
    sorts: bool,
}

impl QueueDomain for Fronts {
    fn scan(
        &mut self,
        _: &mut Words,
        (queue, _): Content,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        self.scanned.push(queue);
        let Some(&(_, message)) = self.all.iter().find(|front| front.0 == queue) else {
            return Scan::Exhausted;
        };
        match heed(message) {
            Heed::Take => Scan::Takes { position: 0, message },
            Heed::Stop => Scan::Stops(message),
            Heed::Skip => {
                self.skips = true;
                Scan::Exhausted
            }
        }
    }

    fn fewer(
        &mut self,
        _: &mut Words,
        _: Content,
        _: u32,
        _: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        true
    }

    fn shorter(&mut self, _: &mut Words, _: Content, _: u32) -> bool {
        true
    }

    fn push(&mut self, _: &mut Words, content: Content, _: MessageId, _: Texts<'_>) -> WordId {
        content.1
    }

    fn insert(
        &mut self,
        _: &mut Words,
        content: Content,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        self.sorts = true;
        content.1
    }

    fn remove(&mut self, _: &mut Words, content: Content, _: u32, _: Texts<'_>) -> Vec<WordId> {
        vec![content.1]
    }
}
