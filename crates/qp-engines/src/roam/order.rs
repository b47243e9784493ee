//! Which machine is asked first for a step: the three ways to draw a schedule.

use qp_machines::MachineId;

use super::Strategy;
use super::chance::Chance;

/// The order in which the machines of one run are asked.
pub(super) struct Order {
    machines: Vec<MachineId>,
    rule: Rule,
    n_moved: usize,
}

enum Rule {
    /// Any machine, every time.
    Uniform,
    /// The same order, until it changes at these steps.
    Ranking { changes: Vec<usize> },
    /// By a priority for the next step of each machine.
    Priorities(Vec<u64>),
}

impl Order {
    /// For a run that is expected to have `length` steps, and a ranking that changes so often.
    pub(super) fn new(
        strategy: Strategy,
        length: usize,
        n_changes: usize,
        chance: &mut Chance,
    ) -> Self {
        let rule = match strategy {
            Strategy::Uniform => Rule::Uniform,
            Strategy::Pct => Rule::Ranking {
                changes: (0..n_changes).map(|_| chance.below(length.max(1))).collect(),
            },
            Strategy::Pos => Rule::Priorities(Vec::new()),
        };
        Self { machines: Vec::new(), rule, n_moved: 0 }
    }

    /// Takes in machines that were created, and takes out those that are gone.
    pub(super) fn adapt(&mut self, n_machines: usize, chance: &mut Chance) {
        if n_machines < self.machines.len() {
            self.machines.retain(|machine| machine.index() < n_machines);
        }
        for number in self.machines.len()..n_machines {
            let place = chance.below(number + 1);
            self.machines.insert(place, MachineId::new(number));
        }
        if let Rule::Priorities(priorities) = &mut self.rule {
            priorities.truncate(n_machines);
            priorities.resize_with(n_machines, || chance.draw());
            self.machines.sort_by_key(|machine| std::cmp::Reverse(priorities[machine.index()]));
        }
    }

    /// The machine to ask after `place` others.
    pub(super) fn machine(&mut self, place: usize, chance: &mut Chance) -> MachineId {
        if matches!(self.rule, Rule::Uniform) {
            let other = place + chance.below(self.machines.len() - place);
            self.machines.swap(place, other);
        }
        self.machines[place]
    }

    /// A machine has moved. `races` says whether its step races with the next one of another machine.
    pub(super) fn moved(
        &mut self,
        machine: MachineId,
        mut races: impl FnMut(MachineId) -> bool,
        chance: &mut Chance,
    ) {
        match &mut self.rule {
            Rule::Uniform => {}
            Rule::Ranking { changes } => {
                if changes.contains(&self.n_moved) {
                    self.machines.retain(|&other| other != machine);
                    self.machines.push(machine);
                }
            }
            Rule::Priorities(priorities) => {
                for (number, priority) in priorities.iter_mut().enumerate() {
                    let other = MachineId::new(number);
                    if other == machine || races(other) {
                        *priority = chance.draw();
                    }
                }
            }
        }
        self.n_moved += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(strategy: Strategy, n_changes: usize) -> (Order, Chance) {
        let mut chance = Chance::new(1);
        // All changes are at the first step.
        (Order::new(strategy, 1, n_changes, &mut chance), chance)
    }

    fn asked(order: &mut Order, chance: &mut Chance) -> Vec<usize> {
        order.adapt(4, chance);
        (0..4).map(|place| order.machine(place, chance).index()).collect()
    }

    #[test]
    fn every_machine_is_asked_once() {
        for strategy in Strategy::ALL {
            let (mut order, mut chance) = order(strategy, 1);
            for _ in 0..50 {
                let mut all = asked(&mut order, &mut chance);
                order.moved(MachineId::new(all[0]), |_| true, &mut chance);
                all.sort_unstable();
                assert_eq!(all, [0, 1, 2, 3]);
            }
        }
    }

    #[test]
    fn a_ranking_stays_until_it_changes() {
        let (mut order, mut chance) = order(Strategy::Pct, 1);
        let first = asked(&mut order, &mut chance);
        assert_eq!(asked(&mut order, &mut chance), first);
        order.moved(MachineId::new(first[0]), |_| false, &mut chance);
        let second = [first[1], first[2], first[3], first[0]];
        assert_eq!(asked(&mut order, &mut chance), second);
        order.moved(MachineId::new(second[0]), |_| false, &mut chance);
        assert_eq!(asked(&mut order, &mut chance), second, "there is no other change");
    }

    #[test]
    fn only_those_that_race_get_new_priorities() {
        let (mut order, mut chance) = order(Strategy::Pos, 0);
        let first = asked(&mut order, &mut chance);
        let of = |order: &Order| match &order.rule {
            Rule::Priorities(priorities) => priorities.clone(),
            _ => panic!("it has priorities"),
        };
        let before = of(&order);
        let (mover, racer) = (first[0], first[2]);
        order.moved(MachineId::new(mover), |other| other.index() == racer, &mut chance);
        for (number, (before, after)) in before.iter().zip(of(&order)).enumerate() {
            assert_eq!(*before != after, [mover, racer].contains(&number));
        }
    }

    #[test]
    fn machines_that_are_gone_are_not_asked() {
        for strategy in Strategy::ALL {
            let (mut order, mut chance) = order(strategy, 0);
            order.adapt(5, &mut chance);
            order.adapt(4, &mut chance);
            let mut all = asked(&mut order, &mut chance);
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2, 3]);
        }
    }
}
