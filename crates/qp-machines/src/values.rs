//! What a program does with the whole numbers that it holds, and how its parts are taken apart into them.
//!
//! Which number it is often does not matter: an identifier is copied and compared, and nothing else. To find that out,
//! and to check it, one has to know where numbers are kept (*slots*), which slots exchange them, and what is done with
//! them at which place of the code. A program says that once ([`ValueFlow`]), instruction by instruction; what follows
//! from it is for others to find (`docs/decisions/015-sorts.md`).

use std::sync::Arc;

use qp_base::{IndexVec, Span, define_index};

use crate::{LocalId, MachineId, MessageId};

define_index!(
    SlotId,
    "n",
    "A place in a program that holds whole numbers: a variable, a field, a key."
);
define_index!(ClassId, "y", "Sets or maps that are declared at one place.");

/// A program that says what it does with numbers.
pub trait Values {
    /// Where numbers are kept, and what is done with them.
    fn value_flow(&mut self) -> Arc<ValueFlow>;

    /// A part of a configuration, taken apart; nothing if it is not known where in the code it is.
    fn apart(&mut self, part: Part) -> Option<Apart>;

    /// The same part with other terms; they have the form of its own.
    fn with_terms(&mut self, part: Part, terms: &[Term]) -> Part;
}

/// A part of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A local state of a machine.
    Local(MachineId, LocalId),
    /// A message.
    Message(MessageId),
    /// What is shared.
    Store(i32),
}

/// A part of a configuration, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Everything but the terms, by number: parts with the same number differ in their terms alone.
    pub shape: u32,
    /// Where it is in the code: nodes of the [`ValueFlow`]. What can still be executed is what can be from there.
    pub nodes: Vec<u32>,
    /// The values that can still be read, in a fixed order.
    pub terms: Arc<[Term]>,
}

/// A value, as far as it is made of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A number in a slot.
    Number(SlotId, i64),
    /// Anything without numbers that are in slots, by number.
    Atom(u32),
    /// Several values in order; the number says of what kind it is.
    Tuple(u32, Vec<Self>),
    /// A set, in any order.
    Set(ClassId, Vec<Self>),
    /// A map from keys to values, in any order.
    Map(ClassId, Vec<(Self, Self)>),
}

/// Where a program keeps numbers, and what it does with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValueFlow {
    /// All slots.
    pub slots: IndexVec<SlotId, Slot>,
    /// How many classes of collections there are.
    pub n_classes: usize,
    /// Slots between which numbers are copied, or compared.
    pub same: Vec<(SlotId, SlotId)>,
    /// Collections that are copied as a whole, or compared.
    pub alike: Vec<(ClassId, ClassId)>,
    /// Collections that are counted, compared or gone through.
    pub counted: Vec<ClassId>,
    /// The control flow: instructions, and states in which machines wait.
    pub nodes: Vec<FlowNode>,
}

/// A slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The user's name for it: "`rId` of eReq". Empty if it has none.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether it is in keys of maps or elements of sets.
    pub is_key: bool,
}

/// A place of the code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowNode {
    /// What is done there with numbers.
    pub uses: Vec<(SlotId, Use)>,
    /// Where it may go on; a creation also goes on where the new machine begins.
    pub next: Vec<u32>,
}

/// What is done with a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Use {
    /// It is compared for equality, or is a key or an element that is looked for, put in or taken out.
    Equal,
    /// It is this number, or is compared for equality with it.
    Literal(i64),
    /// It is compared: is it less than this?
    Cut(i64),
    /// It is any number from 0 up to this, exclusively.
    Choose(i64),
    /// Something greater than 0 is added to the variable: a *generator*.
    Step,
    /// A generator is made, or assigned in another way.
    Reset,
    /// A number and a constant greater than 0 are added in another way.
    Shift,
    /// The same with a constant less than 0.
    Back,
    /// It is compared with another one: which is less?
    Order,
    /// Entries that it belongs to are counted, compared or drawn.
    Size,
    /// Entries that it belongs to are gone through in an order that depends on it.
    Walk,
    /// Anything else.
    Other,
}
