//! What was learnt about turns, as trees, and the inner loop of the search.
//!
//! At the root of a tree are the machine and its local state, at each inner node the thing that the program
//! looks at next, with one branch for each value that was met, and at each leaf what the machine can do,
//! as differences. Everything here is read only while threads expand.

mod ways;

use qp_base::Interner;

use super::super::marks::Ends;
use super::super::packing::Key;
use super::super::space::{Keys, Output, Subject, Window};
use super::first::{Chosen, Mover, WAITING};
use super::slots::{LOOKS, N_MACHINES, NONE, Slots};

pub(super) use self::ways::{Fork, Way};

/// All trees.
#[derive(Default)]
pub(super) struct Woods {
    /// For each machine, without and with timeout, and each value of its part: the node to begin with.
    roots: Vec<[Vec<u32>; 2]>,
    nodes: Vec<Node>,
    /// The branches of all nodes.
    branches: Vec<Branch>,
    leaves: Vec<Leaf>,
    jumps: Vec<Jump>,
    changes: Vec<Change>,
    growths: Vec<(u32, u32)>,
    subjects: Vec<Subject>,
    /// Questions about parts: the number of what is looked at, and the question's name.
    questions: Interner<usize, (u32, u64)>,
    /// For each question and value of the part: the answer.
    answers: Vec<Vec<u32>>,
}

/// Something that is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Look {
    /// The number of machines, that of queues, or a part.
    pub(super) at: u32,
    /// The question that is asked about it, or [`NONE`] if all of it is looked at.
    pub(super) question: u32,
}

/// An inner node: a small hash table. Values are their own hashes, so that one in which all values occur is a plain
/// array.
struct Node {
    look: Look,
    start: u32,
    mask: u32,
    used: u32,
}

/// A value and the node that it leads to: a number with [`LEAF`] is that of a leaf.
#[derive(Clone, Copy)]
struct Branch {
    value: u32,
    to: u32,
}

const EMPTY: Branch = Branch { value: NONE, to: NONE };
const LEAF: u32 = 1 << 31;

/// What a machine can do.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    /// Its turns that lead somewhere, in order.
    start: u32,
    end: u32,
    /// What the others come to.
    ends: Ends,
    /// What it needs to stay so, by number.
    footprint: u32,
}

impl Leaf {
    #[inline]
    fn any(self) -> bool {
        self.start < self.end || self.ends.any()
    }
}

/// A turn that leads somewhere: what is needed of it in the inner loop, and where the rest is.
struct Jump {
    changes: u32,
    /// The greatest length of a queue that got longer.
    grown: u32,
    growths: u32,
    subjects: u32,
}

/// What a part becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) part: u32,
    pub(super) value: u32,
}

/// A turn, as it is made.
pub(super) struct Deed {
    pub(super) changes: Vec<Change>,
    /// Queues that get longer, and how long.
    pub(super) growths: Vec<(u32, u32)>,
    pub(super) subjects: Vec<Subject>,
}

/// What becomes of one configuration.
struct Fate {
    any: bool,
    cut: bool,
    ends: Ends,
}

impl Woods {
    pub(super) fn bytes(&self) -> u64 {
        let answers: usize = self.answers.iter().map(Vec::len).sum();
        let roots: usize = self.roots.iter().flatten().map(Vec::len).sum();
        let bytes = self.nodes.len() * size_of::<Node>()
            + self.branches.len() * size_of::<Branch>()
            + self.leaves.len() * size_of::<Leaf>()
            + self.jumps.len() * size_of::<Jump>()
            + self.changes.len() * size_of::<Change>()
            + self.growths.len() * 8
            + self.subjects.len() * size_of::<Subject>()
            + (answers + roots) * 4;
        bytes as u64
    }

    /// The leaf at which a machine arrives, if the way was gone before.
    #[inline]
    fn find(&self, slots: &Slots, machine: usize, timeout: bool, values: &[u32]) -> Option<&Leaf> {
        let own = values[slots.machine(machine) + LOOKS];
        let roots = &self.roots.get(machine)?[usize::from(timeout)];
        let mut to = *roots.get(own as usize)?;
        while to < LEAF {
            let node = &self.nodes[to as usize];
            let mut value = values[node.look.at as usize];
            if node.look.question != NONE {
                value = *self.answers[node.look.question as usize].get(value as usize)?;
            }
            to = self.branch(node, value);
        }
        self.leaves.get((to & !LEAF) as usize)
    }

