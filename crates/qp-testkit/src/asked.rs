//! A program of which something else is asked than it says itself: other formulas, other marks, fairness.

use qp_base::Span;
use qp_machines::{
    ConditionId, EarId, Failure, FailureId, LocalId, MachineId, MessageId, Model, Move, Moves,
    Names, Observed, Outline, Program, QueueId, Reception, SeedId, Start, StoreId, Suspect, Turn,
    World,
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

    fn cells(&self, store: StoreId) -> Vec<i32> {
        self.program.cells(store)
    }

    fn store_of(&mut self, cells: &[i32]) -> StoreId {
        self.program.store_of(cells)
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

impl Moves for Asked {
    fn moves(&mut self, machine: MachineId, local: LocalId, store: StoreId) -> Vec<Move> {
        self.program.moves(machine, local, store)
    }

    fn reception(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: StoreId,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        self.program.reception(machine, local, store, ear, message)
    }

    fn hears_alike(&self, ear: EarId) -> bool {
        self.program.hears_alike(ear)
    }

    fn born(&mut self, seed: SeedId, machine: MachineId, first_queue: QueueId) -> LocalId {
        self.program.born(seed, machine, first_queue)
    }

    fn resume(&mut self, local: LocalId, child: MachineId, first_queue: QueueId) -> LocalId {
        self.program.resume(local, child, first_queue)
    }

    fn in_order(&self, earlier: MessageId, later: MessageId) -> bool {
        self.program.in_order(earlier, later)
    }

    fn observe(&mut self, store: StoreId, message: MessageId) -> Observed {
        self.program.observe(store, message)
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

    fn store_text(&self, store: StoreId) -> String {
        self.program.store_text(store)
    }

    fn store_from_text(&mut self, text: &str) -> Option<StoreId> {
        self.program.store_from_text(text)
    }

    fn failure(&self, failure: FailureId) -> Failure {
        self.program.failure(failure)
    }

    fn suspect(&self) -> Option<Suspect> {
        self.program.suspect()
    }
}
