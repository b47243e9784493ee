//! The engines: each makes claims about systems of communicating machines.
//!
//! An engine never gives a verdict: `qp-check` does, from the evidence. Engines do not know each other;
//! what two of them share lives in a crate below.
//!
//! Absent on purpose: source texts and names (an engine that needs them is doing a report's job), clocks
//! other than the [`Budget`], and printing.

mod converge;
mod cycles;
mod exchange;
mod explore;
mod facts;
mod flow;
mod graph;
mod lists;
mod progress;
mod regular;
mod roam;
mod runs;
mod search;
mod sendlang;
mod settled;
mod sorts;
mod stop;
mod trail;

use qp_base::{Budget, Exhausted, Span};
use qp_claim::Claim;
use qp_machines::{MachineId, Model, Property, QueueId, Qutl, Site, Step, Widest};

pub use converge::{Breach, Converge, Reachable, breaches};
pub use exchange::Exchange;
pub use explore::Explore;
pub use facts::Facts;
pub use flow::Flow;
pub use progress::Progress;
pub use regular::{
    ContentLimits, ContentRow, Contents, CycleStep, Ending, Regular, contents, ending,
};
pub use roam::{Roam, Strategy, Walks};
pub use search::bounded::Schedule;
pub use search::evidence::Writer;
pub use search::sets::ConfigSet;
pub use search::stepper::{Piece, Stepper, Steps, TooWide};
pub use search::symbolic::Obstacle;
pub use sendlang::Sendlang;
pub use sorts::Sorts;

/// All engines, in the order in which reports list them. The only registry.
pub const ENGINES: &[&dyn Engine] =
    &[&Explore, &Flow, &Converge, &Regular, &Progress, &Exchange, &Sendlang, &Sorts, &Roam];

/// One method.
pub trait Engine: Sync {
    /// Its name on the command line and in reports.
    fn name(&self) -> &'static str;
    /// What it does, in one line of plain words.
    fn summary(&self) -> &'static str;
    /// Whether it can answer this question at all.
    fn treats(&self, _property: Property) -> bool {
        true
    }
    /// Whether it says how long queues get although nothing else is asked.
    fn measures(&self) -> bool {
        false
    }
    /// When it is worth its time, beside others.
    fn turn(&self) -> Turn {
        Turn::First
    }
    /// Whether a model is made for it: then it is asked before others take a long look.
    fn suits(&self, _model: &Model) -> bool {
        false
    }
    /// Works on the task until it is done or the budget is spent.
    fn run(&self, task: Task, budget: &Budget) -> Answers;
    /// The same with what is known from those who ran before: nothing of it is worked out again.
    fn run_with(&self, task: Task, _facts: &Facts, budget: &Budget) -> Answers {
        self.run(task, budget)
    }
}

/// When an engine is worth its time, beside others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Turn {
    /// At once: it is quick where things are small.
    First,
    /// Where a short look of the first ones leaves something open.
    Second,
    /// Beside the first ones, where they do not get through.
    Last,
}

/// What an engine is asked.
pub struct Task {
    /// A model of its own.
    pub model: Model,
    /// The questions.
    pub properties: Vec<Property>,
    /// What somebody says about queues: used where it was shown to be true, or with that caveat.
    pub invariants: Vec<Stated>,
    /// How far to go.
    pub limits: TaskLimits,
}

impl Task {
    /// Whether the exact search begins with queues of one message, as those do who go on with it.
    fn begins_with_the_shortest(&self) -> bool {
        self.limits.schedule().within(&self.model).first == 1
    }
}

/// Limits of one task, with units. All are chosen by the façade.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskLimits {
    /// The first bound on queue lengths to explore, at least one.
    pub bound_first: u32,
    /// The last one.
    pub bound_max: u32,
    /// How far to go beyond that where it is cheap.
    pub bound_far: u32,
    /// Threads for one search.
    pub jobs: usize,
    /// Go on after everything asked is answered, for complete counts.
    pub exhaustive: bool,
    /// Whether to say how long queues get.
    pub queues: bool,
    /// Sets with fewer configurations than this are cheap: searched on although everything that was
    /// asked is answered, for what can be learnt on the side.
    pub small_max: usize,
    /// Sets with more configurations than this are not handed over as evidence.
    pub evidence_max: usize,
    /// Random runs.
    pub walks: Walks,
    /// How contents of queues are blurred, for the engines that do so.
    pub lists: Lists,
    /// How sets of configurations are kept.
    pub sets: Sets,
    /// The order of levels of decision diagrams.
    pub order: Order,
    /// Whether the search may leave out orders of steps that do not matter. Only where nothing is asked but what
    /// survives that ([`Property::survives_reduction`]); counts are not exact then.
    pub reduce: bool,
}

/// A search of short queues on one thread, one by one, and nothing on the side: what tests build upon.
impl Default for TaskLimits {
    fn default() -> Self {
        Self {
            bound_first: 1,
            bound_max: 4,
            bound_far: 0,
            jobs: 1,
            exhaustive: false,
            queues: false,
            small_max: 10_000,
            evidence_max: 10_000,
            walks: Walks::NONE,
            lists: Lists::default(),
            sets: Sets::Explicit,
            order: Order::default(),
            reduce: false,
        }
    }
}

impl TaskLimits {
    /// Which bounds are searched.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            first: self.bound_first,
            last: self.bound_max,
            small_max: self.small_max as u64,
            exhaustive: self.exhaustive,
            far: self.bound_far,
        }
    }

    /// How many configurations may be visited for figures alone.
    fn figures_max(&self) -> usize {
        if self.lists.figures { usize::MAX } else { self.small_max * 4 }
    }
}

