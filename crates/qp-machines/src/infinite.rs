//! Demands on infinite runs as automata of the runs that are wrong.

use qp_automata::{Buchi, Edge, State};
use qp_base::Span;

use crate::{Event, Heat, Letter, Ltl, MachineId, Outcome, Outline, Property, Runs, Says};

/// The largest automaton that a formula is translated to. A product with more states would be too large for
/// any search.
const STATES_MAX: usize = 400;

impl Outline {
    /// What a property demands of infinite runs; a run that has ended goes on with its last configuration for ever.
    /// `None` if it is not about infinite runs.
    pub fn says(&self, property: Property) -> Option<Says> {
        match property {
            Property::Ltl(number) => Some(self.ltl.get(number)?.says.clone()),
            Property::Livelock => Some(Says::Never(from_some_moment_on((Letter::Progress, false)))),
            Property::Accept => Some(Says::Never(again_and_again((Letter::Accepts, true)))),
            Property::Assert
            | Property::Unhandled
            | Property::Deadlock
            | Property::Stuck
            | Property::Orphan
            | Property::Bounded
            | Property::Divergence
            | Property::Live
            | Property::Sync
            | Property::Sendlang
            | Property::Reach(_)
            | Property::Length(..)
            | Property::Possible(_) => None,
        }
    }

    /// The automaton that accepts exactly the infinite runs that violate a property. `None` if the property is not
    /// about infinite runs, or if its formula is too large.
    pub fn wrong_runs(&self, property: Property) -> Option<Buchi<Letter>> {
        match self.says(property)? {
            Says::Formula(formula) => formula.negated().automaton(STATES_MAX),
            Says::Never(automaton) => Some(automaton),
        }
    }

    /// The automaton that a formula was translated to, over the numbers of its atoms: a part of the evidence, because
    /// nobody has to trust the translation. `None` if the model says the automaton itself.
    pub fn translated(&self, property: Property) -> Option<Buchi<u32>> {
        let Says::Formula(formula) = self.says(property)? else { return None };
        let atoms = formula.atoms();
        let number = |letter: &Letter| Some(atoms.iter().position(|&it| it == letter)? as u32);
        self.wrong_runs(property)?.over(number)
    }
}

impl Property {
    /// Whether single configurations, or single steps, show that it is violated, or how long queues get.
    pub fn is_about_configurations(self) -> bool {
        match self {
            Self::Assert
            | Self::Unhandled
            | Self::Deadlock
            | Self::Divergence
            | Self::Reach(_)
            | Self::Bounded
            | Self::Length(..) => true,
            Self::Stuck
            | Self::Orphan
            | Self::Possible(_)
            | Self::Livelock
            | Self::Accept
            | Self::Live
            | Self::Ltl(_)
            | Self::Sync
            | Self::Sendlang => false,
        }
    }

    /// Whether it is about infinite runs that an automaton can tell apart ([`Outline::wrong_runs`]).
    pub fn is_about_infinite_runs(self) -> bool {
        matches!(self, Self::Ltl(_) | Self::Livelock | Self::Accept)
    }
}

impl Letter {
    /// Whether it is about the step that is taken, and not about the configuration alone.
    pub fn is_about_step(&self) -> bool {
        matches!(self, Self::Sends(_) | Self::SendsSome(_) | Self::Receives(_))
    }
}

impl Outcome {
    /// All machines that move in the step; the one that the step is named after comes first.
    pub fn movers(&self) -> Vec<MachineId> {
        let mut movers = vec![self.step.machine];
        let partner = |event: Event| match event {
            Event::Handshake { receiver, .. } => Some(receiver),
            _ => None,
        };
        let acts = self.acts.iter().flat_map(|act| [Some(act.machine), partner(act.event)]);
        for machine in acts.chain([partner(self.event)]).flatten() {
            if !movers.contains(&machine) {
                movers.push(machine);
            }
        }
        movers
    }

    /// Whether the run ends with the step: it fails, or nobody knows what comes next.
    pub fn is_end(&self) -> bool {
        matches!(self.event, Event::Failed { .. } | Event::GaveUp { .. })
    }
}