    /// Whether it is known what a machine can do in a configuration.
    pub(super) fn knows(&self, slots: &Slots, who: (usize, bool), values: &[u32]) -> bool {
        self.find(slots, who.0, who.1, values).is_some()
    }

    /// Where a value leads, or [`NONE`].
    #[inline]
    fn branch(&self, node: &Node, value: u32) -> u32 {
        let mut slot = value;
        loop {
            let branch = self.branches[(node.start + (slot & node.mask)) as usize];
            if branch.value == value || branch.value == NONE {
                return branch.to;
            }
            slot = slot.wrapping_add(1);
        }
    }

    /// Asks who can do what, as the one step function does: whoever goes on alone, or else everybody, and
    /// if nobody can do anything, the same with a timeout. Calls `missing` where that is not known yet.
    #[inline]
    fn visit<'a>(
        &'a self,
        slots: &Slots,
        values: &[u32],
        mut leaf: impl FnMut(usize, &'a Leaf),
        mut missing: impl FnMut(usize, bool),
    ) {
        for timeout in [false, true] {
            let (mut any, mut open) = (false, false);
            let mut ask = |machine: usize| {
                let Some(found) = self.find(slots, machine, timeout, values) else {
                    open = true;
                    missing(machine, timeout);
                    return true;
                };
                any |= found.any();
                leaf(machine, found);
                found.any()
            };
            let alone = slots.holds(values).is_some_and(&mut ask);
            if !alone {
                for machine in 0..values[N_MACHINES] as usize {
                    ask(machine);
                }
            }
            if any || open {
                return;
            }
        }
    }

    /// Which machines have to be asked before a configuration can be expanded.
    pub(super) fn missing(&self, slots: &Slots, values: &[u32]) -> Vec<(usize, bool)> {
        let mut missing = Vec::new();
        self.visit(slots, values, |_, _| {}, |machine, timeout| missing.push((machine, timeout)));
        missing
    }

