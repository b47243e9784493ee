//! How a program tells of itself: names, places and texts, for reports and files.
//!
//! Nothing here decides what a run does.

use qp_base::{Code, Span};

use crate::{FailureId, LocalId, MachineId, MessageId, Program, Property, Site};

/// What things are called, where they are written, and texts that name them completely.
pub trait Names {
    /// The control state that a local state shows to users; equal names are one control state.
    fn control_name(&self, machine: MachineId, local: LocalId) -> String;

    /// Where the control state is written in the user's text.
    fn control_span(&self, machine: MachineId, local: LocalId) -> Span;

    /// Where the next action is written, if the language has a place for it that says more than the
    /// control state's.
    fn action_span(&self, machine: MachineId, local: LocalId) -> Option<Span> {
        let _ = (machine, local);
        None
    }

    /// The statement that a machine carried out on its way from one local state to another, for languages that
    /// have statements. `number` is that of an [`crate::Act`]; without one, the step is a single statement.
    fn deed(
        &self,
        machine: MachineId,
        from: LocalId,
        to: LocalId,
        number: Option<u32>,
    ) -> Option<Deed> {
        let _ = (machine, from, to, number);
        None
    }

    /// The variables of a machine that differ in two of its local states, with what they hold in the second.
    fn assigned(&self, machine: MachineId, from: LocalId, to: LocalId) -> Vec<Assigned> {
        let _ = (machine, from, to);
        Vec::new()
    }

    /// The shared variables that differ, with what they hold in the second place.
    fn assigned_shared(&self, from: &[i32], to: &[i32]) -> Vec<Assigned> {
        let _ = (from, to);
        Vec::new()
    }

    /// A text that names the local state completely, the same in every run of the same program.
    fn local_text(&self, machine: MachineId, local: LocalId) -> String;

    /// The local state named by [`Names::local_text`].
    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId>;

    /// The message as the user would write it, payload included; names it completely.
    fn message_text(&self, message: MessageId) -> String;

    /// The same program with all values, if this one leaves out or forgets what decides about nothing: what one of the
    /// two can do, the other can do in the same steps, apart from choices of such values.
    fn in_full(&self) -> Option<Box<dyn Program>> {
        None
    }

    /// The message as it is shown to people: what the program does not keep of it is `..`.
    fn message_shown(&self, message: MessageId) -> String {
        self.message_text(message)
    }

    /// The message named by [`Names::message_text`].
    fn message_from_text(&mut self, text: &str) -> Option<MessageId>;

    /// The values of all shared variables, completely; "" if there are none.
    fn store_text(&self, cells: &[i32]) -> String {
        debug_assert!(cells.is_empty(), "shared variables without a text");
        String::new()
    }

    /// The values named by [`Names::store_text`].
    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        text.is_empty().then(Vec::new)
    }

    /// What went wrong.
    fn failure(&self, failure: FailureId) -> Failure {
        unreachable!("bug in Queueproof: {failure:?} cannot happen")
    }

    /// The name of a machine, where the outline has none: it was created at run time.
    fn machine_name(&self, machine: MachineId, local: LocalId) -> Option<String> {
        let _ = (machine, local);
        None
    }

    /// The places of the text to which nothing leads that it was asked about so far, in the order of the text; none
    /// if it does not keep track. Whoever has asked about everything that can happen, and perhaps about more, learns
    /// what never does. A fork begins anew.
    fn unvisited(&self) -> Option<Vec<Site>> {
        None
    }

    /// The variable that had most values while the program was asked, whether or not they are many.
    fn widest(&self) -> Option<Widest> {
        None
    }

    /// A variable whose values grew more than others while the program was asked: the likely reason why
    /// a search does not end.
    fn suspect(&self) -> Option<Suspect> {
        None
    }
}

/// What went wrong, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The property that it violates: one of [`crate::Outline::failing`].
    pub property: Property,
    /// The kind of failure.
    pub code: Code,
    /// One line, without the name of the machine.
    pub text: String,
    /// Where it happens.
    pub span: Option<Span>,
}

/// A statement that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Where it is written.
    pub span: Span,
    /// The statement, as the user would write it.
    pub text: String,
}

/// A variable that has a new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// Its name; `a[2]` or `r.field` for a part of one.
    pub name: String,
    /// The value, as the user would write it.
    pub value: String,
}

/// A variable that had many values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Widest {
    /// Its name: "`count` of Client".
    pub name: String,
    /// How many.
    pub n_values: usize,
    /// Of what: `values`, or `lengths` of a collection.
    pub what: &'static str,
    /// Where it is declared.
    pub span: Span,
}

/// A variable that may be the reason for an endless search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// Its name, and what was seen: "`count` of Client, which took 4182 values".
    pub text: String,
    /// Where it is declared.
    pub span: Span,
}
