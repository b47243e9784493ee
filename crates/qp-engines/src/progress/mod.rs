//! Nobody is left behind although queues grow: cofinal cores, and strategies on rows.
//!
//! # Question
//! Can every machine that may not rest always still move (`stuck`), and every message always still be received
//! (`orphan`)? Where both hold, nobody deadlocks, and nobody is at a loss about a message (`deadlock`, `unhandled`).
//!
//! # Fragment
//! Machines that share nothing but queues with one reader each, whose steps send or take one message or do nothing that
//! others see: pairs, mailboxes, queues with capacities, messages that are deferred. Not: rendezvous, queues that lose
//! messages, shared variables, machines that are created or end. A step outside of it is refused with its place. Runs end
//! with a failure; nothing is said about what comes behind one.
//!
//! # Theorem
//! Let a finite graph of real steps begin at the initial configuration. If everything that a run may do and the graph
//! leaves out can be caught up with (it is *won*, a least fixpoint on positions of a game), then every run can be
//! extended by a run of the graph: every reachable configuration, with queues of any length, reaches one of the graph.
//! What can always still happen is then looked up in the graph. It does the work of k-exhaustivity (Lange and Yoshida
//! 2019) without its side conditions, also for mailboxes. `docs/decisions/012-progress.md` has definitions and proofs.
//!
//! Systems without such a graph may have a strategy for each goal: on rows in which a queue is its first messages and what
//! its senders sent since some local state, steps that make the weighed contents of queues and the number of the row
//! smaller until the goal is hit. `docs/decisions/016-ranks.md` has that theorem.
//!
//! # Algorithm
//! 1. Machines are read as automata: what they do in each local state that control flow may come to.
//! 2. For k = 1, 2, 3: the graph of steps that leave no queue longer than k, first reduced (one machine at a time,
//!    round robin), then in full. If a goal cannot be reached in it, or something left out is not won, the next one.
//! 3. A node without a way to a goal may be a victim: if a cover of everything that comes after it has no step that
//!    would help (`never.rs`), the property is violated there.
//! 4. Rows for several numbers of messages that are told apart in front (`views.rs`, `lag.rs`), and energy games on them,
//!    goal by goal (`rank.rs`). Rows alone may exclude deadlocks and bad situations.
//! 5. Graphs for greater k.
//!
//! # Certificate
//! For violations, the run; the referee has a cover of its own of what comes after it. For proofs: the automata, and the
//! graph and the positions that are won with their ranks, or the rows and strategies with weights and numbers. k is no
//! part of it: it says only which steps the graph has.
//!
//! # Limits
//! Systems without a finite set that can be reached from everywhere have no core. In mailboxes, sends of rivals are
//! hardly ever of use for catching up. Rows know neither relations between queues nor the order of different senders'
//! messages. Numbers of nodes, positions and rows are limited, whatever time there is.
//!
//! # What it never does
//! It never says that something is violated but for `stuck` and `orphan`, and it never takes the bound of a graph for a
//! bound of queues.

mod automata;
mod evidence;
mod game;
mod graph;
mod lag;
mod never;
mod rank;
mod ranking;
mod views;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use qp_base::{Budget, Exhausted, Spent};
use qp_claim::{Claim, Proof, Reason, Trace};
use qp_machines::{Event, MachineId, Outcome, Property, Step, System};

use self::automata::{Automata, Deed};
use self::game::Game;
use self::graph::{Goal, Graph, Plan};
use crate::stop::{Stop, outside};
use crate::{Answer, Answers, Engine, Figures, Task, Turn};

/// Queues in a graph are shorter than this.
const BOUND_MAX: usize = 65;
/// Greatest length of queues in a graph whose nodes are looked at as victims.
const VICTIMS_BOUND_MAX: usize = 4;
/// Before graphs with queues of this length, rows are tried.
const RANKS_BOUND: usize = 4;
/// Nodes of a graph.
const NODES_MAX: usize = 60_000;
/// Nodes of all graphs together.
const ALL_NODES_MAX: u64 = 200_000;
/// Positions of all games together.
const POSITIONS_MAX: u64 = 1_000_000;
/// Rows that cover what comes after possible violations, in all.
const ROWS_MAX: usize = 50_000;

/// The engine `progress`.
pub struct Progress;

impl Engine for Progress {
    fn name(&self) -> &'static str {
        "progress"
    }

    fn summary(&self) -> &'static str {
        "a finite part that every run can get back to, or strategies: nobody is left behind although queues grow"
    }

    fn treats(&self, property: Property) -> bool {
        is_treated(property)
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        let mut conduct = Conduct::new(task);
        conduct.start(budget);
        conduct.answers
    }
}

impl Progress {
    /// What rows show without cores, for whoever compares both.
    pub fn by_rows(task: Task, budget: &Budget) -> Answers {
        let mut conduct = Conduct::new(task);
        if let Err(stop) = conduct.look_at_rows(budget) {
            conduct.stop(&stop);
        }
        conduct.give_up(&outside("no strategy was found"));
        conduct.answers
    }
}

