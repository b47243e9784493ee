//! Which machine is asked first for a step.

use qp_machines::MachineId;

use super::chance::Chance;

/// The order in which the machines of one run are asked.
pub(super) struct Order {
    machines: Vec<MachineId>,
    ranking: Option<Ranking>,
}

/// Machines are asked in the same order until it changes.
#[derive(Clone, Copy)]
pub(super) struct Ranking {
    /// How often the order is to change in a run of `length` steps.
    pub(super) n_changes: usize,
    pub(super) length: usize,
}

impl Order {
    /// Without a ranking, each step begins with any machine.
    pub(super) fn new(ranking: Option<Ranking>) -> Self {
        Self { machines: Vec::new(), ranking }
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
    }

    /// The machine to ask after `place` others.
    pub(super) fn machine(&mut self, place: usize, chance: &mut Chance) -> MachineId {
        if self.ranking.is_none() {
            let other = place + chance.below(self.machines.len() - place);
            self.machines.swap(place, other);
        }
        self.machines[place]
    }

    /// Now and then, the machine that has moved is asked last from now on.
    pub(super) fn moved(&mut self, machine: MachineId, chance: &mut Chance) {
        let Some(Ranking { n_changes, length }) = self.ranking else { return };
        if chance.below(length.max(1)) < n_changes {
            self.machines.retain(|&other| other != machine);
            self.machines.push(machine);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(order: &mut Order, chance: &mut Chance) -> Vec<usize> {
        order.adapt(4, chance);
        (0..4).map(|place| order.machine(place, chance).index()).collect()
    }

    #[test]
    fn every_machine_is_asked_once_with_and_without_a_ranking() {
        for ranking in [None, Some(Ranking { n_changes: 1, length: 2 })] {
            let (mut order, mut chance) = (Order::new(ranking), Chance::new(1));
            for _ in 0..50 {
                let mut all = asked(&mut order, &mut chance);
                order.moved(MachineId::new(all[0]), &mut chance);
                all.sort_unstable();
                assert_eq!(all, [0, 1, 2, 3]);
            }
        }
    }

    #[test]
    fn a_ranking_stays_until_it_changes() {
        let mut chance = Chance::new(1);
        let mut order = Order::new(Some(Ranking { n_changes: 0, length: 10 }));
        let first = asked(&mut order, &mut chance);
        order.moved(MachineId::new(first[0]), &mut chance);
        assert_eq!(asked(&mut order, &mut chance), first);
        order.ranking = Some(Ranking { n_changes: 10, length: 10 });
        order.moved(MachineId::new(first[0]), &mut chance);
        assert_eq!(asked(&mut order, &mut chance), [first[1], first[2], first[3], first[0]]);
    }

    #[test]
    fn machines_that_are_gone_are_not_asked() {
        let (mut order, mut chance) = (Order::new(None), Chance::new(1));
        order.adapt(5, &mut chance);
        order.adapt(4, &mut chance);
        let mut all = asked(&mut order, &mut chance);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }
}
