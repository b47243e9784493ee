//! What machines can tell about queues: the parts of a language whose contents allow the same steps.
//!
//! A machine sees a queue only by looking through it from the front: the first message that it does not pass over
//! decides, and what it does about a message does not depend on where that stands. So contents in which the same
//! messages come for the first time in the same order allow the same steps, and the shortest such content can stand
//! for all of them. Messages that all machines pass over where they are now do not matter, and neither does what
//! comes behind the messages that decide. Queues with a capacity are looked at content by content.

use std::collections::BTreeSet;

use qp_machines::{
    Capacity, Condition, Config, EarId, Effect, Guard, MachineId, MessageId, Move, Place, QueueId,
    Reception, StoreId, System, WordId,
};

use crate::automaton::{Automaton, Language};
use crate::{Checked, rejected, within_limit};

/// A set of configurations that agree but for what is in queues.
#[derive(Clone)]
pub(crate) struct Case {
    /// The number of its row.
    pub(crate) place: usize,
    /// One of them, as far as anybody looked.
    pub(crate) config: Config,
    /// What each queue may hold; only the empty content if it is closed.
    pub(crate) languages: Vec<Language>,
    /// For each queue, whether the content in `config` stands for all of its language.
    pub(crate) split: Vec<bool>,
}

/// Who listens, and how.
type Ear = (MachineId, EarId);

/// A part of a language, and the content that stands for it.
type Part = (WordId, Language);

/// Who looks at what in a row, and what there is to see.
pub(crate) struct Scope {
    /// For each machine, the queues on which its steps depend.
    looks: Vec<BTreeSet<usize>>,
    /// For each queue, the parts of its language.
    parts: Vec<Vec<Part>>,
}

impl Scope {
    /// Looks at all moves of all machines, possible or not, and refuses what is outside the fragment.
    pub(crate) fn new(system: &mut System, row: &Case) -> Checked<Self> {
        let config = &row.config;
        let mut looks = vec![BTreeSet::new(); config.locals.len()];
        let mut ears = vec![Vec::new(); config.words.len()];
        for machine in config.machines() {
            for mv in system.moves(machine, config.local(machine), config.store).iter() {
                for (queue, ear) in uses(system, config, mv)? {
                    ears[queue].extend(ear.map(|ear| (machine, ear)));
                    if ear.is_some() || is_counted(system, config, queue) {
                        looks[machine.index()].insert(queue);
                    }
                }
            }
        }
        let all = ears.iter().enumerate().map(|(queue, ears)| split(system, row, queue, ears));
        let parts = all.collect::<Checked<_>>()?;
        Ok(Self { looks, parts })
    }

    /// The cases into which a case falls once a machine has looked at the queues on which its steps depend.
    pub(crate) fn cases(&self, case: &Case, machine: MachineId) -> Checked<Vec<Case>> {
        let mut cases = vec![case.clone()];
        for &queue in self.looks[machine.index()].iter().filter(|&&queue| !case.split[queue]) {
            within_limit(cases.len() * self.parts[queue].len())?;
            let choose = |case: &Case, (word, language): &Part| {
                let (mut case, language) = (case.clone(), language.clone());
                case.config.words[queue] = *word;
                (case.languages[queue], case.split[queue]) = (language, true);
                case
            };
            let split = |case| self.parts[queue].iter().map(move |part| choose(&case, part));
            cases = cases.into_iter().flat_map(split).collect();
        }
        Ok(cases)
    }
}

/// Whether a queue has a capacity, so that its contents are looked at one by one.
pub(crate) fn is_counted(system: &System, config: &Config, queue: usize) -> bool {
    let kind = system.kind(config, QueueId::new(queue));
    matches!(kind.capacity, Capacity::Messages(_)) && config.words[queue] != WordId::CLOSED
}