impl Ltl {
    /// The demand that a spec does not stay hot: no run is hot again and again, and cold only finitely often.
    pub fn cools(name: String, span: Span, heat: Heat) -> Self {
        let calm = heat.cold.map(|cold| (Letter::Holds(cold), false));
        let read = |hot: bool, to| {
            let when = calm.clone().into_iter().chain([(Letter::Holds(heat.hot), hot)]);
            Edge { when: when.collect(), to }
        };
        let edges = vec![read(false, 1), read(true, 2)];
        let waits = edges.iter().cloned().chain([Edge { when: Vec::new(), to: 0 }]).collect();
        let states = vec![
            State { accepting: false, edges: waits },
            State { accepting: false, edges: edges.clone() },
            State { accepting: true, edges },
        ];
        let says = Says::Never(Buchi { start: vec![0], states });
        Self { name, span, says, runs: Runs::Heat(heat) }
    }
}

/// From some moment on, every letter is like this.
fn from_some_moment_on(like: (Letter, bool)) -> Buchi<Letter> {
    let edge = |when: &[(Letter, bool)], to| Edge { when: when.to_vec(), to };
    let like = [like];
    let waits = State { accepting: false, edges: vec![edge(&[], 0), edge(&like, 1)] };
    let stays = State { accepting: true, edges: vec![edge(&like, 1)] };
    Buchi { start: vec![0], states: vec![waits, stays] }
}

/// Again and again, a letter is like this.
fn again_and_again(like: (Letter, bool)) -> Buchi<Letter> {
    let edges = vec![Edge { when: Vec::new(), to: 0 }, Edge { when: vec![like], to: 1 }];
    let state = |accepting| State { accepting, edges: edges.clone() };
    Buchi { start: vec![0], states: vec![state(false), state(true)] }
}

#[cfg(test)]
mod tests {
    use crate::ConditionId;
    use qp_automata::{Formula, Lasso};

    use super::*;

    fn accepts(outline: &Outline, property: Property, letters: &[bool], back: usize) -> bool {
        let automaton = outline.wrong_runs(property).expect("it is about infinite runs");
        let word = Lasso::new(letters.len(), back).expect("the letter exists");
        automaton.accepts(word, &mut |letter, _| letters[letter])
    }

    #[test]
    fn a_livelock_has_no_progress_from_some_moment_on() {
        let outline = Outline::default();
        assert!(accepts(&outline, Property::Livelock, &[true, false, false], 1));
        assert!(!accepts(&outline, Property::Livelock, &[false, false, true], 1));
    }

    #[test]
    fn acceptance_comes_again_and_again() {
        let outline = Outline::default();
        assert!(accepts(&outline, Property::Accept, &[false, true, false], 1));
        assert!(!accepts(&outline, Property::Accept, &[true, true, false], 2));
    }

    #[test]
    fn a_spec_that_is_hot_again_and_again_has_to_be_cold_as_often() {
        let [hot, cold] = [0, 1].map(ConditionId::from_raw);
        // What a spec is at each moment, and where the run goes back to.
        let wrong = |heat: Heat, states: &str, back: usize| {
            let outline = Outline {
                ltl: vec![Ltl::cools("Spec".to_owned(), Span::default(), heat)],
                ..Outline::default()
            };
            let automaton = outline.wrong_runs(Property::Ltl(0)).expect("it has an automaton");
            let word = Lasso::new(states.len(), back).expect("the letter exists");
            automaton.accepts(word, &mut |at, letter| {
                let is = &states[at..=at];
                *letter == Letter::Holds(if is == "h" { hot } else { cold }) && is != "w"
            })
        };
        let both = Heat { hot, cold: Some(cold) };
        assert!(wrong(both, "ch", 1) && wrong(both, "chw", 1), "it is not cold again");
        assert!(!wrong(both, "hc", 0) && !wrong(both, "hcw", 0), "it is cold again and again");
        assert!(!wrong(both, "hw", 1) && !wrong(both, "hc", 1), "it is hot only once");
        let never_cold = Heat { hot, cold: None };
        assert!(wrong(never_cold, "hw", 0) && !wrong(never_cold, "hw", 1));
    }

    #[test]
    fn the_runs_that_violate_a_formula_are_wrong() {
        let formula = Formula::Globally(Box::new(Formula::Atom(Letter::Progress)));
        let says = Says::Formula(formula);
        let ltl =
            vec![Ltl { name: "always".to_owned(), span: Span::default(), says, runs: Runs::All }];
        let outline = Outline { ltl, ..Outline::default() };
        assert!(accepts(&outline, Property::Ltl(0), &[true, false], 0));
        assert!(!accepts(&outline, Property::Ltl(0), &[true, true], 1));
        assert_eq!(outline.wrong_runs(Property::Ltl(1)), None);
        assert_eq!(outline.wrong_runs(Property::Deadlock), None);
    }
}
