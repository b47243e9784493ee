//! Infinite runs of small systems, told in two ways that have nothing in common with the engine: by walking the
//! product from every accepting pair, and by looking at short circles one by one.

use qp_automata::{Buchi, Edge, Formula, Lasso, State};
use qp_machines::{
    Config, Event, Letter, LtlFormula, MachineId, Model, Outline, Property, Says, Step, System,
};

use crate::rng::Rng;

/// A random formula over what happens in a model and where its machines are.
pub fn formula(rng: &mut Rng, letters: &[Letter], size: usize) -> LtlFormula {
    if size <= 1 {
        return Formula::Atom(letters[rng.below(letters.len())].clone());
    }
    let left = 1 + rng.below(size - 1);
    let one = |rng: &mut Rng| Box::new(formula(rng, letters, size - 1));
    let two = |rng: &mut Rng| {
        let first = Box::new(formula(rng, letters, left));
        (first, Box::new(formula(rng, letters, size - left)))
    };
    match rng.below(9) {
        0 | 1 => Formula::Not(one(rng)),
        2 => Formula::Next(one(rng)),
        3 => Formula::Finally(one(rng)),
        4 => Formula::Globally(one(rng)),
        other => {
            let (a, b) = two(rng);
            match other {
                5 => Formula::And(a, b),
                6 => Formula::Or(a, b),
                7 => Formula::Until(a, b),
                _ => Formula::Release(a, b),
            }
        }
    }
}

/// A random automaton.
pub fn never(rng: &mut Rng, letters: &[Letter]) -> Buchi<Letter> {
    let n = 1 + rng.below(3);
    let edge = |rng: &mut Rng| {
        let condition =
            |rng: &mut Rng| (letters[rng.below(letters.len())].clone(), rng.percent(50));
        Edge { when: (0..rng.below(3)).map(|_| condition(rng)).collect(), to: rng.below(n) }
    };
    let state = |rng: &mut Rng| State {
        accepting: rng.percent(40),
        edges: (0..=rng.below(3)).map(|_| edge(rng)).collect(),
    };
    Buchi { start: vec![0], states: (0..n).map(|_| state(rng)).collect() }
}

/// Letters that make a difference in a model.
pub fn letters(model: &Model, rng: &mut Rng) -> Vec<Letter> {
    let mut all = vec![Letter::Progress, Letter::Accepts];
    for message in &model.outline().messages {
        all.push(Letter::Sends(message.clone()));
        all.push(Letter::Receives(message.clone()));
    }
    let (mut system, n_machines) = (model.system(), model.outline().machines.len());
    let mut config = system.initial();
    for _ in 0..10 {
        let machine = MachineId::new(rng.below(n_machines));
        all.push(Letter::At(
            machine,
            system.program().control_name(machine, config.local(machine)),
        ));
        let steps = system.successors(&config);
        let steps: Vec<_> = steps.into_iter().filter(|step| !step.is_end()).collect();
        if steps.is_empty() {
            break;
        }
        config = steps[rng.below(steps.len())].config.clone();
    }
    (0..4).map(|_| all[rng.below(all.len())].clone()).collect()
}

/// Everything that can happen in a small system.
pub struct World {
    system: System,
    /// All configurations; the first is the initial one.
    pub configs: Vec<Config>,
    /// For each: its steps.
    steps: Vec<Vec<Seen>>,
    outline: Outline,
}

/// A step, or staying where a run has ended.
#[derive(Clone)]
struct Seen {
    step: Option<Step>,
    event: Option<Event>,
    movers: Vec<MachineId>,
    /// `None` if the run fails.
    to: Option<usize>,
}

