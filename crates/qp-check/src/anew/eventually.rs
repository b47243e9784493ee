//! What can always still happen: for every machine or queue, and from every row.

use qp_machines::{MachineId, QueueId, System, WordId};

use super::parts::HOLDER;
use super::set::Place;
use super::{Anew, go_on};
use crate::faults::Finding;
use crate::invariant::Question;
use crate::{Checked, wrong};

/// So many machines or queues are looked at together: a bit for each, per row.
const TOGETHER: usize = u64::BITS as usize;
/// Whether there is time left is asked again after so many rows.
const ROWS: u64 = 1 << 12;

/// Checks that from every row, everything that must still be able to happen can. What can happen is what happens in the
/// row, and what can happen in the rows after it: the least such sets, found by going through the rows, last first,
/// until nothing changes. No steps are kept for that.
pub(super) fn check(anew: &mut Anew, system: &mut System, question: Question) -> Checked<()> {
    let findings: Vec<Finding> = if question == Question::Stuck {
        let machines = (0..anew.parts.machines().len()).map(MachineId::new);
        machines.map(|machine| Finding::Stuck { machine }).collect()
    } else {
        let queues = (0..anew.parts.queues().len()).map(QueueId::new);
        queues.map(|queue| Finding::Orphan { queue }).collect()
    };
    if question == Question::Orphan && anew.memo.skips {
        // A queue from which something is always taken may still keep a message for ever.
        return wrong("messages are taken from behind others");
    }
    findings
        .chunks(TOGETHER)
        .try_for_each(|findings| Sweep::new(anew, findings).check(anew, system))
}

/// Some machines or queues, with a bit for each.
struct Sweep<'a> {
    findings: &'a [Finding],
    /// For each row: what can still happen, as far as that is known.
    can: Vec<Vec<u64>>,
    /// All that happens anywhere.
    all: u64,
    /// For each leaf of the memory: what happens in it.
    now: (u32, Vec<u64>),
}

impl<'a> Sweep<'a> {
    fn new(anew: &Anew, findings: &'a [Finding]) -> Self {
        let can = anew.set.shards.iter().map(|shard| vec![0; shard.len()]).collect();
        Self { findings, can, all: bits(findings, &anew.memo.lets), now: (0, Vec::new()) }
    }

    fn check(mut self, anew: &mut Anew, system: &mut System) -> Checked<()> {
        let mut changed = true;
        while changed {
            changed = false;
            let longest = anew.set.longest();
            for place in (0..longest).rev() {
                for shard in anew.set.shards_with(place) {
                    changed |= self.look(anew, system, (shard, place))?;
                }
            }
        }
        anew.set.places().try_for_each(|place| self.judge(anew, system, place))
    }

    /// Looks what can happen in a row and after it, and says whether that was not known.
    fn look(&mut self, anew: &mut Anew, system: &mut System, place: Place) -> Checked<bool> {
        if place.0 == 0 && u64::from(place.1) % ROWS == 0 {
            go_on(system, ROWS, 0)?;
        }
        let known = self.can[place.0 as usize][place.1 as usize];
        if known == self.all {
            return Ok(false);
        }
        let more = known | self.after(anew, system, place);
        self.can[place.0 as usize][place.1 as usize] = more;
        Ok(more != known)
    }

    /// What happens in a row, and what is known to be possible in the rows after it.
    fn after(&mut self, anew: &mut Anew, system: &mut System, place: Place) -> u64 {
        // It may have been forgotten.
        anew.learn(system, place);
        if self.now.0 != anew.memo.generation {
            self.now = (anew.memo.generation, Vec::new());
        }
        let new = &anew.memo.leaves()[self.now.1.len()..];
        self.now.1.extend(new.iter().map(|leaf| bits(self.findings, &leaf.lets)));
        let (expander, row, mut leaves) = (anew.expander(), anew.set.row(place), Vec::new());
        let known = expander.leaves(row, &mut leaves);
        assert!(known.is_ok(), "bug in Queueproof: what was just learned is not known");
        let (mut base, mut next) = (row.to_vec(), row.to_vec());
        anew.parts.layout.fields[HOLDER].put(&mut base, 0);
        let mut found = 0;
        for (_, leaf) in leaves {
            found |= self.now.1[leaf as usize];
            for writes in anew.memo.steps(leaf) {
                expander.write(&base, writes, &mut next);
                let (shard, place) = anew.set.place(&next).expect("the set is closed");
                found |= self.can[shard as usize][place as usize];
            }
        }
        found
    }

    /// Checks that in a row nobody waits for what cannot happen any more.
    fn judge(&self, anew: &Anew, system: &System, place: Place) -> Checked<()> {
        let (row, can) = (anew.set.row(place), self.can[place.0 as usize][place.1 as usize]);
        for (bit, finding) in self.findings.iter().enumerate() {
            let waits = match *finding {
                Finding::Stuck { machine } => anew.parts.is_awake(machine.index(), row),
                Finding::Orphan { queue } => {
                    let content = anew.parts.content_of(queue, row);
                    !system.words().is_empty(content.unwrap_or(WordId::EMPTY))
                }
                _ => false,
            };
            if waits && can >> bit & 1 == 0 {
                return wrong(format!("the search meets a fault: {finding:?}"));
            }
        }
        Ok(())
    }
}

/// Which of some findings are among others.
fn bits(findings: &[Finding], among: &[Finding]) -> u64 {
    let there = (0..).zip(findings).filter(|(_, finding)| among.contains(finding));
    there.fold(0, |set, (bit, _): (u32, _)| set | 1 << bit)
}
