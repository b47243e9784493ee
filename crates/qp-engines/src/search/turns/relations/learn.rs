//! Ways that were never gone: found in a set, and asked for.
//!
//! What somebody does depends on few parts. So the set is reduced to those that the machine was ever seen to look at,
//! and goes down the tree, split at every look by what comes of it; what falls off the tree is new. The
//! program is asked in a configuration of the set, and in those that follow as long as new things are learnt there.

use qp_base::{Budget, Spent};
use qp_diagrams::Set;

use super::super::super::symbolic::Obstacle;
use super::super::super::symbolic::filter::{Filter, TWIN};
use super::super::super::symbolic::store::Store;
use super::super::slots::{LOOKS, N_MACHINES, N_QUEUES, NONE, Slot, Slots};
use super::super::woods::{Fork, Look};
use super::super::{Turns, record};
use super::condition::Test;
use super::rules::add_tests;
use super::{Trees, WORK_PER_TURN, for_whom};

/// So many configurations are looked at for what follows, after each that goes a new way.
const CHASED: usize = 2_000;

/// What holds of parts.
type Tests = Vec<(u32, Test)>;

impl Trees {
    /// Asks what is not known about turns without a timeout; says whether that was anything. If not, the
    /// configurations in which nobody can do anything are known, too.
    pub(super) fn learn(
        &mut self,
        store: &mut Store,
        turns: &mut Turns,
        budget: &Budget,
    ) -> Result<bool, Obstacle> {
        let mut fresh = store.hold(store.set);
        store.subtract(&mut fresh, self.looked)?;
        let learnt = Learner { store, turns, within: fresh, timeout: false }.learn(budget)?;
        if !learnt {
            let able = self.conditions(store, turns, |way| !way.timeout && way.any());
            let real = store.real(fresh)?;
            let still = store.outside(real, able)?;
            store.join(&mut self.still, still)?;
            store.replace(&mut self.looked, store.set);
        }
        store.release(fresh);
        Ok(learnt)
    }

    /// Asks what is not known about turns with a timeout; says whether that was anything.
    pub(super) fn learn_timeouts(
        &mut self,
        store: &mut Store,
        turns: &mut Turns,
        budget: &Budget,
    ) -> Result<bool, Obstacle> {
        let mut fresh = store.hold(self.still);
        store.subtract(&mut fresh, self.looked_still)?;
        let learnt = Learner { store, turns, within: fresh, timeout: true }.learn(budget)?;
        if !learnt {
            store.replace(&mut self.looked_still, self.still);
        }
        store.release(fresh);
        Ok(learnt)
    }
}

/// Somebody who looks for what is new in a held set.
struct Learner<'a> {
    store: &'a mut Store,
    turns: &'a mut Turns,
    within: Set,
    timeout: bool,
}

