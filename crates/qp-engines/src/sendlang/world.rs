//! The system as a source of sends, and why a search in it stops.

use qp_base::{Budget, Interner, Spent, define_index};
use qp_machines::{
    Config, Event, Loss, MachineId, MessageId, Model, Outcome, QueueId, System, Turn,
};

pub(super) use crate::stop::Stop;

use super::lists::Lists;

define_index!(SendId, "s", "A send: who, what and where to.");

/// A send: who, what and where to.
pub(super) type Send = (MachineId, QueueId, MessageId);

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
                return Err(Stop::gave_up(&self.system, why));
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
                let mut lists = Lists::new(prefix);
                loop {
                    let turns = self.system.turns_with(config, machine, timeout, &mut lists);
                    certain |= lists.is_certain() && !turns.is_empty();
                    for turn in &turns {
                        steps.extend(self.blurred_step((config, machine), turn)?);
                    }
                    if lists.sorts {
                        return self.refuse((config, machine), "messages are sorted into queues");
                    }
                    if !lists.ask_again().map_err(|()| Stop::TooMuch)? {
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
            &Turn::GivesUp { why } => Err(Stop::gave_up(&self.system, why)),
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
        Err(Stop::outside(self.system.told((machine, config.local(machine)), None, why)))
    }

    /// Asks the budget now and then.
    pub(super) fn spend(&self, elements: u64) -> Result<(), Stop> {
        let spent = Spent { states: self.expanded, bytes: elements * 16 + self.expanded * 256 };
        Ok(self.budget.check(spent)?)
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
            return Err(Stop::outside("queues may lose messages"));
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