    /// Expands with what is known; returns the places of which not everything was.
    pub(super) fn expand<const W: usize>(
        &self,
        slots: &Slots,
        keys: &Keys<'_, W>,
        places: &[u32],
        (window, chosen): (Window, Option<Chosen<'_>>),
        output: &mut Output<W>,
    ) -> Vec<u32> {
        let (mut missing, mut values) = (Vec::new(), Vec::new());
        for &place in places {
            values.clear();
            values.resize(LOOKS, 0);
            keys.packing.append(&keys.all[place as usize], &mut values);
            slots.complete(&mut values);
            let how = (window, chosen);
            self.expand_one(slots, keys, (place, &values), how, output, &mut missing);
        }
        missing
    }

    #[inline]
    fn expand_one<const W: usize>(
        &self,
        slots: &Slots,
        keys: &Keys<'_, W>,
        (place, values): (u32, &[u32]),
        (window, chosen): (Window, Option<Chosen<'_>>),
        output: &mut Output<W>,
        missing: &mut Vec<u32>,
    ) {
        // Whoever went on alone stops doing so unless a turn says otherwise.
        let mut key = keys.all[place as usize];
        let holder = values[Slots::holder() + LOOKS];
        if holder != slots.nobody_holds() {
            let field = keys.packing.field(Slots::holder());
            field.replace(&mut key, holder, slots.nobody_holds());
        }
        let only = chosen.and_then(|chosen| chosen.of(place));
        if let Some((set, _)) = only {
            output.reduced.push((place, set));
        }
        let mut fate = Fate { any: false, cut: false, ends: Ends::NONE };
        let mut known = true;
        let leaf = |machine: usize, leaf: &Leaf| {
            fate.any |= leaf.any();
            fate.ends.join(leaf.ends);
            if only.is_some_and(|(_, set)| !set.contains(&(machine as u32))) {
                return;
            }
            for number in leaf.start..leaf.end {
                let jump = &self.jumps[number as usize];
                if jump.grown > window.bound {
                    fate.cut = true;
                    self.stall(number, place, window, output);
                    continue;
                }
                if jump.grown <= window.from && window.from > 0 {
                    continue;
                }
                output.candidates.push(self.jump(slots, keys, values, (&key, number)), place);
            }
        };
        self.visit(slots, values, leaf, |_, _| known = false);
        if known {
            note(slots, (place, values), window, &fate, output);
        } else {
            missing.push(place);
        }
    }

    /// The key that a turn leads to. Whoever went on alone was taken out of `key` before.
    #[inline]
    fn jump<const W: usize>(
        &self,
        slots: &Slots,
        keys: &Keys<'_, W>,
        values: &[u32],
        (key, jump): (&Key<W>, u32),
    ) -> Key<W> {
        let mut next = *key;
        for change in self.changes(jump) {
            let part = change.part as usize;
            let old =
                if part == Slots::holder() { slots.nobody_holds() } else { values[part + LOOKS] };
            keys.packing.field(part).replace(&mut next, old, change.value);
        }
        next
    }

    /// What each machine can do in a configuration in which all of that is known, without or with a timeout.
    pub(super) fn movers(
        &self,
        slots: &Slots,
        looks: &[u32],
        (timeout, bound): (bool, u32),
    ) -> Vec<Mover> {
        let mover = |machine| {
            let Some(leaf) = self.find(slots, machine, timeout, looks) else {
                unreachable!("bug in Queueproof: nobody asked machine {machine}")
            };
            let jumps = &self.jumps[leaf.start as usize..leaf.end as usize];
            Mover {
                can: leaf.any(),
                cut: jumps.iter().any(|jump| jump.grown > bound),
                ways: leaf.end - leaf.start,
                footprint: leaf.footprint,
            }
        };
        (0..looks[N_MACHINES] as usize).map(mover).collect()
    }

    #[inline]
    fn changes(&self, jump: u32) -> &[Change] {
        let start = self.jumps[jump as usize].changes as usize;
        let end = self.jumps.get(jump as usize + 1).map(|next| next.changes as usize);
        &self.changes[start..end.unwrap_or(self.changes.len())]
    }

    fn growths(&self, jump: u32) -> &[(u32, u32)] {
        let start = self.jumps[jump as usize].growths as usize;
        let end = self.jumps.get(jump as usize + 1).map(|next| next.growths as usize);
        &self.growths[start..end.unwrap_or(self.growths.len())]
    }

    fn subjects_of(&self, jump: u32) -> &[Subject] {
        let start = self.jumps[jump as usize].subjects as usize;
        let end = self.jumps.get(jump as usize + 1).map(|next| next.subjects as usize);
        &self.subjects[start..end.unwrap_or(self.subjects.len())]
    }

    #[cold]
    fn stall<const W: usize>(&self, jump: u32, place: u32, window: Window, output: &mut Output<W>) {
        for &(queue, len) in self.growths(jump) {
            if len > window.bound {
                output.stall(queue, place);
            }
        }
    }

    /// Who can do something in a configuration.
    pub(super) fn subjects(&self, slots: &Slots, values: &[u32], found: &mut Vec<Subject>) {
        let leaf = |machine: usize, leaf: &Leaf| {
            if leaf.any() {
                found.push(Subject::Moves(qp_machines::MachineId::new(machine)));
            }
            for jump in leaf.start..leaf.end {
                found.extend_from_slice(self.subjects_of(jump));
            }
        };
        let missing =
            |machine, _| unreachable!("bug in Queueproof: nobody asked machine {machine}");
        self.visit(slots, values, leaf, missing);
        found.sort_unstable();
        found.dedup();
    }

    /// The number of a question about a part.
    pub(super) fn question(&mut self, at: u32, name: u64) -> u32 {
        let question = self.questions.intern((at, name));
        if question == self.answers.len() {
            self.answers.push(Vec::new());
        }
        question as u32
    }

    /// Remembers what the answer is when the part has this value.
    pub(super) fn answer(&mut self, question: u32, value: u32, answer: u32) {
        let answers = &mut self.answers[question as usize];
        if answers.len() <= value as usize {
            answers.resize(value as usize + 1, NONE);
        }
        answers[value as usize] = answer;
    }

    /// Remembers what a machine can do if its part has the value `own` and the looks come to these values.
    pub(super) fn insert(
        &mut self,
        (machine, timeout, own): (usize, bool, u32),
        path: &[(Look, u32)],
        deeds: &[Deed],
        (ends, footprint): (Ends, u32),
    ) {
        if self.roots.len() <= machine {
            self.roots.resize_with(machine + 1, Default::default);
        }
        let roots = &mut self.roots[machine][usize::from(timeout)];
        if roots.len() <= own as usize {
            roots.resize(own as usize + 1, NONE);
        }
        let (mut to, mut before) = (roots[own as usize], None);
        for &(look, value) in path {
            if to == NONE {
                to = self.new_node(look);
                self.lead((machine, timeout, own), before, to);
            }
            assert!(
                to < LEAF && self.nodes[to as usize].look == look,
                "bug in Queueproof: what a turn looks at depends on more than what it looked at"
            );
            before = Some((to, value));
            to = self.branch(&self.nodes[to as usize], value);
        }
        assert!(to == NONE, "bug in Queueproof: a turn was asked for twice");
        let leaf = self.new_leaf(deeds, ends, footprint);
        self.lead((machine, timeout, own), before, leaf);
    }

    /// Makes a branch, or the root if there is nothing before, lead to a node.
    fn lead(
        &mut self,
        (machine, timeout, own): (usize, bool, u32),
        before: Option<(u32, u32)>,
        to: u32,
    ) {
        match before {
            None => self.roots[machine][usize::from(timeout)][own as usize] = to,
            Some((node, value)) => self.add_branch(node, Branch { value, to }),
        }
    }

    fn new_node(&mut self, look: Look) -> u32 {
        let start = self.branches.len() as u32;
        self.branches.extend([EMPTY; 2]);
        self.nodes.push(Node { look, start, mask: 1, used: 0 });
        assert!(self.nodes.len() < LEAF as usize, "2^31 nodes");
        self.nodes.len() as u32 - 1
    }

    /// Adds a branch; a node that would be full gets twice the room, at the end.
    fn add_branch(&mut self, number: u32, branch: Branch) {
        let node = &mut self.nodes[number as usize];
        let room = node.mask + 1;
        node.used += 1;
        if node.used == room {
            let old = node.start as usize..(node.start + room) as usize;
            (node.start, node.mask) = (self.branches.len() as u32, 2 * room - 1);
            self.branches.extend((0..2 * room).map(|_| EMPTY));
            for slot in old {
                let branch = self.branches[slot];
                self.put(number, branch);
            }
        }
        self.put(number, branch);
    }

    fn put(&mut self, number: u32, branch: Branch) {
        let Node { start, mask, .. } = self.nodes[number as usize];
        if branch.value == NONE {
            return;
        }
        let mut slot = branch.value;
        while self.branches[(start + (slot & mask)) as usize].value != NONE {
            slot = slot.wrapping_add(1);
        }
        self.branches[(start + (slot & mask)) as usize] = branch;
    }

    fn new_leaf(&mut self, deeds: &[Deed], ends: Ends, footprint: u32) -> u32 {
        // Having to wait is what most machines do most of the time.
        let waits = deeds.is_empty() && ends == Ends::NONE && footprint == WAITING;
        if waits && !self.leaves.is_empty() {
            return LEAF;
        }
        if self.leaves.is_empty() {
            self.leaves.push(Leaf { start: 0, end: 0, ends: Ends::NONE, footprint: WAITING });
            return self.new_leaf(deeds, ends, footprint);
        }
        let start = self.jumps.len() as u32;
        for deed in deeds {
            self.jumps.push(Jump {
                changes: self.changes.len() as u32,
                grown: deed.growths.iter().map(|&(_, len)| len).max().unwrap_or(0),
                growths: self.growths.len() as u32,
                subjects: self.subjects.len() as u32,
            });
            self.changes.extend_from_slice(&deed.changes);
            self.growths.extend_from_slice(&deed.growths);
            self.subjects.extend_from_slice(&deed.subjects);
        }
        let leaf = LEAF | self.leaves.len() as u32;
        assert!(leaf < NONE, "2^31 leaves");
        self.leaves.push(Leaf { start, end: self.jumps.len() as u32, ends, footprint });
        leaf
    }
}

/// Notes what is to be said about a configuration.
#[inline]
fn note<const W: usize>(
    slots: &Slots,
    (place, values): (u32, &[u32]),
    window: Window,
    fate: &Fate,
    output: &mut Output<W>,
) {
    if fate.cut {
        output.blocked.push(place);
    }
    if window.from > 0 {
        return;
    }
    if fate.ends.has(Ends::GAVE_UP) {
        output.gave_up.push(place);
    }
    let watch = slots.watch();
    if watch.needs_marks(fate.any, fate.ends) {
        let mut marks = slots.marks(values);
        marks.ends = fate.ends;
        let hits = watch.hits(&marks, fate.any);
        if hits != 0 {
            output.hits.push((place, hits));
        }
    }
}
