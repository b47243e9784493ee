//! What can be asked of a system.

use std::fmt;

use qp_automata::{Buchi, Formula};
use qp_base::Span;

use crate::{
    ConditionId, Config, LocalId, MachineId, MessageId, Outline, Pattern, Program, QueueId, System,
};

/// A question with a fixed name. Indices refer to the model's [`Outline`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// No machine runs into a failure.
    Assert,
    /// No message reaches the front where nobody takes, defers or ignores it.
    Unhandled,
    /// No configuration without any step, unless every machine may rest.
    Deadlock,
    /// From everywhere, every machine that may not rest can still move.
    Stuck,
    /// From everywhere, every queued message can still be received.
    Orphan,
    /// Every queue has a greatest length.
    Bounded,
    /// No machine runs for ever without doing anything that others see.
    Divergence,
    /// No infinite run without progress.
    Livelock,
    /// No infinite run passes a place again and again that the user marked as one to be left behind
    /// (`accept` labels of Promela).
    Accept,
    /// Every hot state is left, where nobody says which: those that there are are formulas ([`Runs::Heat`]).
    Live,
    /// The formula with this number holds on every run.
    Ltl(usize),
    /// Every run is equivalent to rounds of few sends followed by their receives.
    Sync,
    /// Bounded queues allow the same sequences of sends as unbounded ones.
    Sendlang,
    /// The bad situation with this number is never reached.
    Reach(usize),
    /// One queue never holds more than this many messages.
    Length(QueueId, u32),
    /// From everywhere, what has this number among [`Outline::possible`] can still happen.
    Possible(usize),
}

impl Property {
    /// The fixed name, as in reports and on the command line.
    pub fn id(self, outline: &Outline) -> String {
        match self {
            Self::Assert => "assert".to_owned(),
            Self::Unhandled => "unhandled".to_owned(),
            Self::Deadlock => "deadlock".to_owned(),
            Self::Stuck => "stuck".to_owned(),
            Self::Orphan => "orphan".to_owned(),
            Self::Bounded => "bounded".to_owned(),
            Self::Divergence => "divergence".to_owned(),
            Self::Livelock => "livelock".to_owned(),
            Self::Accept => "accept".to_owned(),
            Self::Live => "live".to_owned(),
            Self::Ltl(i) => match outline.ltl[i].runs {
                Runs::Heat(_) => format!("live:{}", outline.ltl[i].name),
                Runs::All | Runs::Sending => format!("ltl:{}", outline.ltl[i].name),
            },
            Self::Sync => "sync".to_owned(),
            Self::Sendlang => "sendlang".to_owned(),
            Self::Reach(i) => format!("reach:{}", outline.bad[i].name),
            Self::Possible(i) => format!("possible:{}", outline.possible[i].name),
            Self::Length(queue, bound) => {
                format!("length:{}<={bound}", outline.queue_text(queue))
            }
        }
    }

    /// The property with this name, for this model.
    pub fn from_id(id: &str, outline: &Outline) -> Option<Self> {
        let length = |(queue, bound): (&str, &str)| {
            Some(Self::Length(outline.queue_from_text(queue)?, bound.parse().ok()?))
        };
        match id.split_once(':') {
            Some(("ltl" | "live", _)) => {
                (0..outline.ltl.len()).map(Self::Ltl).find(|property| property.id(outline) == id)
            }
            Some(("reach", name)) => {
                outline.bad.iter().position(|b| b.name == name).map(Self::Reach)
            }
            Some(("possible", name)) => {
                outline.possible.iter().position(|it| it.name == name).map(Self::Possible)
            }
            Some(("length", rest)) => rest.rsplit_once("<=").and_then(length),
            Some(_) => None,
            None => [
                Self::Assert,
                Self::Unhandled,
                Self::Deadlock,
                Self::Stuck,
                Self::Orphan,
                Self::Bounded,
                Self::Divergence,
                Self::Livelock,
                Self::Accept,
                Self::Live,
                Self::Sync,
                Self::Sendlang,
            ]
            .into_iter()
            .find(|p| p.id(outline) == id),
        }
    }

