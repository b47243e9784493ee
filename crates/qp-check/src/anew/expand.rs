//! What comes of rows: their successors, and what is wrong with them.

use qp_machines::{Atom, MachineId, System};

use super::memo::Memo;
use super::parts::{HOLDER, Parts};
use super::set::{Place, SHARDS, Set, hash, shard_of};
use crate::faults::Finding;
use crate::invariant::Question;

/// Somebody's steps that nobody has asked for yet: which machine, and whether nothing else is possible.
pub(super) type Missing = (usize, bool);

/// What is needed to expand rows. Nothing of it changes meanwhile, so that threads can share it.
#[derive(Clone, Copy)]
pub(super) struct Expander<'a> {
    pub(super) parts: &'a Parts,
    pub(super) memo: &'a Memo,
    pub(super) bad: &'a BadCases,
    /// Whether machines can be at a loss: nobody is where processes take what they like.
    pub(super) losses: bool,
}

/// Bad situations: for each the cases, and for each of these what has to be true.
pub(super) type BadCases = Vec<Vec<Vec<Truth>>>;

/// A condition on a part, with the values for which it is true.
pub(super) struct Truth {
    atom: Atom,
    part: usize,
    of: Vec<bool>,
}

/// The bad situations of a model, for no values yet.
pub(super) fn bad_cases(system: &System, parts: &mut Parts) -> BadCases {
    let mut truth =
        |atom: &Atom| Truth { atom: atom.clone(), part: parts.part_of(atom), of: Vec::new() };
    let bad = system.program().outline().bad.iter();
    bad.map(|it| it.cases.iter().map(|case| case.iter().map(&mut truth).collect()).collect())
        .collect()
}

/// Brings them up to date with the values that were met.
pub(super) fn note_truth(system: &System, parts: &Parts, bad: &mut BadCases) {
    for truth in bad.iter_mut().flatten().flatten() {
        parts.note_truth(system, &truth.atom, truth.part, &mut truth.of);
    }
}

/// What expanding some rows came to.
pub(super) struct Output {
    /// The successors, one after the other, by the shard that they belong to.
    pub(super) rows: Vec<Vec<u64>>,
    /// Rows of which somebody's steps are not known.
    pub(super) missing: Vec<Place>,
    pub(super) facts: Facts,
}

impl Output {
    pub(super) fn new() -> Self {
        Self { rows: vec![Vec::new(); SHARDS], missing: Vec::new(), facts: Facts::default() }
    }

    pub(super) fn clear(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.missing.clear();
        self.facts = Facts::default();
    }
}

/// What was seen on the way.
#[derive(Clone, Default)]
pub(super) struct Facts {
    /// The first fault of each kind.
    faults: Vec<(Question, Finding)>,
    /// Whether the interpreter does not know some step.
    pub(super) gave_up: bool,
}

impl Facts {
    pub(super) fn fault(&self, question: Question) -> Option<Finding> {
        self.faults.iter().find(|(known, _)| *known == question).map(|(_, finding)| *finding)
    }

    fn note(&mut self, question: Question, finding: Finding) {
        if self.fault(question).is_none() {
            self.faults.push((question, finding));
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.gave_up |= other.gave_up;
        for &(question, finding) in &other.faults {
            self.note(question, finding);
        }
    }
}

impl Expander<'_> {
    /// What machines can do in a row: those leaves that count, in order. Steps with a timeout are possible where there
    /// are no others, and those of whoever goes on alone come before all others, as in `System::successors`.
    #[inline]
    pub(super) fn leaves(
        &self,
        row: &[u64],
        leaves: &mut Vec<(usize, u32)>,
    ) -> Result<(), Missing> {
        leaves.clear();
        let holder = self.parts.holder_of(row);
        for timeout in [false, true] {
            if let Some(holder) = holder {
                let leaf = self.leaf((holder, timeout), row)?;
                if self.memo.leaves()[leaf as usize].moves {
                    leaves.push((holder, leaf));
                    return Ok(());
                }
            }
            let mut moves = false;
            for machine in 0..self.parts.n_machines(row) {
                let leaf = self.leaf((machine, timeout), row)?;
                moves |= self.memo.leaves()[leaf as usize].moves;
                leaves.push((machine, leaf));
            }
            if moves {
                return Ok(());
            }
        }
        Ok(())
    }