fn is_treated(property: Property) -> bool {
    needs(property) != (false, false)
        || matches!(property, Property::Reach(_) | Property::Possible(_))
}

/// Whether a property needs that machines can always move, and that messages can always be taken.
fn needs(property: Property) -> (bool, bool) {
    match property {
        Property::Stuck | Property::Deadlock => (true, false),
        Property::Orphan => (false, true),
        Property::Unhandled => (true, true),
        _ => (false, false),
    }
}

/// All machines that are to move, and all queues from which something is to be taken.
fn goals(automata: &Automata) -> [Vec<Goal>; 2] {
    let (n_machines, n_queues) = (automata.machines.len(), automata.capacities.len());
    [(0..n_machines).map(Goal::Moves).collect(), (0..n_queues).map(Goal::Takes).collect()]
}

struct Conduct {
    system: System,
    open: Vec<Property>,
    answers: Answers,
    nodes_left: u64,
    positions_left: u64,
    rows_left: usize,
    /// From where no way on was found, in the user's words.
    in_the_way: BTreeMap<Property, String>,
}

impl Conduct {
    fn new(task: Task) -> Self {
        let open = task.properties.into_iter().filter(|&it| is_treated(it)).collect();
        Self {
            system: task.model.system(),
            open,
            answers: Answers::default(),
            nodes_left: ALL_NODES_MAX,
            positions_left: POSITIONS_MAX,
            rows_left: ROWS_MAX,
            in_the_way: BTreeMap::new(),
        }
    }

    fn start(&mut self, budget: &Budget) {
        if let Err(stop) = self.look_for_proofs(budget) {
            self.stop(&stop);
        }
    }

    /// Small cores, then rows, then larger cores.
    fn look_for_proofs(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut automata = Automata::new(&mut self.system, budget)?;
        self.narrow(&automata);
        match self.look_for_cores(&mut automata, 1..RANKS_BOUND, budget) {
            Err(Stop::TooMuch) => {}
            small => small?,
        }
        self.look_for_ranks(&mut automata, budget)?;
        self.look_for_cores(&mut automata, RANKS_BOUND..BOUND_MAX, budget)?;
        if self.open.is_empty() { Ok(()) } else { Err(Stop::TooMuch) }
    }

    fn look_at_rows(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut automata = Automata::new(&mut self.system, budget)?;
        self.narrow(&automata);
        self.look_for_ranks(&mut automata, budget)
    }

    fn look_for_cores(
        &mut self,
        automata: &mut Automata,
        bounds: Range<usize>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut full = true;
        for bound in bounds {
            for in_rounds in [true, false] {
                // In a core, that something is taken does not mean that everything is.
                let may_show = |it: &Property| match it {
                    Property::Reach(_) => false,
                    Property::Orphan => !automata.has_skips(),
                    _ => true,
                };
                if !in_rounds && !full || !self.open.iter().any(may_show) {
                    continue;
                }
                let nodes_max = if in_rounds { NODES_MAX } else { NODES_MAX / 3 };
                let plan = Plan { bound, in_rounds, nodes_max };
                full &= self.try_plan(automata, plan, budget)? || in_rounds;
            }
        }
        Ok(())
    }

    /// Gives up what is not shown by what is always still possible.
    fn narrow(&mut self, automata: &Automata) {
        let outline = self.system.program().outline();
        let fails = outline.failing.contains(&Property::Unhandled);
        let because = if automata.has_skips() {
            "messages are deferred, and may be taken from behind others"
        } else {
            "a message that nobody handles is a failure"
        };
        let shows = |property: &Property| match property {
            Property::Unhandled => !automata.has_skips() && !fails,
            _ => true,
        };
        let (kept, left) = self.open.iter().copied().partition(shows);
        self.open = left;
        self.give_up(&outside(because));
        self.open = kept;
    }

