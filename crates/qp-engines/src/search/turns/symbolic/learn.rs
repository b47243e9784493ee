//! Ways that were never gone: found in a set, and asked for.
//!
//! What somebody does depends on few parts. So the set is reduced to those that the machine was ever seen to look at,
//! and goes down the tree, split at every look by what comes of it; what falls off the tree is new. The
//! program is asked in a configuration of the set, and in those that follow as long as new things are learnt there.

use qp_base::{Budget, Spent};
use qp_diagrams::Set;

use super::super::super::symbolic::{Obstacle, obstacle};
use super::super::slots::{LOOKS, N_MACHINES, N_QUEUES, NONE, Slot, Slots};
use super::super::woods::{Fork, Look};
use super::super::{Turns, record};
use super::TurnSet;
use super::rules::add_tests;
use super::sieve::{Holders, RELEASED, Sieve, Test};

/// So many configurations are looked at for what follows, after each that goes a new way.
const CHASED: usize = 2_000;

/// Who goes a new way: a machine, with or without a timeout, where these conditions hold.
struct New {
    machine: usize,
    tests: Vec<(u32, Test)>,
}

/// A value that stands for all of a part but the one that means that nobody is there.
const SOMEBODY: u32 = NONE - 1;

impl TurnSet {
    /// Asks what is not known about turns without a timeout; says whether that was anything. If not, the
    /// configurations in which nobody can do anything are known, too.
    pub(super) fn learn(&mut self, turns: &mut Turns, budget: &Budget) -> Result<bool, Obstacle> {
        let mut fresh = self.diagrams.hold(self.set);
        self.subtract(&mut fresh, self.looked)?;
        let learnt = self.learn_in(turns, budget, fresh, false)?;
        if !learnt {
            let still = self.still_in(turns, fresh)?;
            let mut all = self.diagrams.hold(self.still);
            self.join(&mut all, still)?;
            self.replace(2, all);
            self.diagrams.release(all);
            self.replace(1, self.set);
        }
        self.diagrams.release(fresh);
        Ok(learnt)
    }

    /// Asks what is not known about turns with a timeout; says whether that was anything.
    pub(super) fn learn_timeouts(
        &mut self,
        turns: &mut Turns,
        budget: &Budget,
    ) -> Result<bool, Obstacle> {
        let mut fresh = self.diagrams.hold(self.still);
        self.subtract(&mut fresh, self.looked_still)?;
        let learnt = self.learn_in(turns, budget, fresh, true)?;
        if !learnt {
            self.replace(3, self.still);
        }
        self.diagrams.release(fresh);
        Ok(learnt)
    }

    /// The configurations of a held set in which nobody can do anything without a timeout.
    fn still_in(&mut self, turns: &Turns, within: Set) -> Result<Set, Obstacle> {
        let conditions = self.conditions(turns, |way| !way.timeout && way.any());
        let known = (&turns.slots, &turns.woods);
        let mut sieve = self.sieve().only(Holders::Real);
        let mut others = Vec::new();
        for product in conditions {
            match self.relations.single(known, &product) {
                Some((part, able)) => {
                    let unable = able.into_iter().map(|able| !able).collect();
                    sieve.and(self.levels.level(part), unable);
                }
                None => others.push(product),
            }
        }
        let still = self.restricted(within, &sieve)?;
        let mut still = self.diagrams.hold(still);
        for product in others {
            if still.is_empty() {
                break;
            }
            let mut sieve = self.sieve();
            self.narrow(turns, &product, &mut sieve);
            let able = self.restricted(still, &sieve)?;
            self.subtract(&mut still, able)?;
        }
        self.diagrams.release(still);
        Ok(still)
    }

    /// Asks for everything that is new in a held set; says whether that was anything.
    fn learn_in(
        &mut self,
        turns: &mut Turns,
        budget: &Budget,
        within: Set,
        timeout: bool,
    ) -> Result<bool, Obstacle> {
        if within.is_empty() {
            return Ok(false);
        }
        let mut learnt = false;
        for machine in 0..turns.slots.n_machines_queues().0 {
            // Whoever was created while others were asked needs a level first.
            if turns.slots.n_parts() > self.levels.len() {
                break;
            }
            let bytes = self.diagrams.bytes() + turns.bytes();
            let spent = Spent { states: self.diagrams.n_nodes() as u64, bytes };
            budget.check(spent).map_err(Obstacle::Exhausted)?;
            for new in self.new_ways(turns, within, (machine, timeout))? {
                learnt = true;
                self.ask(turns, within, timeout, &new)?;
            }
        }
        Ok(learnt)
    }

