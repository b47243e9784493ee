//! What a machine can do in one value of its part, worked out by the one step function and written down
//! as numbers.

use qp_machines::{After, Condition, Config, Effect, Event, Guard, LocalId, MachineId, Move, Turn};

use super::super::marks::{Ends, Marks};
use super::super::parts::{
    CompiledStep, Deed, GATE, Gate, NONE, SKIPPED, SPECIAL, Special, UNKNOWN,
};
use super::{Compiled, bare};

impl Compiled {
    /// Works out the steps and marks of one value of one part.
    pub(crate) fn compile(&mut self, part: usize, value: u32) {
        debug_assert_eq!(self.tables.parts[part].ranges[value as usize], UNKNOWN);
        let config = self.with(part, value);
        let mut marks = self.marks_in(&config, part, value);
        let start = self.tables.parts[part].steps.len() as u32;
        let home = &self.tables.parts[part];
        if let Some(machine) = home.machine.filter(|_| !home.is_absent(value)) {
            let moves = self.system.moves(machine, config.local(machine), config.store);
            for (number, mv) in moves.iter().flat_map(|it| it.iter()).enumerate() {
                let creates = Deed::Create { value, number: number as u32 };
                self.compile_move((part, value), &config, (machine, mv), creates, &mut marks);
            }
        }
        let end = self.tables.parts[part].steps.len() as u32;
        self.tables.parts[part].ranges[value as usize] = (start, end);
        self.tables.parts[part].marks[value as usize] = marks;
    }

    fn compile_move(
        &mut self,
        (part, value): (usize, u32),
        config: &Config,
        (machine, mv): (MachineId, &Move),
        creates: Deed,
        marks: &mut Marks,
    ) {
        let is_own = |guard: &Guard| match *guard {
            Guard::Holds(queue, _) | Guard::HoldsNot(queue, _) => {
                self.tables.queues[queue.index()].part as usize == part
            }
            Guard::Idle => true,
            Guard::Else | Guard::Timeout => {
                unreachable!("bug in Queueproof: {guard:?} is not local")
            }
        };
        let (own, foreign): (Vec<Guard>, Vec<Guard>) = mv.guards.iter().partition(|g| is_own(g));
        if !own.is_empty() && !self.system.allowed(config, machine, &own, false) {
            return;
        }
        let gate = self.gate(foreign, machine, config.local(machine));
        let announces = mv.announce.map(|message| {
            assert!(!matches!(mv.effect, Effect::Receive { .. }), "receives announce nothing");
            let watchers = self.tables.watchers.as_mut();
            let watchers = watchers.expect("who announces is watched");
            watchers.letters.intern(message) as u32
        });
        if matches!(mv.effect, Effect::Spawn { .. }) {
            return self.push(part, gate, announces, creates);
        }
        if let Effect::Receive { queue, .. } | Effect::Close { queue } = mv.effect {
            assert!(
                self.tables.queues[queue.index()].part as usize == part,
                "bug in Queueproof: a program that is said to be local reads a foreign queue"
            );
        }
        let found = self.system.performed(config, machine, &bare(mv));
        if found.is_empty() && announces.is_some() {
            self.push(part, gate, announces, Deed::Wait);
        }
        let is_special = gate.is_some() || announces.is_some();
        for turn in found {
            let event = turn.event();
            match (turn, Ends::of(self.system.program(), event)) {
                // Whether anybody watches for it or not, it counts.
                (_, Some(ends)) if is_special || ends == Ends::GAVE_UP => {
                    self.push(part, gate, announces, Deed::End(ends));
                }
                (_, Some(ends)) => marks.ends.join(ends),
                (Turn::Does { after, .. }, None) => {
                    let step = self.compile_step((part, value), event, &after);
                    self.push(part, gate, announces, Deed::Step(step));
                }
                (Turn::Fails { .. } | Turn::GivesUp { .. }, None) => {
                    unreachable!("bug in Queueproof: {event:?} is no end")
                }
            }
        }
    }

    /// The queue of another part that these guards ask about, and the number of the question there.
    fn gate(
        &mut self,
        guards: Vec<Guard>,
        machine: MachineId,
        local: LocalId,
    ) -> Option<(u32, u32)> {
        let program = &*self.system.program_mut().as_moves()?;
        let about = |guard: &Guard| match *guard {
            Guard::Holds(queue, condition) | Guard::HoldsNot(queue, condition) => match condition {
                Condition::Ready(ear) | Condition::Fewer(ear, _) => {
                    (queue, !program.hears_alike(ear))
                }
                Condition::Empty | Condition::Full | Condition::LengthBelow(_) => (queue, false),
            },
            Guard::Idle | Guard::Else | Guard::Timeout => {
                unreachable!("bug in Queueproof: {guard:?} is not about another queue")
            }
        };
        let (queue, _) = about(guards.first()?);
        assert!(
            guards.iter().all(|guard| about(guard).0 == queue),
            "bug in Queueproof: a program that is said to be local asks about two queues at once"
        );
        let hears = guards.iter().any(|guard| about(guard).1);
        let gate = Gate { guards, asker: hears.then_some((machine, local)) };
        let gate = self.tables.queues[queue.index()].gates.intern(gate) as u32;
        Some((queue.raw(), gate))
    }

    fn push(&mut self, part: usize, gate: Option<(u32, u32)>, announces: Option<u32>, deed: Deed) {
        let part = &mut self.tables.parts[part];
        let other = |target, letter| CompiledStep { next: 0, target, letter, takes: NONE };
        if let Some((queue, question)) = gate {
            part.steps.push(other(GATE | queue, question));
        }
        if let (None, Deed::Step(step)) = (announces, deed) {
            part.steps.push(step);
            return;
        }
        let target = SPECIAL | part.specials.len() as u32;
        assert!(target < GATE, "2^30 special steps");
        part.specials.push(Special { announces, deed });
        part.steps.push(other(target, 0));
    }

    fn compile_step(
        &mut self,
        (part, value): (usize, u32),
        event: Event,
        after: &After,
    ) -> CompiledStep {
        let next = self.tables.parts[part].after(value, after);
        let next = self.intern_value(part, next);
        let (mut target, mut letter, mut takes) = (NONE, 0, NONE);
        match event {
            Event::Internal
            | Event::Announced { .. }
            | Event::Lost { .. }
            | Event::Took { kept: true, .. } => {}
            Event::Sent { queue, message } => {
                target = queue.raw();
                letter = self.tables.queues[queue.index()].letters.intern(message) as u32;
            }
            Event::Took { queue, position, kept: false, .. } => {
                takes = queue.raw() | if position > 0 { SKIPPED } else { 0 };
            }
            Event::Closed { queue } => takes = queue.raw(),
            Event::Handshake { .. }
            | Event::Created { .. }
            | Event::Ended
            | Event::Failed { .. }
            | Event::GaveUp { .. } => {
                unreachable!("bug in Queueproof: {event:?} in a local system")
            }
        }
        CompiledStep { next, target, letter, takes }
    }
}