    /// Looks for a core in a graph; says whether that was not too large.
    fn try_plan(
        &mut self,
        automata: &mut Automata,
        plan: Plan,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let graph = match Graph::new(automata, plan, budget) {
            Err(Stop::TooMuch) => {
                self.pay(plan.nodes_max, budget)?;
                return Ok(false);
            }
            graph => graph?,
        };
        self.pay(graph.scenes.len(), budget)?;
        let reached =
            |goals: Vec<Goal>| goals.into_iter().all(|goal| graph.reaches(automata, goal));
        let [moves, takes] = goals(automata).map(reached);
        let takes = takes && !automata.has_skips();
        let wanted = 0..automata.wanted.len();
        let happens: Vec<bool> =
            wanted.map(|it| graph.reaches(automata, Goal::Happens(it))).collect();
        let met = |property: &Property| {
            if let &Property::Possible(number) = property {
                return happens[number];
            }
            let (needs_moves, needs_takes) = needs(*property);
            (needs_moves || needs_takes) && (moves || !needs_moves) && (takes || !needs_takes)
        };
        if !plan.in_rounds && plan.bound <= VICTIMS_BOUND_MAX {
            self.look_for_victims(automata, &graph, [moves, takes]);
        }
        if !self.open.iter().any(met) {
            return Ok(true);
        }
        let mut game = Game::new(automata, &graph, budget, self.positions_left);
        let Some(positions) = game.positions()? else {
            self.positions_left = game.left();
            return Ok(true);
        };
        let core = Arc::new(evidence::core(&self.system, automata, &graph, &positions));
        let n_edges = core.edges.len() as u64;
        let figures = Figures { bound: 0, states: graph.scenes.len() as u64, transitions: n_edges };
        for property in self.open.extract_if(.., |it| met(it)) {
            let claim = Claim::Holds(Proof::Core(core.clone()));
            self.answers.claims.push(Answer { property, claim, figures });
        }
        let n_positions = positions.iter().map(|it| it.1.len() as u64).sum();
        let kind = if plan.in_rounds { "core in rounds" } else { "core in full" };
        self.answers.detail.push(("core nodes", graph.scenes.len() as u64));
        self.answers.detail.push(("core positions", n_positions));
        self.answers.detail.push((kind, plan.bound as u64));
        Ok(true)
    }

    /// Looks for configurations from which something that has to be possible never happens again.
    fn look_for_victims(&mut self, automata: &Automata, graph: &Graph, met: [bool; 2]) {
        // A content from which something is taken behind others has more successors than are covered.
        if automata.has_skips() {
            return;
        }
        let mut wanted: Vec<(Property, Vec<Goal>)> =
            [Property::Stuck, Property::Orphan].into_iter().zip(goals(automata)).collect();
        wanted.retain(|(property, _)| !met[usize::from(*property == Property::Orphan)]);
        let possible = (0..automata.wanted.len())
            .map(|number| (Property::Possible(number), vec![Goal::Happens(number)]));
        for (property, goals) in wanted.into_iter().chain(possible) {
            if !self.open.contains(&property) {
                continue;
            }
            let rows_left = &mut self.rows_left;
            let victim = |goal| never::victim(automata, graph, goal, rows_left);
            let Some(node) = goals.into_iter().find_map(victim) else { continue };
            let Some(steps) = self.steps_to(automata, graph, node) else { continue };
            self.open.retain(|&it| it != property);
            let claim = Claim::Violated(Trace::finite(steps));
            self.answers.claims.push(Answer { property, claim, figures: Figures::default() });
        }
    }

    /// A run to a node, as the choices that make it.
    fn steps_to(&mut self, automata: &Automata, graph: &Graph, node: usize) -> Option<Vec<Step>> {
        let (mut steps, mut config) = (Vec::new(), self.system.initial());
        for (machine, number) in graph.way(node) {
            let id = MachineId::new(machine);
            let transition = automata.transition(machine, number);
            let next = *automata.machines[machine].locals.value(transition.to);
            let is_it = |outcome: &Outcome| {
                let does = match (transition.deed, outcome.event) {
                    (Deed::Internal, Event::Internal) => true,
                    (Deed::Send { queue, letter }, Event::Sent { queue: to, message }) => {
                        to.index() == queue && message == automata.letters[letter]
                    }
                    (Deed::Take { queue, letter }, Event::Took { queue: from, message, .. }) => {
                        from.index() == queue && message == automata.letters[letter]
                    }
                    _ => false,
                };
                does && outcome.config.local(id) == next
            };
            let outcomes = self.system.outcomes(&config, id, false);
            let outcome = outcomes.into_iter().find(is_it)?;
            steps.push(outcome.step);
            config = outcome.config;
        }
        Some(steps)
    }

    fn pay(&mut self, nodes: usize, budget: &Budget) -> Result<(), Stop> {
        self.nodes_left = self.nodes_left.checked_sub(nodes as u64).ok_or(Stop::TooMuch)?;
        Ok(budget.check(Spent { states: ALL_NODES_MAX - self.nodes_left, bytes: 0 })?)
    }

    fn give_up(&mut self, reason: &Reason) {
        for property in std::mem::take(&mut self.open) {
            let no_way = self.in_the_way.remove(&property).map(|text| Reason::NoWay { text });
            let claim = Claim::GaveUp(no_way.unwrap_or_else(|| reason.clone()));
            self.answers.claims.push(Answer { property, claim, figures: Figures::default() });
        }
    }

    fn stop(&mut self, stop: &Stop) {
        // A limit of its own: nobody can raise it, and no queue length was searched completely.
        if matches!(stop, Stop::TooMuch | Stop::Exhausted(Exhausted::States)) {
            return self
                .give_up(&outside("no finite part was found that every run can get back to"));
        }
        if let &Stop::Exhausted(exhausted) = stop {
            self.answers.spent = Some(exhausted);
        }
        self.give_up(&stop.reason());
    }
}
