//! What is wrong where rounds lead to, and real runs that show it.

use qp_claim::Trace;
use qp_machines::{Atom, Event, MessageId, Outcome, Property, QueueId};

use crate::runs::{failing, is_violated};

use super::deeds::{Chart, Replayed};
use super::manners::Manner;
use super::world::{Stop, VectorId, World};

/// So many ways to choose first messages are tried for one chart.
const CHOICES_MAX: usize = 256;

/// For each queue in which something stays, the messages that may be the first.
pub(super) type Fronts = Vec<(QueueId, Vec<MessageId>)>;

impl World {
    /// Whether a property may be violated where machines are, with what may be first in queues.
    pub(super) fn may_be_wrong(
        &mut self,
        property: Property,
        vector: VectorId,
        fronts: &Fronts,
    ) -> Result<bool, Stop> {
        Ok(match property {
            Property::Assert => self.fails(property, vector)?,
            Property::Unhandled => {
                self.fails(property, vector)? || self.may_be_at_a_loss(vector, fronts)?
            }
            Property::Deadlock => self.may_be_stuck(vector, fronts)?,
            Property::Reach(number) => self.may_be_bad(number, vector),
            _ => false,
        })
    }

    /// Refuses a message that its reader would leave where it is to look at the next one.
    pub(super) fn nothing_skipped(
        &mut self,
        vector: VectorId,
        fronts: &Fronts,
    ) -> Result<(), Stop> {
        for (queue, heads) in fronts {
            for &message in heads {
                if self.reader_hears(vector, *queue, message)?.skips {
                    let because = "a machine defers a message that is first in its queue";
                    return Err(Stop::outside(because));
                }
            }
        }
        Ok(())
    }

    fn fails(&mut self, property: Property, vector: VectorId) -> Result<bool, Stop> {
        for (machine, local) in self.places(vector) {
            let acts = self.acts(machine, local)?;
            let program = self.system.program();
            if acts.fails.iter().any(|&failure| program.failure(failure).property == property) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A machine can only receive, and each queue it listens to may have come to a message that it has no right to
    /// ignore. Where it listens to several queues, each has one possible first message.
    fn may_be_at_a_loss(&mut self, vector: VectorId, fronts: &Fronts) -> Result<bool, Stop> {
        for (machine, local) in self.places(vector) {
            let acts = self.acts(machine, local)?;
            let heard: Vec<_> = fronts.iter().filter(|it| acts.listens.contains(&it.0)).collect();
            for chosen in products(&heard) {
                let like = &self.beginnings[self.fullest].config;
                if self.system.is_at_a_loss(like, (machine, local), &chosen) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Nobody can go on, but for those who wait for messages, or for room in a queue that is not empty.
    fn may_be_stuck(&mut self, vector: VectorId, fronts: &Fronts) -> Result<bool, Stop> {
        let mut all_rest = true;
        for (machine, local) in self.places(vector) {
            let acts = self.acts(machine, local)?;
            let mut goes_on = !acts.internals.is_empty() || !acts.fails.is_empty();
            for send in &acts.sends {
                let may_be_full = fronts.iter().any(|it| it.0 == send.queue);
                goes_on |= !may_be_full || !self.is_limited(send.queue)?;
            }
            if goes_on {
                return Ok(false);
            }
            all_rest &= self.system.program().may_rest(machine, local);
        }
        for (queue, heads) in fronts {
            let mut all_taken = true;
            for &message in heads {
                all_taken &= !self.reader_hears(vector, *queue, message)?.takes.is_empty();
            }
            if all_taken {
                return Ok(false);
            }
        }
        Ok(!all_rest)
    }

    /// What is said about contents of queues is taken for true.
    fn may_be_bad(&self, number: usize, vector: VectorId) -> bool {
        let program = self.system.program();
        let locals = &self.vector(vector).locals;
        let holds = |atom: &Atom| match atom {
            Atom::Control(machine, names) => {
                let local = locals.get(machine.index());
                local.is_some_and(|&local| names.contains(&program.control_name(*machine, local)))
            }
            Atom::Content(..) => true,
        };
        program.outline().bad[number].cases.iter().any(|case| case.iter().all(holds))
    }

    /// A real run with a chart that ends in what is wrong.
    pub(super) fn confirm(&mut self, property: Property, chart: &Chart) -> Option<Trace> {
        self.choices(property, chart).into_iter().find_map(|firsts| {
            let mut replayed = chart.replay(self, &firsts)?;
            if property == Property::Deadlock {
                self.let_end(&mut replayed);
            }
            let Replayed { mut steps, end } = replayed;
            let outcomes = self.system.successors(&end);
            let fails = |it: &&Outcome| failing(&self.system, it.event) == Some(property);
            match outcomes.iter().find(fails) {
                Some(failure) => steps.push(failure.step),
                None if is_violated(&mut self.system, &end, property) => {}
                None => return None,
            }
            Some(Trace::finite(steps))
        })
    }

    /// Lets machines end that can: they are in nobody's way.
    fn let_end(&mut self, replayed: &mut Replayed) {
        let ends = |outcome: &Outcome| outcome.event == Event::Ended;
        while let Some(outcome) = self.system.successors(&replayed.end).into_iter().find(ends) {
            replayed.steps.push(outcome.step);
            replayed.end = outcome.config;
        }
    }

    /// Which messages to have first in their queues.
    fn choices(&self, property: Property, chart: &Chart) -> Vec<Vec<usize>> {
        let mut choices = vec![Vec::new()];
        let matters = matches!(property, Property::Unhandled | Property::Deadlock);
        if self.manner() == Manner::Pairs || !matters {
            return choices;
        }
        let left = chart.left_over();
        if property == Property::Unhandled {
            choices.extend(left.iter().map(|(_, send)| vec![*send]));
            return choices;
        }
        for queue in left.chunk_by(|(a, _), (b, _)| a == b).filter(|queue| queue.len() > 1) {
            let longer = choices.iter().flat_map(|choice| {
                queue.iter().map(|(_, send)| {
                    let mut choice = choice.clone();
                    choice.push(*send);
                    choice
                })
            });
            choices = longer.take(CHOICES_MAX).collect();
        }
        choices
    }
}

/// All ways to choose a message for each queue.
fn products(fronts: &[&(QueueId, Vec<MessageId>)]) -> Vec<Vec<(QueueId, MessageId)>> {
    fronts.iter().fold(vec![Vec::new()], |chosen, (queue, heads)| {
        let longer = chosen.iter().flat_map(|chosen| {
            heads.iter().map(|&head| [chosen.as_slice(), &[(*queue, head)]].concat())
        });
        longer.collect()
    })
}
