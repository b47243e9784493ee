//! What the others can do while some machines stand still, as far as the control flow of the program tells.
//!
//! Facts are derived from facts until nothing is new: that a machine may be at a stage, that a message of a kind may be
//! in a queue, that a machine may move. Machines that do not exist yet are one for each stage at which one begins, and
//! may find any message.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::Map;
use qp_machines::{
    Config, Doing, LocalId, MachineId, Mailbox, Prospects, QueueId, Reach, StageId, System, Touch,
    Whereabouts,
};

/// What was asked, with the answers.
pub(super) struct Meanwhile {
    prospects: Arc<Prospects>,
    /// Everything that is ever touched, with the class of those who do.
    ever: BTreeSet<(u32, Reach)>,
    places: Map<(MachineId, LocalId), Place>,
    known: Map<Question, bool>,
}

/// The class and the stages of a machine, if they are known.
type Place = Option<(u32, Vec<StageId>)>;

/// Everything on which an answer depends.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    first: Vec<MachineId>,
    needs: Vec<Touch>,
    /// For each machine: its class and its stages, and whether it can move now.
    machines: Vec<(Place, bool)>,
    /// For each queue: the kinds of messages in it.
    kinds: Vec<BTreeSet<u32>>,
}

/// A machine that exists, or one that begins at a stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Old(usize),
    New(StageId),
}

/// Something that may come to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    At(Who, StageId),
    Holds(usize, u32),
    /// Something is put into a queue, or taken from it.
    Changes(usize),
    Moves(Who),
}

impl Meanwhile {
    /// For a system whose control flow is known.
    pub(super) fn of(system: &mut System) -> Option<Self> {
        let prospects = system.program_mut().as_moves()?.prospects()?;
        let stages = prospects.stages.iter();
        let ever =
            stages.flat_map(|it| it.reaches.iter().map(|&reach| (it.class, reach))).collect();
        Some(Self { prospects, ever, places: Map::default(), known: Map::default() })
    }

    /// Whether a machine other than the first ones may touch what they need as long as they stand still.
    pub(super) fn interfere(
        &mut self,
        system: &mut System,
        config: &Config,
        first: &[MachineId],
        needs: &BTreeSet<Touch>,
    ) -> bool {
        let mut question = Question {
            first: first.to_vec(),
            needs: needs.iter().copied().collect(),
            machines: Vec::new(),
            kinds: Vec::new(),
        };
        for machine in config.machines() {
            let local = config.local(machine);
            let place = self.places.entry((machine, local)).or_insert_with(|| {
                let place = system.program_mut().as_moves()?.whereabouts(machine, local);
                place.map(|Whereabouts { class, stages }| (class, stages))
            });
            let place = place.clone();
            let view = system.view(config, machine, false);
            question.machines.push((place, !view.turns.is_empty() || !view.waits));
        }
        for &word in &config.words {
            let messages = system.words().messages(word).into_iter();
            let kinds = messages.map(|it| system.message_kind(it)).collect();
            question.kinds.push(kinds);
        }
        let prospects = &self.prospects;
        if !self.ever.iter().any(|&(class, reach)| question.ever(class, reach)) {
            return false;
        }
        *self.known.entry(question).or_insert_with_key(|question| answer(prospects, question))
    }
}

impl Question {
    fn class(&self, queue: usize) -> Option<u32> {
        Some(self.machines.get(queue)?.0.as_ref()?.0)
    }

    /// Whether somebody of a class touches what is needed when it touches this: one who is not first, or one who does
    /// not exist yet. Whoever is not known may do anything.
    fn ever(&self, class: u32, reach: Reach) -> bool {
        let is_known = |it: usize| self.is_first(Who::Old(it)) || self.machines[it].0.is_some();
        if !(0..self.machines.len()).all(is_known) {
            return true;
        }
        let is_one = |place: &Place| place.as_ref().is_none_or(|it| it.0 == class);
        let old = (0..self.machines.len()).filter(|&it| is_one(&self.machines[it].0)).map(Who::Old);
        let mut others = old.filter(|&who| !self.is_first(who));
        others.any(|who| touches(self, who, reach))
            || touches(self, Who::New(StageId::new(0)), reach)
    }

