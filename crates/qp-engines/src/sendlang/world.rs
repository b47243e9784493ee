//! The system as a source of sends, and why a search in it stops.

use qp_base::{Budget, Exhausted, Interner, Spent, define_index};
use qp_claim::Reason;
use qp_machines::{
    Config, Event, FailureId, Loss, MachineId, MessageId, Model, Outcome, QueueId, System, Turn,
};

use super::lists::Lists;

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
    /// Where every run begins.
    pub(super) start: Config,
    pub(super) sends: Interner<SendId, Send>,
    budget: &'a Budget,
    /// Configurations that were expanded, in all searches together.
    pub(super) expanded: u64,
}

impl<'a> World<'a> {
    pub(super) fn new(model: &Model, budget: &'a Budget) -> Self {
        let mut system = model.system();
        let start = system.initial();
        Self { system, start, sends: Interner::new(), budget, expanded: 0 }
    }

    /// Every step, with what it sends. Runs that fail end before that.
    pub(super) fn steps(
        &mut self,
        config: &Config,
    ) -> Result<Vec<(Option<SendId>, Outcome)>, Stop> {
        self.look(config)?;
        let mut steps = Vec::new();
        for outcome in self.system.successors(config) {
            let (machine, event) = (outcome.step.machine, outcome.event);
            if let Event::GaveUp { why } = event {
                return Err(self.gave_up(why));
            }
            if !matches!(event, Event::Failed { .. }) {
                let send = self.sends_in((config, machine), outcome.events(), &outcome.config)?;
                steps.push((send, outcome));
            }
        }
        Ok(steps)
    }

    /// Every step of everything that looks like a configuration, with what it sends and what may come of it.
    pub(super) fn blurred(
        &mut self,
        config: &Config,
        prefix: u32,
    ) -> Result<Vec<(Option<SendId>, Config)>, Stop> {
        self.look(config)?;
        let mut steps = Vec::new();
        for timeout in [false, true] {
            let mut certain = false;
            for machine in config.machines() {
                let mut lists = Lists::new(prefix as usize);
                loop {
                    let turns = self.system.turns_with(config, machine, timeout, &mut lists);
                    certain |= lists.is_certain() && !turns.is_empty();
                    for turn in &turns {
                        steps.extend(self.blurred_step((config, machine), turn)?);
                    }
                    if lists.sorts {
                        return self.refuse((config, machine), "messages are sorted into queues");
                    }
                    if !lists.ask_again().map_err(|()| Stop::TooLarge)? {
                        break;
                    }
                }
            }
            // What waits until nothing else can happen waits for ever while something is possible whatever is in queues.
            if certain {
                break;
            }
        }
        Ok(steps)
    }

    fn blurred_step(
        &mut self,
        (config, machine): (&Config, MachineId),
        turn: &Turn,
    ) -> Result<Option<(Option<SendId>, Config)>, Stop> {
        match turn {
            Turn::Does { acts, .. } => {
                let (_, after) = self.system.played(config, turn);
                let events = acts.iter().map(|act| act.event);
                Ok(Some((self.sends_in((config, machine), events, &after)?, after)))
            }
            Turn::Fails { .. } => Ok(None),
            &Turn::GivesUp { why } => Err(self.gave_up(why)),
        }
    }

    /// What is sent in a step; several sends are refused.
    fn sends_in(
        &mut self,
        at: (&Config, MachineId),
        events: impl Iterator<Item = Event>,
        after: &Config,
    ) -> Result<Option<SendId>, Stop> {
        if after.holder.is_some() {
            return self.refuse(at, "a machine goes on alone as long as it can");
        }
        let mut sends = events.filter_map(|event| sent(at.1, event));
        match (sends.next(), sends.next()) {
            (None, _) => Ok(None),
            (Some(send), None) => Ok(Some(self.sends.intern(send))),
            (Some(_), Some(_)) => self.refuse(at, "a step sends several messages"),
        }
    }

    fn refuse<T>(&self, (config, machine): (&Config, MachineId), why: &str) -> Result<T, Stop> {
        let because = self.system.told((machine, config.local(machine)), None, why);
        Err(Stop::Refused(Reason::OutsideFragment { because }))
    }

    fn gave_up(&self, why: FailureId) -> Stop {
        let failure = self.system.program().failure(why);
        Stop::Refused(Reason::Program { text: failure.text, span: failure.span })
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

    /// Counts a configuration that is expanded, and refuses queues that lose messages.
    fn look(&mut self, config: &Config) -> Result<(), Stop> {
        self.expanded += 1;
        self.spend(0)?;
        let loses = |queue| self.system.kind(config, queue).loss != Loss::Never;
        if config.queues().any(loses) {
            let because = "queues may lose messages".to_owned();
            return Err(Stop::Refused(Reason::OutsideFragment { because }));
        }
        Ok(())
    }
}

/// What is sent when something happens.
pub(super) fn sent(machine: MachineId, event: Event) -> Option<Send> {
    match event {
        Event::Sent { queue, message }
        | Event::Lost { queue, message }
        | Event::Handshake { queue, message, .. } => Some((machine, queue, message)),
        _ => None,
    }
}
