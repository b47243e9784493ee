//! What an engine has answered so far, and why the rest is open.

use qp_claim::{Claim, Reason};
use qp_machines::Property;

use crate::stop::Stop;
use crate::{Answer, Answers, Figures, Task};

/// The answers of an engine in the making.
pub(crate) struct Settled<'a> {
    task: &'a Task,
    treats: fn(Property) -> bool,
    given: Vec<Answer>,
    /// Why the rest is open.
    pub(crate) why: Reason,
    /// Everything but the claims.
    pub(crate) answers: Answers,
}

impl<'a> Settled<'a> {
    pub(crate) fn new(task: &'a Task, treats: fn(Property) -> bool) -> Self {
        let (given, answers) = (Vec::new(), Answers::default());
        Self { task, treats, given, why: Reason::NotThisProperty, answers }
    }

    /// The properties that are treated and have no answer.
    pub(crate) fn open(&self) -> Vec<Property> {
        let open = |p: &Property| self.is_treated(*p) && self.of(*p).is_none();
        self.task.properties.iter().copied().filter(open).collect()
    }

    /// Choices that are fair are told from others by `explore` alone.
    fn is_treated(&self, property: Property) -> bool {
        (self.treats)(property) && !property.is_live(self.task.model.outline())
    }

    /// Whether a property is to be answered.
    pub(crate) fn is_open(&self, property: Property) -> bool {
        self.open().contains(&property)
    }

    fn of(&self, property: Property) -> Option<&Answer> {
        self.given.iter().find(|answer| answer.property == property)
    }

    pub(crate) fn settle(&mut self, property: Property, claim: Claim, figures: Figures) {
        self.given.push(Answer { property, claim, figures });
    }

    /// Why the engine stops before everything is answered.
    pub(crate) fn note(&mut self, stop: &Stop) {
        if let Stop::Exhausted(exhausted) = stop {
            self.answers.spent = Some(*exhausted);
        }
        self.why = stop.reason();
    }

    /// An answer to everything. `other` knows more about why some of it is open.
    pub(crate) fn finish(mut self, other: impl Fn(Property) -> Option<Reason>) -> Answers {
        let answer = |&property: &Property| {
            self.of(property).cloned().unwrap_or_else(|| {
                let why =
                    if self.is_treated(property) { &self.why } else { &Reason::NotThisProperty };
                let why = other(property).unwrap_or_else(|| why.clone());
                Answer { property, claim: Claim::GaveUp(why), figures: Figures::default() }
            })
        };
        self.answers.claims = self.task.properties.iter().map(answer).collect();
        self.answers
    }
}