/// How sets of configurations are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sets {
    /// One by one while there are few, as decision diagrams when there are many and diagrams are less work.
    Auto {
        /// From how many configurations on diagrams are tried.
        from: usize,
        /// From how many configurations on a search that leaves orders of steps out runs beside, where nothing is open
        /// but what survives that.
        fewer_from: usize,
    },
    /// One by one.
    #[default]
    Explicit,
    /// As decision diagrams, where the model allows it.
    Symbolic,
    /// The same with tables that forget nearly everything, for tests.
    Forgetful,
}

impl Sets {
    /// The same without leaving orders of steps out.
    #[must_use]
    pub fn with_all_orders(self) -> Self {
        match self {
            Self::Auto { from, .. } => Self::Auto { from, fewer_from: usize::MAX },
            sets => sets,
        }
    }
}

/// The order of levels of decision diagrams: machines with their queues, from below.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Whichever of the others turns out to be the best.
    #[default]
    Auto,
    /// Whoever talks far more than others is above those it talks to.
    Hub,
    /// Those who talk to each other are close.
    Close,
    /// The same upside down.
    Reverse,
    /// The order of the model.
    Model,
}

/// How contents of queues are blurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lists {
    /// How many messages at the front are told apart; `None` for as many as it takes.
    pub prefix: Option<u32>,
    /// Up to how many messages of one kind are counted behind them; `None` for as many as it takes.
    pub counted: Option<u32>,
    /// Whether to look for invariants.
    pub suggest: bool,
    /// Whether to find out at which bound everything was seen that looks different: the figures of the
    /// paper's table.
    pub figures: bool,
}

impl Default for Lists {
    fn default() -> Self {
        Self { prefix: None, counted: None, suggest: true, figures: false }
    }
}

/// An invariant that somebody states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// The machine or queue that it is about, by the user's name.
    pub about: String,
    /// What it says about each of its queues.
    pub formula: Qutl,
}

/// What became of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantAnswer {
    /// The machine or queue that it is about, by the user's name.
    pub about: String,
    /// What it says.
    pub formula: Qutl,
    /// Whether somebody stated it; otherwise it was found.
    pub stated: bool,
    /// How it stands.
    pub standing: Standing,
}

/// How an invariant stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// Proved, together with the set that uses it.
    Proved,
    /// True wherever the search has been, and not proved.
    Open,
    /// False in a configuration that can be reached.
    False,
    /// About a machine or queue that nobody has met.
    Unmatched,
}

/// What an engine has to say.
#[derive(Debug, Default)]
pub struct Answers {
    /// One claim per question.
    pub claims: Vec<Answer>,
    /// One claim per queue that was met, in order.
    pub queues: Vec<QueueAnswer>,
    /// Figures by name, for the papers' tables.
    pub detail: Vec<(&'static str, u64)>,
    /// What was explored completely, bound by bound.
    pub bounds: Vec<Figures>,
    /// The figures of those of these bounds that have more than fits into an ordinary number.
    pub exact: Vec<Exact>,
    /// For each of these bounds: how many configurations look different, if that was counted.
    pub blurred: Vec<u64>,
    /// What became of invariants, stated and found.
    pub invariants: Vec<InvariantAnswer>,
    /// What the engine noticed on the way, in the user's words.
    pub remarks: Vec<Remark>,
    /// The places of the text to which no run comes, if everything that can happen was seen.
    pub unreached: Option<Vec<Site>>,
    /// The places of the text to which it has not come so far, if it keeps track.
    pub unseen: Option<Vec<Site>>,
    /// What a search that did not end has met many of.
    pub spread: Option<Spread>,
    /// The widest choice that was met.
    pub choice: Option<Choice>,
    /// Whether it turned out that no run is infinite. Nobody looks unless `livelock` is asked.
    pub every_run_ends: bool,
    /// The limit that was met, if one was.
    pub spent: Option<Exhausted>,
}

/// What a search that did not end has met many of: the likely reasons why it does not end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    /// Configurations that were visited.
    pub visited: u64,
    /// Those of them that were not looked into yet.
    pub waiting: u64,
    /// The machine that was in most local states, what it is called if it was created, and how many.
    pub machine: Option<(MachineId, Option<String>, usize)>,
    /// The queue that had most contents, and how many.
    pub queue: Option<(QueueId, usize)>,
    /// The variable that had most values.
    pub variable: Option<Widest>,
}

/// A step that has many outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// How many.
    pub n_outcomes: usize,
    /// Where it is written.
    pub span: Span,
}

/// Something worth knowing about the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// What.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// A claim with how far the search had got.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub property: Property,
    /// The claim.
    pub claim: Claim,
    /// How far.
    pub figures: Figures,
}

/// What an engine claims about the length of one queue.
#[derive(Clone, Debug)]
pub struct QueueAnswer {
    /// The queue.
    pub queue: QueueId,
    /// The greatest length seen.
    pub longest: u32,
    /// The bound, if the claim is that there is one.
    pub bound: u32,
    /// A run to a configuration in which the queue exists, for its name.
    pub met: Vec<Step>,
    /// `Holds`: never longer than `bound`. `Violated`: a pump.
    pub claim: Claim,
}

/// Exact figures, in decimal digits, of a bound whose [`Figures`] would be too great.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The bound on queue lengths.
    pub bound: u32,
    /// Configurations.
    pub states: String,
    /// Steps between them.
    pub transitions: String,
}

/// How far a search got.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// The bound on queue lengths.
    pub bound: u32,
    /// Configurations; the greatest number if there are more.
    pub states: u64,
    /// Steps between them; the greatest number if there are more.
    pub transitions: u64,
}