    /// Asks the program in a configuration in which a way is new.
    fn ask(
        &mut self,
        turns: &mut Turns,
        within: Set,
        timeout: bool,
        new: &New,
    ) -> Result<(), Obstacle> {
        let mut sieve = self.for_whom(turns, new.machine, timeout);
        for (part, test) in &new.tests {
            self.demand(turns, *part as usize, test, &mut sieve);
        }
        let there = self.restricted(within, &sieve)?;
        let tuple = self.diagrams.first(there).expect("somebody goes a new way there");
        let mut values = self.levels.by_part(&tuple);
        values[Slots::holder()] &= !RELEASED;
        let looks = turns.looks(&values);
        if !turns.woods.knows(&turns.slots, (new.machine, timeout), &looks) {
            turns.ask(&looks, (new.machine, timeout));
        }
        let asked = turns.chase(values, self.bound, CHASED);
        self.spend(super::WORK_PER_TURN * asked as u64);
        Ok(())
    }

    fn for_whom(&self, turns: &Turns, machine: usize, timeout: bool) -> Sieve {
        if timeout { self.sieve() } else { self.sieve_for(turns, machine) }
    }

    fn demand(&self, turns: &Turns, part: usize, test: &Test, sieve: &mut Sieve) {
        let known = (&turns.slots, &turns.woods);
        let holds = |value| test.holds(known.0, known.1, part, value);
        let table = (0..turns.slots.n_values(part) as u32).map(holds).collect();
        sieve.and(self.levels.level(part as u32), table);
    }

    /// The new ways that a machine goes in a held set.
    fn new_ways(
        &mut self,
        turns: &Turns,
        within: Set,
        (machine, timeout): (usize, bool),
    ) -> Result<Vec<New>, Obstacle> {
        let sieve = self.for_whom(turns, machine, timeout);
        let there = self.restricted(within, &sieve)?;
        let view = self.view(turns, there, (machine, timeout))?;
        let view = self.diagrams.hold(view);
        let own = turns.slots.machine(machine);
        let mut found = Vec::new();
        for value in self.values(view, own) {
            if value == turns.slots.absent(own) {
                continue;
            }
            let tests = vec![(own as u32, Test::Is(value))];
            match turns.woods.root(machine, timeout, value) {
                Fork::Known => {}
                Fork::Unknown => found.push(New { machine, tests }),
                fork @ Fork::Looks { .. } => {
                    let part = self.part_with(turns, view, own, &|it| it == value)?;
                    self.descend(turns, part, (machine, fork), &tests, &mut found)?;
                }
            }
        }
        self.diagrams.release(view);
        Ok(found)
    }

    /// What a machine can see of a set: parts that it was never seen to look at are always the same.
    fn view(
        &mut self,
        turns: &Turns,
        set: Set,
        (machine, timeout): (usize, bool),
    ) -> Result<Set, Obstacle> {
        let slots = &turns.slots;
        let looks = turns.woods.looks_of(machine, timeout);
        let (mut is_seen, mut counts) = (vec![false; self.levels.len()], [false; LOOKS]);
        is_seen[self.levels.level(slots.machine(machine) as u32)] = true;
        for look in looks {
            match look.at as usize {
                at @ (N_MACHINES | N_QUEUES) => counts[at] = true,
                at => is_seen[self.levels.level((at - LOOKS) as u32)] = true,
            }
        }
        let is_counted = |part: usize| match slots.slot(part) {
            Slot::Machine(_) => counts[N_MACHINES],
            Slot::Queue(_) => counts[N_QUEUES],
            Slot::Holder | Slot::Cell(_) => false,
        };
        let parts: Vec<usize> = (0..self.levels.len()).map(|it| self.levels.part(it)).collect();
        let label = |level: usize, value: u32| {
            let part = parts[level];
            let is_nobody = is_counted(part) && value == slots.absent(part);
            if is_seen[level] || is_nobody { value } else { SOMEBODY }
        };
        self.diagrams.relabel(set, label).map_err(|abort| obstacle(abort, None))
    }

    /// The values that a part has in a set.
    fn values(&self, set: Set, part: usize) -> Vec<u32> {
        let level = self.levels.level(part as u32);
        self.diagrams.values(set).into_iter().nth(level).unwrap_or_default()
    }

    fn part_with(
        &mut self,
        turns: &Turns,
        set: Set,
        part: usize,
        wanted: &dyn Fn(u32) -> bool,
    ) -> Result<Set, Obstacle> {
        debug_assert!(part < turns.slots.n_parts());
        let at = self.levels.level(part as u32);
        let keep = |level: usize, value: u32| level != at || wanted(value);
        self.diagrams.restrict(set, keep).map_err(|abort| obstacle(abort, None))
    }