impl World {
    /// Follows every step; `None` if there are more than `most` configurations, or if somebody gave up.
    pub fn new(model: &Model, most: usize) -> Option<Self> {
        let mut system = model.system();
        let mut configs = vec![system.initial()];
        let mut steps = Vec::new();
        while steps.len() < configs.len() {
            let at = steps.len();
            let mut here = Vec::new();
            for outcome in system.successors(&configs[at].clone()) {
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return None;
                }
                let known = configs.iter().position(|known| *known == outcome.config);
                let to = known.unwrap_or_else(|| {
                    configs.push(outcome.config.clone());
                    configs.len() - 1
                });
                let (step, event) = (Some(outcome.step), Some(outcome.event));
                let to = (!outcome.is_end()).then_some(to);
                here.push(Seen { step, event, movers: outcome.movers(), to });
            }
            if here.is_empty() {
                here.push(Seen { step: None, event: None, movers: Vec::new(), to: Some(at) });
            }
            steps.push(here);
            if configs.len() > most {
                return None;
            }
        }
        Some(Self { outline: system.program().outline().clone(), system, configs, steps })
    }

    /// Whether a run violates the property, by walking the product forwards and backwards from every
    /// accepting pair.
    pub fn is_violated(&mut self, property: Property) -> bool {
        let wrong = self.outline.wrong_runs(property).expect("its automaton is small");
        let n = wrong.states.len();
        // Pairs are numbered `config * n + state`; for each its steps, with who moves.
        let mut next: Vec<Vec<(usize, Vec<MachineId>)>> = Vec::new();
        for at in 0..self.configs.len() {
            for state in &wrong.states {
                let mut found = Vec::new();
                for seen in &self.steps[at] {
                    let Some(to) = seen.to else { continue };
                    for edge in &state.edges {
                        let mut read = |(letter, value): &(Letter, bool)| {
                            self.system.reads(letter, &self.configs[at], seen.event) == *value
                        };
                        if edge.when.iter().all(&mut read) {
                            found.push((to * n + edge.to, seen.movers.clone()));
                        }
                    }
                }
                next.push(found);
            }
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
        for (pair, steps) in next.iter().enumerate() {
            for (to, _) in steps {
                before[*to].push(pair);
            }
        }
        let after: Vec<Vec<usize>> =
            next.iter().map(|steps| steps.iter().map(|(to, _)| *to).collect()).collect();
        let met = walk(&after, &wrong.start, true);
        (0..next.len()).filter(|&pair| met[pair] && wrong.states[pair % n].accepting).any(|pair| {
            let (from, to) = (walk(&after, &[pair], false), walk(&before, &[pair], false));
            let mates: Vec<usize> = (0..next.len()).filter(|&x| from[x] && to[x]).collect();
            from[pair] && (!self.outline.fair || self.all_served(&next, &mates, n))
        })
    }

    fn all_served(&self, next: &[Vec<(usize, Vec<MachineId>)>], mates: &[usize], n: usize) -> bool {
        self.machines().all(|machine| {
            let waits = |&pair: &usize| !self.is_able(pair / n, machine);
            let moves = |&pair: &usize| {
                let inside = next[pair].iter().filter(|(to, _)| mates.contains(to));
                inside.into_iter().any(|(_, movers)| movers.contains(&machine))
            };
            mates.iter().any(waits) || mates.iter().any(moves)
        })
    }

    fn machines(&self) -> impl Iterator<Item = MachineId> + use<> {
        let n = self.configs.iter().map(|config| config.locals.len()).max().unwrap_or(0);
        (0..n).map(MachineId::new)
    }

    fn is_able(&self, at: usize, machine: MachineId) -> bool {
        self.steps[at].iter().any(|seen| seen.movers.first() == Some(&machine))
    }

    /// A random run that comes back to where it was, or ends: its steps, and the number of those before the
    /// circle.
    pub fn circle(&self, rng: &mut Rng, most: usize) -> Option<(Vec<Step>, usize)> {
        let (mut path, mut steps) = (vec![0], Vec::new());
        while path.len() <= most {
            let at = path[path.len() - 1];
            let seen = &self.steps[at][rng.below(self.steps[at].len())];
            let to = seen.to?;
            let Some(step) = seen.step else { return Some((steps.clone(), steps.len())) };
            steps.push(step);
            if let Some(from) = path.iter().position(|&old| old == to)
                && (rng.percent(50) || path.len() == most)
            {
                return Some((steps, from));
            }
            path.push(to);
        }
        None
    }
}

/// Whether this run, repeated from step `from` on, or staying where it has ended, exists and violates the property: a
/// formula by evaluation, anything else by looking at the circle; with fairness, whether it is fair as well.
pub fn is_wrong(model: &Model, property: Property, steps: &[Step], from: usize) -> bool {
    let (mut system, outline) = (model.system(), model.outline());
    let (mut configs, mut events, mut movers) = (vec![system.initial()], Vec::new(), Vec::new());
    for step in steps {
        let outcome = system.fire(&configs[configs.len() - 1], *step);
        let Some(outcome) = outcome.filter(|outcome| !outcome.is_end()) else { return false };
        events.push(Some(outcome.event));
        movers.push(outcome.movers());
        configs.push(outcome.config);
    }
    if from == steps.len() && system.successors(&configs[from]).is_empty() {
        events.push(None);
        movers.push(Vec::new());
    } else if configs.get(from) != configs.last() {
        return false;
    }
    let Some(word) = Lasso::new(events.len(), from) else { return false };
    let mut truth =
        |number: usize, letter: &Letter| system.reads(letter, &configs[number], events[number]);
    let wrong = match property {
        Property::Ltl(number) => match &outline.ltl[number].says {
            Says::Formula(formula) => !formula.holds_on(word, &mut truth),
            Says::Never(automaton) => automaton.accepts(word, &mut truth),
        },
        Property::Livelock => (from..events.len()).all(|at| !truth(at, &Letter::Progress)),
        Property::Accept => (from..events.len()).any(|at| truth(at, &Letter::Accepts)),
        _ => false,
    };
    let n_machines = configs.iter().map(|config| config.locals.len()).max().unwrap_or(0);
    let mut served = |machine: MachineId| {
        movers[from..].iter().any(|movers| movers.contains(&machine))
            || configs[from..].iter().any(|config| {
                let steps = system.successors(config);
                !steps.iter().any(|outcome| outcome.step.machine == machine)
            })
    };
    wrong && (!outline.fair || (0..n_machines).map(MachineId::new).all(&mut served))
}

/// What can be reached; the beginning only if it counts, or is come back to.
fn walk(next: &[Vec<usize>], from: &[usize], counts: bool) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    let mut todo: Vec<usize> = if counts {
        from.to_vec()
    } else {
        from.iter().flat_map(|&place| next[place].iter().copied()).collect()
    };
    while let Some(place) = todo.pop() {
        if !reached[place] {
            reached[place] = true;
            todo.extend(&next[place]);
        }
    }
    reached
}
