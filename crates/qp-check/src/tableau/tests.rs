use qp_automata::Lasso;

use super::*;

const LETTERS: [Letter; 3] = [Letter::Progress, Letter::Accepts, Letter::SendsSome(None)];

const SEEDS: u64 = 500;

/// Small random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn formula(&mut self, size: usize) -> Formula<Letter> {
        if size <= 1 {
            return Formula::Atom(LETTERS[self.roll(LETTERS.len())].clone());
        }
        let kind = self.roll(16);
        let mut one = |size| Box::new(self.formula(size));
        let left = 1 + (size - 1) / 2;
        match kind {
            0 | 1 => Formula::Not(one(size - 1)),
            2 => Formula::Next(one(size - 1)),
            3..=5 => Formula::Finally(one(size - 1)),
            6..=8 => Formula::Globally(one(size - 1)),
            9 | 10 => Formula::And(one(left), one(size - left)),
            11 | 12 => Formula::Or(one(left), one(size - left)),
            13 => Formula::Release(one(left), one(size - left)),
            _ => Formula::Until(one(left), one(size - left)),
        }
    }

    /// A word, and which letters are true where.
    fn word(&mut self) -> (Lasso, Vec<usize>) {
        let len = 1 + self.roll(6);
        let word = Lasso::new(len, self.roll(len)).expect("it goes back to one of its letters");
        (word, (0..len).map(|_| self.roll(8)).collect())
    }
}

fn translated(formula: &Formula<Letter>) -> Option<Buchi<u32>> {
    let atoms = formula.atoms();
    let number = |letter: &Letter| atoms.iter().position(|&it| it == letter).map(|it| it as u32);
    formula.negated().automaton(400)?.over(number)
}

/// A word that makes the formula false and that the automaton does not accept.
fn missed(
    formula: &Formula<Letter>,
    automaton: &Buchi<u32>,
    dice: &mut Dice,
) -> Option<Vec<usize>> {
    let atoms = formula.atoms();
    (0..40).find_map(|_| {
        let (word, truth) = dice.word();
        let truth_of = |at: usize, letter: &Letter| {
            let number = LETTERS.iter().position(|it| it == letter).expect("it is one of them");
            truth[at] >> number & 1 == 1
        };
        let is_false = !formula.holds_on(word, &mut |at, letter| truth_of(at, letter));
        let accepts = automaton.accepts(word, &mut |at, &atom| truth_of(at, atoms[atom as usize]));
        (is_false && !accepts).then_some(truth)
    })
}

#[test]
fn translations_of_formulas_are_accepted() {
    let mut n_checked = 0;
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        let size = 1 + dice.roll(11);
        let formula = dice.formula(size);
        let Some(automaton) = translated(&formula) else { continue };
        let checked = check(&formula, &automaton);
        assert!(checked.is_ok(), "seed {seed}: {formula}: {checked:?}");
        n_checked += 1;
    }
    assert!(n_checked * 10 > SEEDS * 9, "{n_checked}");
}

#[test]
fn what_does_not_accept_every_wrong_run_is_refused() {
    let (mut n_refused, mut n_accepted, mut n_wrong) = (0, 0, 0);
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        let size = 2 + dice.roll(9);
        let formula = dice.formula(size);
        let Some(automaton) = translated(&formula) else { continue };
        for mut mutant in mutants(&automaton, formula.atoms().len(), &mut dice) {
            if dice.roll(8) == 0 {
                mutant.start.clear();
            }
            let accepted = check(&formula, &mutant).is_ok();
            let missed = missed(&formula, &mutant, &mut dice);
            assert!(
                !accepted || missed.is_none(),
                "seed {seed}: {formula}: {mutant:?}: {missed:?}"
            );
            n_refused += u64::from(!accepted);
            n_accepted += u64::from(accepted);
            n_wrong += u64::from(missed.is_some());
        }
    }
    assert!(n_wrong > SEEDS && n_refused >= n_wrong && n_accepted > 0);
}

/// One thing is changed in each: an edge is gone, leads elsewhere or asks for more, or a state accepts or does not.
fn mutants(automaton: &Buchi<u32>, n_atoms: usize, dice: &mut Dice) -> Vec<Buchi<u32>> {
    let n = automaton.states.len();
    let mut found = Vec::new();
    for state in 0..n {
        let mut flipped = automaton.clone();
        flipped.states[state].accepting ^= true;
        found.push(flipped);
        for edge in 0..automaton.states[state].edges.len() {
            let mut change = |what: &dyn Fn(&mut Vec<qp_automata::Edge<u32>>)| {
                let mut mutant = automaton.clone();
                what(&mut mutant.states[state].edges);
                found.push(mutant);
            };
            let (to, atom, sign) = (dice.roll(n), dice.roll(n_atoms) as u32, dice.roll(2) == 0);
            change(&|edges| drop(edges.remove(edge)));
            change(&|edges| edges[edge].to = to);
            change(&|edges| edges[edge].when.push((atom, sign)));
            change(&|edges| {
                edges[edge].when.pop();
            });
        }
    }
    found
}

#[test]
fn an_edge_to_nowhere_is_refused() {
    let formula = Formula::Globally(Box::new(Formula::Atom(Letter::Progress)));
    let good = translated(&formula).expect("it is small");
    assert!(check(&formula, &good).is_ok());
    let mut nowhere = good.clone();
    nowhere.states[0].edges[0].to = 9;
    assert!(check(&formula, &nowhere).is_err());
    let mut unknown = good.clone();
    unknown.states[0].edges[0].when.push((7, true));
    assert!(check(&formula, &unknown).is_err());
}