/// The queues that a move uses, and how it listens to them.
fn uses(system: &System, config: &Config, mv: &Move) -> Checked<Vec<(usize, Option<EarId>)>> {
    let mut uses = Vec::new();
    for guard in &mv.guards {
        match *guard {
            Guard::Holds(queue, Condition::Ready(ear))
            | Guard::HoldsNot(queue, Condition::Ready(ear)) => uses.push((queue, Some(ear))),
            // Both depend on what the machine itself can do.
            Guard::Idle | Guard::Else => {}
            Guard::Holds(..) | Guard::HoldsNot(..) | Guard::Timeout => {
                return rejected("a machine looks at more than what it can receive");
            }
        }
    }
    match mv.effect {
        Effect::Send { place: Place::Sorted, .. } => return rejected("a queue is kept sorted"),
        Effect::Send { queue, .. } | Effect::Close { queue } => uses.push((queue, None)),
        Effect::Receive { queue, ear } => uses.push((queue, Some(ear))),
        Effect::Exit { queues } if queues as usize > config.words.len() => {
            return rejected("a machine ends with queues that do not exist");
        }
        Effect::Internal
        | Effect::Spawn { .. }
        | Effect::Exit { .. }
        | Effect::Fail { .. }
        | Effect::GiveUp { .. } => {}
    }
    if uses.iter().any(|(queue, _)| queue.index() >= config.words.len()) {
        return rejected("a machine knows a queue that does not exist");
    }
    // Whether a sender can move would depend on what the receiver sees.
    let meets = |queue| system.kind(config, queue).capacity == Capacity::Rendezvous;
    if matches!(mv.effect, Effect::Receive { queue, .. } if meets(queue)) && !mv.guards.is_empty() {
        return rejected("a rendezvous depends on a condition of the receiver");
    }
    Ok(uses.into_iter().map(|(queue, ear)| (queue.index(), ear)).collect())
}

/// The parts of what a queue may hold. Together they are all of it.
fn split(system: &mut System, row: &Case, queue: usize, ears: &[Ear]) -> Checked<Vec<Part>> {
    let (config, all) = (&row.config, &row.languages[queue]);
    if config.words[queue] == WordId::CLOSED {
        return Ok(vec![(WordId::CLOSED, all.clone())]);
    }
    let (mut parts, mut todo) = (Vec::new(), vec![Vec::new()]);
    if is_counted(system, config, queue) {
        todo.clear();
        for word in all.words()? {
            parts.push((Automaton::word(&word)?, word));
        }
    }
    let mut skips = |by, message| is_skipped(system, config, by, message);
    let mut passed = all.letters();
    passed.retain(|&message| ears.iter().all(|&by| skips(by, message)));
    while let Some(order) = todo.pop() {
        let with_more = all.ordered(&passed, &order, true)?;
        let decided = ears.iter().all(|&by| order.iter().any(|&message| !skips(by, message)));
        if decided {
            parts.push((with_more, order));
            continue;
        }
        let new = |m: &MessageId| !passed.contains(m) && !order.contains(m);
        let next = with_more.letters().into_iter().filter(new);
        todo.extend(next.map(|letter| [&order[..], &[letter]].concat()));
        parts.push((all.ordered(&passed, &order, false)?, order));
        within_limit(parts.len() + todo.len())?;
    }
    parts.retain(|(part, _)| !part.is_none());
    let stand = |(part, order): (_, Vec<_>)| (system.words_mut().intern(&order), part);
    Ok(parts.into_iter().map(stand).collect())
}

/// Whether a machine that listens passes over a message.
fn is_skipped(system: &mut System, config: &Config, by: Ear, message: MessageId) -> bool {
    let (machine, ear) = by;
    let watched = system.program().outline().store_is_watched;
    let store = if watched { StoreId::NONE } else { config.store };
    let local = config.local(machine);
    let reception = system.program_mut().reception(machine, local, store, ear, message);
    matches!(reception, Reception::Skip)
}