    fn is_first(&self, who: Who) -> bool {
        matches!(who, Who::Old(it) if self.first.contains(&MachineId::new(it)))
    }

    /// The queues that somebody may mean.
    fn meant(&self, who: Who, mailbox: Mailbox) -> impl Iterator<Item = usize> {
        let may = move |&it: &usize| mailbox.may_be(number(who), QueueId::new(it), self.class(it));
        (0..self.kinds.len()).filter(may)
    }
}

fn number(who: Who) -> Option<usize> {
    match who {
        Who::Old(it) => Some(it),
        Who::New(_) => None,
    }
}

fn answer(prospects: &Prospects, question: &Question) -> bool {
    let mut facts = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    for (number, (place, moves)) in question.machines.iter().enumerate() {
        let who = Who::Old(number);
        if question.is_first(who) {
            continue;
        }
        match place {
            Some((_, stages)) => facts.extend(stages.iter().map(|&it| Fact::At(who, it))),
            None => drop(unknown.insert(who)),
        }
        if *moves {
            facts.insert(Fact::Moves(who));
        }
    }
    for (queue, kinds) in question.kinds.iter().enumerate() {
        facts.extend(kinds.iter().map(|&kind| Fact::Holds(queue, kind)));
    }
    loop {
        let mut more = facts.clone();
        for &fact in &facts {
            if let Fact::At(who, stage) = fact {
                derive(prospects, question, (who, stage), &facts, &mut more);
            }
        }
        if more == facts {
            break;
        }
        facts = more;
    }
    // Whoever may do anything is in the way.
    let changes = facts.iter().any(|fact| matches!(fact, Fact::Changes(_)));
    if unknown.iter().any(|&who| changes || facts.contains(&Fact::Moves(who))) {
        return true;
    }
    facts.iter().any(|fact| match *fact {
        Fact::At(who, stage) if facts.contains(&Fact::Moves(who)) => {
            let reaches = &prospects.stages[stage].reaches;
            reaches.iter().any(|&it| touches(question, who, it))
        }
        Fact::At(..) | Fact::Holds(..) | Fact::Changes(_) | Fact::Moves(_) => false,
    })
}

fn touches(question: &Question, who: Who, reach: Reach) -> bool {
    let class = |queue: QueueId| question.class(queue.index());
    question.needs.iter().any(|&touch| reach.meets(number(who), touch, class))
}

/// Adds what follows from a machine being at a stage.
fn derive(
    prospects: &Prospects,
    question: &Question,
    (who, stage): (Who, StageId),
    facts: &BTreeSet<Fact>,
    more: &mut BTreeSet<Fact>,
) {
    let ways = &prospects.stages[stage].ways;
    if !facts.contains(&Fact::Moves(who)) {
        // A queue that is not what it was may let it move.
        let wakes = ways.iter().any(|(doing, _)| match doing {
            Doing::Takes(mailbox, _) => {
                question.meant(who, *mailbox).any(|queue| facts.contains(&Fact::Changes(queue)))
            }
            Doing::Nothing | Doing::Puts(..) | Doing::Starts(_) => false,
        });
        if wakes {
            more.insert(Fact::Moves(who));
        }
        return;
    }
    for &(doing, to) in ways {
        match doing {
            Doing::Nothing => {}
            Doing::Takes(mailbox, kind) => {
                let there = |queue| facts.contains(&Fact::Holds(queue, kind));
                if number(who).is_some() && !question.meant(who, mailbox).any(there) {
                    continue;
                }
                more.extend(question.meant(who, mailbox).map(Fact::Changes));
            }
            Doing::Puts(mailbox, kind) => {
                for queue in question.meant(who, mailbox) {
                    more.extend([Fact::Holds(queue, kind), Fact::Changes(queue)]);
                }
            }
            Doing::Starts(first) => {
                let child = Who::New(first);
                more.extend([Fact::At(child, first), Fact::Moves(child)]);
            }
        }
        more.extend(to.map(|to| Fact::At(who, to)));
    }
}
