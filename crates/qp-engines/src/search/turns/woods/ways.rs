//! The trees as lists of ways and step by step, for those who keep sets as diagrams.

use super::super::super::marks::Ends;
use super::super::super::space::Subject;
use super::super::slots::{LOOKS, NONE, Slots};
use super::{Change, LEAF, Leaf, Look, Woods};

/// A way down a tree: who, and what it looks at with what comes of each look.
pub(in super::super) struct Way<'a> {
    pub(in super::super) machine: usize,
    pub(in super::super) timeout: bool,
    /// The value of the machine's own part.
    pub(in super::super) own: u32,
    pub(in super::super) looks: &'a [(Look, u32)],
    leaf: Leaf,
    woods: &'a Woods,
}

impl Way<'_> {
    /// Whether the machine can do something.
    pub(in super::super) fn any(&self) -> bool {
        self.leaf.any()
    }

    /// What those turns come to that lead nowhere.
    pub(in super::super) fn ends(&self) -> Ends {
        self.leaf.ends
    }

    /// The turns that lead somewhere: how long the longest queue gets that gets longer, and where the rest is.
    pub(in super::super) fn jumps(&self) -> impl Iterator<Item = (u32, u32)> {
        let jumps = self.leaf.start..self.leaf.end;
        jumps.map(|jump| (self.woods.jumps[jump as usize].grown, jump))
    }

    pub(in super::super) fn changes(&self, jump: u32) -> &[Change] {
        self.woods.changes(jump)
    }

    /// Queues that get longer, and how long.
    pub(in super::super) fn growths(&self, jump: u32) -> &[(u32, u32)] {
        self.woods.growths(jump)
    }

    /// Who does something, apart from the machine whose turn it is.
    pub(in super::super) fn subjects(&self, jump: u32) -> &[Subject] {
        self.woods.subjects_of(jump)
    }
}

/// Where somebody stands who goes down a tree.
#[derive(Clone, Copy)]
pub(in super::super) enum Fork {
    /// Nobody came here before.
    Unknown,
    /// At a leaf.
    Known,
    /// Something is looked at next.
    Looks { look: Look, node: u32 },
}

impl Woods {
    /// Calls `f` with every way.
    pub(in super::super) fn each_way(&self, mut f: impl FnMut(&Way<'_>)) {
        let mut looks = Vec::new();
        for (machine, both) in self.roots.iter().enumerate() {
            for (roots, timeout) in both.iter().zip([false, true]) {
                for (own, &to) in roots.iter().enumerate().filter(|&(_, &to)| to != NONE) {
                    self.ways_below((machine, timeout, own as u32), to, &mut looks, &mut f);
                }
            }
        }
    }

    fn ways_below(
        &self,
        (machine, timeout, own): (usize, bool, u32),
        to: u32,
        looks: &mut Vec<(Look, u32)>,
        f: &mut impl FnMut(&Way<'_>),
    ) {
        if to >= LEAF {
            let leaf = self.leaves[(to & !LEAF) as usize];
            f(&Way { machine, timeout, own, looks, leaf, woods: self });
            return;
        }
        let node = &self.nodes[to as usize];
        for slot in node.start..=node.start + node.mask {
            let branch = self.branches[slot as usize];
            if branch.value != NONE {
                looks.push((node.look, branch.value));
                self.ways_below((machine, timeout, own), branch.to, looks, f);
                looks.pop();
            }
        }
    }

    /// Everything that a machine was seen to look at.
    pub(in super::super) fn looks_of(&self, machine: usize, timeout: bool) -> Vec<Look> {
        let mut looks = Vec::new();
        let mut open = match self.roots.get(machine) {
            Some(roots) => roots[usize::from(timeout)].clone(),
            None => Vec::new(),
        };
        while let Some(to) = open.pop() {
            if to >= LEAF {
                continue;
            }
            let node = &self.nodes[to as usize];
            if !looks.contains(&node.look) {
                looks.push(node.look);
            }
            let branches = &self.branches[node.start as usize..=(node.start + node.mask) as usize];
            open.extend(branches.iter().map(|branch| branch.to));
        }
        looks
    }

    /// Where a machine begins.
    pub(in super::super) fn root(&self, machine: usize, timeout: bool, own: u32) -> Fork {
        let roots = self.roots.get(machine).map(|roots| &roots[usize::from(timeout)]);
        let to = roots.and_then(|roots| roots.get(own as usize));
        to.map_or(Fork::Unknown, |&to| self.fork(to))
    }

    /// Where a value leads from a node.
    pub(in super::super) fn follow(&self, node: u32, value: u32) -> Fork {
        self.fork(self.branch(&self.nodes[node as usize], value))
    }

    fn fork(&self, to: u32) -> Fork {
        match to {
            NONE => Fork::Unknown,
            LEAF.. => Fork::Known,
            node => Fork::Looks { look: self.nodes[node as usize].look, node },
        }
    }

    /// The answer to a question when the part has this value, if it was asked.
    pub(in super::super) fn answer_to(&self, question: u32, value: u32) -> Option<u32> {
        let answer = self.answers[question as usize].get(value as usize);
        answer.copied().filter(|&answer| answer != NONE)
    }

    /// The values of the parts of all configurations that turns lead to within a bound. Everything that is needed
    /// must be known.
    pub(in super::super) fn successors(
        &self,
        slots: &Slots,
        values: &[u32],
        bound: u32,
    ) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let leaf = |_: usize, leaf: &Leaf| {
            for jump in leaf.start..leaf.end {
                if self.jumps[jump as usize].grown > bound {
                    continue;
                }
                let mut next = values[LOOKS..].to_vec();
                next[Slots::holder()] = slots.nobody_holds();
                for change in self.changes(jump) {
                    next[change.part as usize] = change.value;
                }
                all.push(next);
            }
        };
        let missing =
            |machine, _| unreachable!("bug in Queueproof: nobody asked machine {machine}");
        self.visit(slots, values, leaf, missing);
        all
    }
}
