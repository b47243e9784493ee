//! What runs look for, and the shortest run to each that was found.

use qp_machines::{Property, Step};

/// Whether a run can show that the property is violated.
pub(super) fn is_goal(property: Property) -> bool {
    let is_about_lengths = matches!(property, Property::Bounded | Property::Length(..));
    property.is_about_configurations() && !is_about_lengths
}

/// What runs look for.
pub(super) struct Goals {
    goals: Vec<(Property, Option<Vec<Step>>)>,
}

impl Goals {
    pub(super) fn new(properties: &[Property]) -> Self {
        let goals = properties.iter().copied().filter(|&property| is_goal(property));
        Self { goals: goals.map(|property| (property, None)).collect() }
    }

    /// How many goals there are.
    pub(super) fn len(&self) -> usize {
        self.goals.len()
    }

    /// The goal with this number, if it is a bad situation to which a run of this length is wanted.
    pub(super) fn situation(&self, number: usize, length: usize) -> Option<Property> {
        let (property, run) = &self.goals[number];
        let wanted = run.as_ref().is_none_or(|run| length < run.len());
        (wanted && matches!(property, Property::Reach(_))).then_some(*property)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    pub(super) fn all_found(&self) -> bool {
        self.goals.iter().all(|(_, run)| run.is_some())
    }

    pub(super) fn any_found(&self) -> bool {
        self.goals.iter().any(|(_, run)| run.is_some())
    }

    /// The length of the longest run, once there is one to everything.
    pub(super) fn longest(&self) -> Option<usize> {
        let lengths: Option<Vec<usize>> =
            self.goals.iter().map(|(_, run)| run.as_ref().map(Vec::len)).collect();
        lengths.and_then(|lengths| lengths.into_iter().max())
    }

    /// Whether a run of this length is better than what there is.
    pub(super) fn wants(&self, property: Property, length: usize) -> bool {
        let goal = self.goals.iter().find(|(goal, _)| *goal == property);
        goal.is_some_and(|(_, run)| run.as_ref().is_none_or(|run| length < run.len()))
    }

    /// Keeps a run if it is better than what there is.
    pub(super) fn found(&mut self, property: Property, run: &[Step], last: Option<Step>) {
        let length = run.len() + usize::from(last.is_some());
        if self.wants(property, length) {
            let goal = self.goals.iter_mut().find(|(goal, _)| *goal == property);
            let (_, best) = goal.expect("it is wanted");
            *best = Some(run.iter().copied().chain(last).collect());
        }
    }

    pub(super) fn run(&self, property: Property) -> Option<&[Step]> {
        self.goals.iter().find(|(goal, _)| *goal == property)?.1.as_deref()
    }

    /// The runs found, to make them shorter.
    pub(super) fn runs_mut(&mut self) -> impl Iterator<Item = (Property, &mut Vec<Step>)> {
        self.goals.iter_mut().filter_map(|(property, run)| Some((*property, run.as_mut()?)))
    }
}