    /// Whether it is a formula about the sequence of sent messages alone.
    pub fn is_over_sends(self, outline: &Outline) -> bool {
        self.runs(outline) == Some(Runs::Sending)
    }

    /// Whether it asks that a spec does not stay hot.
    pub fn is_live(self, outline: &Outline) -> bool {
        self.heat(outline).is_some()
    }

    /// What says whether the spec is hot, if it asks that one does not stay so.
    pub fn heat(self, outline: &Outline) -> Option<Heat> {
        match self.runs(outline)? {
            Runs::Heat(heat) => Some(heat),
            Runs::All | Runs::Sending => None,
        }
    }

    fn runs(self, outline: &Outline) -> Option<Runs> {
        let Self::Ltl(number) = self else { return None };
        outline.ltl.get(number).map(|ltl| ltl.runs)
    }

    /// Whether the model gives this property nothing to look at.
    pub fn is_void(self, outline: &Outline) -> bool {
        self.nothing_to_check(outline).is_some()
    }

    /// Why no run of the model could violate this property whatever its machines do, in the user's words; none if
    /// some run could.
    pub fn nothing_to_check(self, outline: &Outline) -> Option<&'static str> {
        let language = outline.language;
        match self {
            Self::Assert if !outline.failing.contains(&self) => Some("no machine has a failure"),
            Self::Divergence if !outline.failing.contains(&self) => {
                Some("every step of a machine is one that others see")
            }
            Self::Unhandled if language == "promela" => Some("Promela has no unhandled messages"),
            Self::Livelock if !outline.has_progress => Some(match language {
                "promela" => "no progress label",
                "p" => "no state or event is marked as progress (--progress-at)",
                _ => "no state is marked as progress",
            }),
            Self::Accept if !outline.has_accepting => Some(match language {
                "promela" => "no accept label",
                _ => "no state is marked as accepting",
            }),
            Self::Live => Some("no attached spec has a hot state"),
            _ => None,
        }
    }
}

impl Outline {
    /// Whether a property is about those runs alone that are fair to every machine.
    pub fn is_fair(&self, property: Property) -> bool {
        self.fair || property.is_live(self)
    }

    /// How far a proof of these properties reaches, in words to put behind them: runs end in failures, and a proof that
    /// does not exclude these says nothing of what would come behind. Empty if it reaches to the end of every run.
    pub fn reach(&self, proved: &[Property]) -> String {
        let mut limits = Vec::new();
        if proved.iter().any(|property| property.is_over_sends(self)) {
            limits.push("formulas over sends are about runs with infinitely many sends".to_owned());
        }
        let open = self.failing.iter().filter(|failure| !proved.contains(failure));
        let open: Vec<String> = open.map(|failure| failure.id(self)).collect();
        if !open.is_empty() {
            limits
                .push(format!("on runs up to a failure of {}, if there is one", open.join(" or ")));
        }
        if limits.is_empty() { String::new() } else { format!(" ({})", limits.join("; ")) }
    }
}

/// A bad situation: any one of its cases.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The user's name for it.
    pub name: String,
    /// Where it is stated.
    pub span: Span,
    /// The situation holds when all atoms of one case hold.
    pub cases: Vec<Vec<Atom>>,
}

/// Something that is to remain possible: `possible:NAME`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    /// The user's name for it.
    pub name: String,
    /// What.
    pub what: Happens,
}

/// What is to remain possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happens {
    /// The machine with this name is in this control state (by [`crate::Program::control_name`]).
    Control(String, String),
    /// A message with one of these texts is received.
    Received(Vec<String>),
}

impl Possible {
    /// Whether a machine in a local state is where it is to come to.
    pub fn is_there(&self, program: &dyn Program, machine: MachineId, local: LocalId) -> bool {
        let Happens::Control(name, state) = &self.what else { return false };
        let known = program.outline().machines.get(machine).map(|info| info.name.clone());
        known.or_else(|| program.machine_name(machine, local)).as_ref() == Some(name)
            && program.control_name(machine, local) == *state
    }

