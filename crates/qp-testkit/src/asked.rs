//! A program of which something else is asked than it says itself: other formulas, other marks, fairness.

use qp_base::Span;
use qp_machines::{
    ConditionId, Failure, FailureId, LocalId, MachineId, MessageId, Model, Moves, Names, Outline,
    Program, Start, Suspect, Turn, World,
};

/// A program with another outline, and with marks of its own.
pub struct Asked {
    program: Box<dyn Program>,
    outline: Outline,
    /// Decides which local states are marked.
    seed: u64,
}

impl Asked {
    /// Asks something else of a model. Local states are marked by chance.
    pub fn model(model: &Model, seed: u64, change: impl FnOnce(&mut Outline)) -> Model {
        let program = model.program.fork();
        let mut outline = program.outline().clone();
        (outline.has_progress, outline.has_accepting) = (true, true);
        change(&mut outline);
        Model::new(Self { program, outline, seed })
    }

    fn mark(&self, machine: MachineId, local: LocalId) -> u8 {
        marks(self.seed, machine, &self.program.local_text(machine, local))
    }
}

/// Bit 0 for progress, bit 1 for acceptance: one local state in four has each.
fn marks(seed: u64, machine: MachineId, text: &str) -> u8 {
    let mut sum = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(machine.raw());
    for byte in text.bytes() {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let sum = sum ^ (sum >> 29);
    u8::from(sum.is_multiple_of(4)) | u8::from((sum >> 8).is_multiple_of(4)) << 1
}

impl Program for Asked {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        let (program, outline) = (self.program.fork(), self.outline.clone());
        Box::new(Self { program, outline, seed: self.seed })
    }

    fn start(&mut self) -> Start {
        self.program.start()
    }

    fn may_rest(&self, machine: MachineId, local: LocalId) -> bool {
        self.program.may_rest(machine, local)
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        self.program.turns(machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        self.program.as_moves()
    }

    fn holds(&mut self, condition: ConditionId, world: &mut dyn World) -> bool {
        self.program.holds(condition, world)
    }

    fn is_progress(&self, machine: MachineId, local: LocalId) -> bool {
        self.mark(machine, local) & 1 == 1
    }

    fn is_accepting(&self, machine: MachineId, local: LocalId) -> bool {
        self.mark(machine, local) & 2 == 2
    }
}

impl Names for Asked {
    fn control_name(&self, machine: MachineId, local: LocalId) -> String {
        self.program.control_name(machine, local)
    }

    fn control_span(&self, machine: MachineId, local: LocalId) -> Span {
        self.program.control_span(machine, local)
    }

    fn local_text(&self, machine: MachineId, local: LocalId) -> String {
        self.program.local_text(machine, local)
    }

    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId> {
        self.program.local_from_text(machine, text)
    }

    fn message_text(&self, message: MessageId) -> String {
        self.program.message_text(message)
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        self.program.message_from_text(text)
    }

    fn store_text(&self, cells: &[i32]) -> String {
        self.program.store_text(cells)
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        self.program.store_from_text(text)
    }

    fn failure(&self, failure: FailureId) -> Failure {
        self.program.failure(failure)
    }

    fn suspect(&self) -> Option<Suspect> {
        self.program.suspect()
    }
}
