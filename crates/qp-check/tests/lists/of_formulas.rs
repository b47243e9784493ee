//! Formulas, read from front to back.

use qp_machines::{Qutl, Relation};

use crate::formulas::Formula;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// All contents over three messages up to this length.
fn contents(length_max: usize) -> Vec<Vec<&'static str>> {
    let (mut all, mut next) = (vec![vec![]], 0);
    while all[next].len() < length_max {
        for name in NAMES {
            let longer = [&all[next][..], &[name]].concat();
            all.push(longer);
        }
        next += 1;
    }
    all
}

/// Small numbers without any pattern that matters here.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub(crate) fn formula(&mut self, height: u32) -> Qutl {
        let name = NAMES[self.below(3) as usize].to_owned();
        if height == 0 || self.below(8) == 0 {
            let relations = [
                Relation::Less,
                Relation::AtMost,
                Relation::Equal,
                Relation::AtLeast,
                Relation::More,
            ];
            let relation = relations[self.below(5) as usize];
            return match self.below(6) {
                0 => Qutl::True,
                1 => Qutl::False,
                2 | 3 => Qutl::First(name),
                _ => Qutl::Count(name, relation, self.below(4) as u32),
            };
        }
        let f = Box::new(self.formula(height - 1));
        match self.below(8) {
            0 => Qutl::Next(f),
            1 => Qutl::WeakNext(f),
            2 => Qutl::Finally(f),
            3 => Qutl::Globally(f),
            4 => Qutl::Not(f),
            5 => Qutl::And(f, Box::new(self.formula(height - 1))),
            6 => Qutl::Or(f, Box::new(self.formula(height - 1))),
            _ => Qutl::Implies(f, Box::new(self.formula(height - 1))),
        }
    }
}

fn check(formula: &Qutl, contents: &[Vec<&str>]) {
    for content in contents {
        let start = Formula::of(formula);
        let end = content.iter().fold(start, |f, &message| f.after(&|name| name == message));
        let expect = formula.holds(content, &mut |name, message| name == message);
        assert_eq!(end.holds_of_nothing(), expect, "{formula} on {content:?}");
    }
}

/// Random formulas on all contents up to length four: reading agrees with the meaning.
#[test]
fn reading_from_front_to_back_agrees_with_the_meaning() {
    let (mut dice, contents) = (Dice(37), contents(4));
    assert_eq!(contents.len(), 121);
    for number in 0..4_000 {
        check(&dice.formula(number % 5), &contents);
    }
}

/// All formulas with at most two operators over one message and one count.
#[test]
fn small_formulas_agree_with_the_meaning() {
    let contents = contents(5);
    let leaves: Vec<Qutl> = ["a", "#a <= 1", "#b = 0", "#b > 0", "true", "false"]
        .iter()
        .map(|text| Qutl::parse(text, 0).unwrap())
        .collect();
    let mut all = leaves.clone();
    for _ in 0..2 {
        let mut larger = leaves.clone();
        for f in &all {
            let f = || Box::new(f.clone());
            larger.extend([
                Qutl::Next(f()),
                Qutl::WeakNext(f()),
                Qutl::Finally(f()),
                Qutl::Globally(f()),
                Qutl::Not(f()),
            ]);
            for g in leaves.iter().map(|g| Box::new(g.clone())) {
                larger.extend([
                    Qutl::And(f(), g.clone()),
                    Qutl::Or(f(), g.clone()),
                    Qutl::Implies(f(), g),
                ]);
            }
        }
        all = larger;
    }
    assert!(all.len() > 3_000, "{}", all.len());
    for formula in &all {
        check(formula, &contents);
    }
}

/// Whatever is read, only so many formulas come of one.
#[test]
fn reading_leads_to_finitely_many_formulas() {
    let count = |text: &str| {
        let mut all = vec![Formula::of(&Qutl::parse(text, 0).unwrap())];
        let mut next = 0;
        while next < all.len() {
            for message in NAMES {
                let after = all[next].after(&|name| name == message);
                if !all.contains(&after) {
                    all.push(after);
                }
            }
            next += 1;
            assert!(next < 1_000, "{text}");
        }
        all.len()
    };
    assert_eq!(count("#a <= 2"), 4);
    assert_eq!(count("G(a => G !b)"), 3);
    assert_eq!(count("F(a & X b)"), 3);
    count("G(F(a & X(b | X c)) => F G(c => #a < 3))");
}
