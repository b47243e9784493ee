//! The system as a source of sends, and why a search in it stops.

use qp_base::{Budget, Exhausted, Interner, Spent, define_index};
use qp_claim::Reason;
use qp_machines::{
    Condition, Config, Effect, Event, Guard, MachineId, MessageId, Model, Move, Outcome, Place,
    QueueId, QueueKind, System,
};

define_index!(SendId, "s", "A send: who, what and where to.");

/// A send: who, what and where to.
pub(super) type Send = (MachineId, QueueId, MessageId);

/// Why a search stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// A limit of the user was met.
    Spent(Exhausted),
    /// A limit of this engine was met: something else may still work.
    TooLarge,
    /// Nothing can be said, and this is why.
    Refused(Reason),
}

/// The system, and all sends met so far.
pub(super) struct World<'a> {
    pub(super) system: System,
    pub(super) sends: Interner<SendId, Send>,
    budget: &'a Budget,
    /// Configurations that were expanded, in all searches together.
    pub(super) expanded: u64,
}

impl<'a> World<'a> {
    pub(super) fn new(model: &Model, budget: &'a Budget) -> Result<Self, Stop> {
        let outline = model.outline();
        if outline.whole {
            return refuse(
                "one step may do several things and look at all processes and whole queues",
            );
        }
        if !outline.local {
            let because =
                "a queue has several readers, hands messages over, or loses what does not fit";
            return refuse(because);
        }
        Ok(Self { system: model.system(), sends: Interner::new(), budget, expanded: 0 })
    }

    /// Every step, with what it sends. Runs that fail end before that.
    pub(super) fn steps(
        &mut self,
        config: &Config,
    ) -> Result<Vec<(Option<SendId>, Outcome)>, Stop> {
        self.expanded += 1;
        self.spend(0)?;
        self.check(config)?;
        let mut steps = Vec::new();
        for outcome in self.system.successors(config) {
            match outcome.event {
                Event::Sent { queue, message } | Event::Lost { queue, message } => {
                    let send = self.sends.intern((outcome.step.machine, queue, message));
                    steps.push((Some(send), outcome));
                }
                Event::Failed { .. } => {}
                Event::GaveUp { why } => {
                    let failure = self.system.program().failure(why);
                    let reason = Reason::Program { text: failure.text, span: failure.span };
                    return Err(Stop::Refused(reason));
                }
                Event::Ended | Event::Handshake { .. } => {
                    return refuse("machines end, or a queue hands messages over");
                }
                _ => steps.push((None, outcome)),
            }
        }
        Ok(steps)
    }

    /// Asks the budget now and then.
    pub(super) fn spend(&self, elements: u64) -> Result<(), Stop> {
        let spent = Spent { states: self.expanded, bytes: elements * 16 + self.expanded * 256 };
        self.budget.check(spent).map_err(Stop::Spent)
    }

    /// A send in the user's words.
    pub(super) fn text(&self, send: SendId) -> String {
        self.system.program().message_shown(self.sends.value(send).2)
    }

    /// Refuses what a full queue could change in another way than by letting a sender wait.
    fn check(&mut self, config: &Config) -> Result<(), Stop> {
        if config.queues().any(|queue| self.system.kind(config, queue) != QueueKind::UNBOUNDED) {
            return refuse("a queue has a declared capacity or loses messages");
        }
        for machine in config.machines() {
            let moves = self.system.moves(machine, config.local(machine), config.store);
            if moves.iter().any(is_odd) {
                return refuse("a step depends on how many messages are in a queue");
            }
        }
        Ok(())
    }
}

fn is_odd(mv: &Move) -> bool {
    let counts = |guard: &Guard| match guard {
        Guard::Holds(_, condition) | Guard::HoldsNot(_, condition) => match condition {
            Condition::Empty | Condition::Ready(_) => false,
            Condition::Full | Condition::LengthBelow(_) | Condition::Fewer(..) => true,
        },
        Guard::Idle => false,
        Guard::Else | Guard::Timeout => true,
    };
    let sorted = matches!(mv.effect, Effect::Send { place: Place::Sorted, .. });
    mv.guards.iter().any(counts) || sorted || mv.hold
}

fn refuse<T>(because: &str) -> Result<T, Stop> {
    Err(Stop::Refused(Reason::OutsideFragment { because: because.to_owned() }))
}