impl Learner<'_> {
    /// Asks for everything that is new; says whether that was anything.
    fn learn(&mut self, budget: &Budget) -> Result<bool, Obstacle> {
        let mut learnt = false;
        if self.within.is_empty() {
            return Ok(false);
        }
        for machine in 0..self.turns.slots.n_machines_queues().0 {
            // Whoever was created while others were asked needs a level first.
            if self.turns.slots.n_parts() > self.store.levels.len() {
                break;
            }
            let bytes = self.store.diagrams.bytes() + self.turns.bytes();
            let spent = Spent { states: self.store.diagrams.n_nodes() as u64, bytes };
            budget.check(spent).map_err(Obstacle::Exhausted)?;
            for tests in self.new_ways(machine)? {
                learnt = true;
                self.ask(machine, &tests)?;
            }
        }
        Ok(learnt)
    }

    /// Asks the program in a configuration in which a way is new.
    fn ask(&mut self, machine: usize, tests: &Tests) -> Result<(), Obstacle> {
        let who = (machine, self.timeout);
        let filter = self.demand(for_whom(self.store, self.turns, who), tests);
        let there = self.store.restricted(self.within, &filter)?;
        let mut values = self.store.first(there).expect("somebody goes a new way there");
        values[Slots::holder()] &= !TWIN;
        let (looks, turns) = (self.turns.looks(&values), &mut *self.turns);
        if !turns.woods.knows(&turns.slots, who, &looks) {
            let learnt = (&mut turns.woods, turns.firsts.as_mut());
            record::ask(&mut turns.system, &mut turns.slots, learnt, &looks, who);
        }
        let asked = turns.chase(values, self.store.bound, CHASED);
        self.store.spend(WORK_PER_TURN * asked as u64);
        Ok(())
    }

    /// Only where these conditions hold.
    fn demand(&self, mut filter: Filter, tests: &Tests) -> Filter {
        for (part, test) in tests {
            filter.and(self.store.levels.level(*part), test.table(self.turns, *part as usize));
        }
        filter
    }

    fn pick(&mut self, set: Set, tests: &Tests) -> Result<Set, Obstacle> {
        let filter = self.demand(self.store.filter(), tests);
        self.store.restricted(set, &filter)
    }

    /// Where a machine goes new ways.
    fn new_ways(&mut self, machine: usize) -> Result<Vec<Tests>, Obstacle> {
        let filter = for_whom(self.store, self.turns, (machine, self.timeout));
        let there = self.store.restricted(self.within, &filter)?;
        let view = self.view(there, machine)?;
        self.store.hold(view);
        let (own, mut found) = (self.turns.slots.machine(machine), Vec::new());
        for value in std::mem::take(&mut self.store.values(view)[own]) {
            if value == self.turns.slots.absent(own) {
                continue;
            }
            let tests = vec![(own as u32, Test::Is(value))];
            match self.turns.woods.root(machine, self.timeout, value) {
                Fork::Known => {}
                Fork::Unknown => found.push(tests),
                Fork::Looks { look, node } => {
                    let some = self.pick(view, &tests)?;
                    self.descend(some, (look, node), &tests, &mut found)?;
                }
            }
        }
        self.store.release(view);
        Ok(found)
    }

    /// What a machine can see of a set: parts that it was never seen to look at are always the same.
    fn view(&mut self, set: Set, machine: usize) -> Result<Set, Obstacle> {
        let Turns { slots, woods, .. } = &*self.turns;
        let Store { diagrams, levels, .. } = &mut *self.store;
        let (mut is_seen, mut counts) = (vec![false; levels.len()], [false; LOOKS]);
        is_seen[slots.machine(machine)] = true;
        for look in woods.looks_of(machine, self.timeout) {
            match look.at as usize {
                at @ (N_MACHINES | N_QUEUES) => counts[at] = true,
                at => is_seen[at - LOOKS] = true,
            }
        }
        let is_counted = |part: usize| match slots.slot(part) {
            Slot::Machine(_) => counts[N_MACHINES],
            Slot::Queue(_) => counts[N_QUEUES],
            Slot::Holder | Slot::Cell(_) => false,
        };
        let label = |level: usize, value: u32| {
            let (part, absent) = (levels.part(level), slots.absent(levels.part(level)));
            let is_nobody = is_counted(part) && value == absent;
            // Somebody is one of the first two values.
            if is_seen[part] || is_nobody { value } else { u32::from(absent == 0) }
        };
        Ok(diagrams.relabel(set, label)?)
    }

    /// Goes down a tree with a set.
    fn descend(
        &mut self,
        set: Set,
        (look, node): (Look, u32),
        tests: &Tests,
        found: &mut Vec<Tests>,
    ) -> Result<(), Obstacle> {
        self.store.hold(set);
        for (value, wanted) in self.outcomes(set, look)? {
            let mut tests = tests.clone();
            let next = if let Some(value) = value {
                add_tests(&self.turns.slots, look, value, &mut tests);
                self.turns.woods.follow(node, value)
            } else {
                // Nobody has asked that question about this value.
                tests.retain(|(tested, _)| *tested != wanted[0].0);
                tests.extend(wanted.iter().cloned());
                Fork::Unknown
            };
            match next {
                Fork::Known => {}
                Fork::Unknown => found.push(tests),
                Fork::Looks { look, node } => {
                    let some = self.pick(set, &wanted)?;
                    self.descend(some, (look, node), &tests, found)?;
                }
            }
        }
        self.store.release(set);
        Ok(())
    }

    /// What a look comes to in a held set, each with where it does. No outcome for values about which a question was
    /// never asked.
    fn outcomes(&mut self, set: Set, look: Look) -> Result<Vec<(Option<u32>, Tests)>, Obstacle> {
        let mut outcomes: Vec<(Option<u32>, Tests)> = Vec::new();
        let at = look.at as usize;
        if at < LOOKS {
            let (n_machines, n_queues) = self.turns.slots.n_machines_queues();
            let most = if at == N_MACHINES { n_machines } else { n_queues };
            for n in 0..=most as u32 {
                let mut wanted = Vec::new();
                add_tests(&self.turns.slots, look, n, &mut wanted);
                if !self.pick(set, &wanted)?.is_empty() {
                    outcomes.push((Some(n), wanted));
                }
            }
            return Ok(outcomes);
        }
        let part = at - LOOKS;
        for value in std::mem::take(&mut self.store.values(set)[part]) {
            let outcome = match look.question {
                NONE => Some(value),
                question => self.turns.woods.answer_to(question, value),
            };
            let same =
                outcomes.iter_mut().find(|(known, _)| outcome.is_some() && *known == outcome);
            match same.map(|(_, tests)| &mut tests[..]) {
                Some([(_, Test::In(values))]) => values.push(value),
                _ => outcomes.push((outcome, vec![(part as u32, Test::In(vec![value]))])),
            }
        }
        Ok(outcomes)
    }
}

impl Turns {
    /// Asks everything that has to be known to expand a configuration, and those that follow it as long as anything is
    /// new there; says how many were looked at.
    fn chase(&mut self, values: Vec<u32>, bound: u32, most: usize) -> usize {
        let (mut open, mut n_looked) = (vec![values], 0);
        let mut is_first = true;
        while let Some(values) = open.pop() {
            n_looked += 1;
            if n_looked > most {
                break;
            }
            let is_new = !self.woods.missing(&self.slots, &self.looks(&values)).is_empty();
            self.learn(&values);
            if is_new || is_first {
                let looks = self.looks(&values);
                open.extend(self.woods.successors(&self.slots, &looks, bound));
            }
            is_first = false;
        }
        n_looked
    }
}