    /// Goes down a tree with a set.
    fn descend(
        &mut self,
        turns: &Turns,
        set: Set,
        (machine, fork): (usize, Fork),
        tests: &[(u32, Test)],
        found: &mut Vec<New>,
    ) -> Result<(), Obstacle> {
        let Fork::Looks { look, node } = fork else { return Ok(()) };
        let set = self.diagrams.hold(set);
        for (value, wanted) in self.outcomes(turns, set, look)? {
            let mut tests = tests.to_vec();
            let next = match value {
                Some(value) => {
                    add_tests(&turns.slots, look, value, &mut tests);
                    turns.woods.follow(node, value)
                }
                None => Fork::Unknown,
            };
            match (next, wanted) {
                (Fork::Known, _) => {}
                (Fork::Unknown, wanted) => {
                    if let (None, Wanted::Values(part, values)) = (value, wanted) {
                        // Nobody has asked that question about this value.
                        tests.retain(|(tested, _)| *tested != part as u32);
                        tests.push((part as u32, Test::Is(values[0])));
                    }
                    found.push(New { machine, tests });
                }
                (fork @ Fork::Looks { .. }, wanted) => {
                    let part = self.pick(turns, set, &wanted)?;
                    self.descend(turns, part, (machine, fork), &tests, found)?;
                }
            }
        }
        self.diagrams.release(set);
        Ok(())
    }

    /// What a look comes to in a held set, each with where it does. No outcome for values about which a question was
    /// never asked.
    fn outcomes(
        &mut self,
        turns: &Turns,
        set: Set,
        look: Look,
    ) -> Result<Vec<(Option<u32>, Wanted)>, Obstacle> {
        let (slots, woods) = (&turns.slots, &turns.woods);
        let at = look.at as usize;
        if at < LOOKS {
            let (n_machines, n_queues) = slots.n_machines_queues();
            let most = if at == N_MACHINES { n_machines } else { n_queues };
            let mut outcomes = Vec::new();
            for n in 0..=most as u32 {
                let wanted = Wanted::Number(at, n);
                if !self.pick(turns, set, &wanted)?.is_empty() {
                    outcomes.push((Some(n), wanted));
                }
            }
            return Ok(outcomes);
        }
        let part = at - LOOKS;
        let values = self.values(set, part);
        if look.question == NONE {
            let alone = |value| (Some(value), Wanted::Values(part, vec![value]));
            return Ok(values.into_iter().map(alone).collect());
        }
        let mut outcomes: Vec<(Option<u32>, Wanted)> = Vec::new();
        for value in values {
            let answer = woods.answer_to(look.question, value);
            let same = outcomes.iter_mut().find(|(known, _)| answer.is_some() && *known == answer);
            match same {
                Some((_, Wanted::Values(_, values))) => values.push(value),
                _ => outcomes.push((answer, Wanted::Values(part, vec![value]))),
            }
        }
        Ok(outcomes)
    }

    /// Where a look comes to something.
    fn pick(&mut self, turns: &Turns, set: Set, wanted: &Wanted) -> Result<Set, Obstacle> {
        match wanted {
            Wanted::Values(part, values) => {
                self.part_with(turns, set, *part, &|value| values.contains(&value))
            }
            Wanted::Number(at, n) => {
                let slots = &turns.slots;
                let look = Look { at: *at as u32, question: NONE };
                let mut tests = Vec::new();
                add_tests(slots, look, *n, &mut tests);
                let mut by_level: Vec<Option<(usize, Test)>> = vec![None; self.levels.len()];
                for (part, test) in tests {
                    by_level[self.levels.level(part)] = Some((part as usize, test));
                }
                let keep = |level: usize, value: u32| match &by_level[level] {
                    Some((part, test)) => test.holds(slots, &turns.woods, *part, value),
                    None => true,
                };
                self.diagrams.restrict(set, keep).map_err(|abort| obstacle(abort, None))
            }
        }
    }
}

/// Where a look comes to something.
enum Wanted {
    /// A part has one of these values.
    Values(usize, Vec<u32>),
    /// There are so many machines, or queues.
    Number(usize, u32),
}

impl Turns {
    /// Asks the program what a machine can do.
    fn ask(&mut self, looks: &[u32], who: (usize, bool)) {
        let learnt = (&mut self.woods, self.firsts.as_mut());
        record::ask(&mut self.system, &mut self.slots, learnt, looks, who);
    }

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