    #[inline]
    fn leaf(&self, who: Missing, row: &[u64]) -> Result<u32, Missing> {
        self.memo.leaf(self.parts, who, row).ok_or(who)
    }

    /// Everything that has to be known to expand a row.
    pub(super) fn missing(&self, row: &[u64]) -> Option<Missing> {
        self.leaves(row, &mut Vec::new()).and_then(|()| self.loss(row)).err()
    }

    /// Whoever is at a loss. Those who have to wait for somebody who goes on alone count, too.
    fn loss(&self, row: &[u64]) -> Result<Option<Finding>, Missing> {
        if !self.losses {
            return Ok(None);
        }
        for machine in 0..self.parts.n_machines(row) {
            let leaf = self.leaf((machine, false), row)?;
            if let Some((queue, message)) = self.memo.leaves()[leaf as usize].at_a_loss {
                let machine = MachineId::new(machine);
                return Ok(Some(Finding::Unhandled { machine, queue, message }));
            }
        }
        Ok(None)
    }

    /// Expands rows of the set.
    pub(super) fn expand(
        &self,
        set: &Set,
        places: impl Iterator<Item = Place>,
        output: &mut Output,
    ) {
        let (mut leaves, mut base, mut next) = (Vec::new(), vec![0; set.width], vec![0; set.width]);
        for place in places {
            let row = set.row(place);
            let known = self
                .leaves(row, &mut leaves)
                .and_then(|()| self.judge(row, &leaves, &mut output.facts));
            if known.is_err() {
                output.missing.push(place);
                continue;
            }
            base.copy_from_slice(row);
            self.parts.layout.fields[HOLDER].put(&mut base, 0);
            for &(_, leaf) in &leaves {
                for writes in self.memo.steps(leaf) {
                    self.write(&base, writes, &mut next);
                    output.rows[shard_of(hash(&next))].extend_from_slice(&next);
                }
            }
        }
    }

    /// Makes `next` the row after a step; in `base` nobody goes on alone.
    #[inline]
    pub(super) fn write(&self, base: &[u64], writes: &[(u32, u32)], next: &mut [u64]) {
        next.copy_from_slice(base);
        for &(part, number) in writes {
            self.parts.layout.fields[part as usize].put(next, number);
        }
    }

    /// Notes what is wrong with a row.
    #[inline]
    fn judge(
        &self,
        row: &[u64],
        leaves: &[(usize, u32)],
        facts: &mut Facts,
    ) -> Result<(), Missing> {
        let mut moves = false;
        let mut losses = self.losses && self.parts.holder_of(row).is_some();
        for &(machine, leaf) in leaves {
            let leaf = &self.memo.leaves()[leaf as usize];
            moves |= leaf.moves;
            if leaf.is_remarkable() {
                losses |= leaf.at_a_loss.is_some();
                facts.gave_up |= leaf.gives_up;
                for &(property, failure) in &leaf.fails {
                    let machine = MachineId::new(machine);
                    facts.note(Question::Fails(property), Finding::Failed { machine, failure });
                }
            }
        }
        if losses && let Some(finding) = self.loss(row)? {
            facts.note(Question::Lost, finding);
        }
        if !moves {
            let awake =
                (0..self.parts.n_machines(row)).find(|&machine| self.parts.is_awake(machine, row));
            if let Some(machine) = awake {
                let machine = MachineId::new(machine);
                facts.note(Question::Dead, Finding::Deadlock { machine });
            }
        }
        for (number, cases) in self.bad.iter().enumerate() {
            let is_true = |truth: &Truth| truth.of[self.parts.at(truth.part, row) as usize];
            if cases.iter().any(|case| case.iter().all(is_true)) {
                facts.note(Question::Bad(number), Finding::Bad { number });
            }
        }
        Ok(())
    }
}