    /// Whether it is that this message is received.
    pub fn is_received(&self, program: &dyn Program, message: MessageId) -> bool {
        let Happens::Received(texts) = &self.what else { return false };
        texts.contains(&program.message_text(message))
    }
}

/// One condition of a bad situation.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The machine is in one of these control states (by [`crate::Program::control_name`]).
    Control(MachineId, Vec<String>),
    /// The content of the queue matches.
    Content(QueueId, Pattern),
}

impl Atom {
    /// Whether it holds in a configuration.
    pub fn holds(&self, system: &System, config: &Config) -> bool {
        match self {
            Self::Control(machine, names) => {
                let local = config.locals.get(machine.index());
                let name = local.map(|&local| system.program().control_name(*machine, local));
                name.is_some_and(|name| names.contains(&name))
            }
            Self::Content(queue, pattern) => {
                let word = config.words.get(queue.index());
                word.is_some_and(|&word| system.may_match(word, pattern))
            }
        }
    }
}

impl Bad {
    /// Whether the situation holds in a configuration.
    pub fn holds(&self, system: &System, config: &Config) -> bool {
        self.cases.iter().any(|case| case.iter().all(|atom| atom.holds(system, config)))
    }
}

/// A named demand on infinite runs.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// The user's name for it.
    pub name: String,
    /// Where it is stated.
    pub span: Span,
    /// What it says.
    pub says: Says,
    /// Of which runs.
    pub runs: Runs,
}

/// Which runs a demand is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// All of them, moment by moment; with [`Outline::fair`] those that are fair to machines.
    All,
    /// It was stated of the sequence of sent messages alone ([`Formula::at_marks`]): it is about runs with infinitely
    /// many sends, and about what finitely many refute.
    Sending,
    /// A spec must not stay hot: it is about runs that are fair to machines and to choices.
    Heat(Heat),
}

/// What says whether a spec is in a hot state: one that has to be left in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heat {
    /// It is in a hot state.
    pub hot: ConditionId,
    /// It is in a cold state: what was hot before does not count any more. None if it has none.
    pub cold: Option<ConditionId>,
}

impl Ltl {
    /// The demand that no run has infinitely many sends. Where it holds, formulas over sends have nothing to look at.
    pub fn sends_end() -> Self {
        let sends = LtlFormula::Atom(Letter::SendsSome(None));
        let again = LtlFormula::Globally(Box::new(LtlFormula::Finally(Box::new(sends))));
        let says = Says::Formula(LtlFormula::Not(Box::new(again)));
        Self { name: "sends end".to_owned(), span: Span::default(), says, runs: Runs::All }
    }
}

/// What is said about infinite runs. A run that ends goes on with its last configuration for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Says {
    /// Every run satisfies this.
    Formula(LtlFormula),
    /// No run is accepted by this.
    Never(Buchi<Letter>),
}

/// Linear temporal logic over what happens and where machines are.
pub type LtlFormula = Formula<Letter>;

/// What can be true at a moment of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Letter {
    /// This message is sent now.
    Sends(String),
    /// A message is sent now; with a name, one of that name, whatever else is in it.
    SendsSome(Option<String>),
    /// This message is received now.
    Receives(String),
    /// The machine is in this control state now.
    At(MachineId, String),
    /// The program says that this holds now ([`crate::Program::holds`]).
    Holds(ConditionId),
    /// Some machine is where the user marked progress ([`crate::Program::is_progress`]), or the run has ended: to
    /// end is not to go on without progress.
    Progress,
    /// Some machine is where the user marked acceptance ([`crate::Program::is_accepting`]).
    Accepts,
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sends(message) => write!(f, "send {message}"),
            Self::SendsSome(None) => f.write_str("send"),
            Self::SendsSome(Some(name)) => write!(f, "send {name}"),
            Self::Receives(message) => write!(f, "recv {message}"),
            Self::At(machine, state) => write!(f, "{machine:?}@{state}"),
            Self::Holds(condition) => write!(f, "{condition:?}"),
            Self::Progress => f.write_str("progress"),
            Self::Accepts => f.write_str("accept"),
        }
    }
}
