//! Expressions and assignments.

use super::declare::{Place, Ty};
use super::make::{Maker, Scope};

impl Maker {
    /// A value for a place of this type, mostly a small one.
    pub(crate) fn value(&mut self, scope: &Scope, ty: Ty) -> String {
        if ty == Ty::Mtype {
            let same: Vec<Place> =
                scope.places.iter().filter(|place| place.ty == ty).cloned().collect();
            return if !same.is_empty() && self.rng.percent(30) {
                self.pick(&same).text
            } else {
                self.pick(&["red", "green", "blue"]).to_owned()
            };
        }
        match self.rng.below(20) {
            0 => self.pick(&["-1", "256", "300", "32768", "7", "65535", "2147483647"]).to_owned(),
            1..=7 => self.rng.below(3).to_string(),
            8..=11 => self.any_place(scope).text,
            12 => format!("1 - {}", self.any_place(scope).text),
            13 => format!("!{}", self.any_place(scope).text),
            14 => "_pid".to_owned(),
            _ => format!("({}) % {}", self.number(scope, 2), 2 + self.rng.below(2)),
        }
    }

    fn any_place(&mut self, scope: &Scope) -> Place {
        let places = scope.places.clone();
        self.pick(&places)
    }

    /// An expression.
    pub(crate) fn number(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let one = self.number(scope, depth - 1);
        match self.rng.below(16) {
            0..=4 => one,
            5 => format!("({one} + {})", self.number(scope, depth - 1)),
            6 => format!("({one} - {})", self.number(scope, depth - 1)),
            7 => format!("({one} * {})", self.number(scope, depth - 1)),
            8 => format!("({one} / {})", 1 + self.rng.below(3)),
            9 => {
                let sign = self.pick(&["&", "|", "^"]);
                format!("({one} {sign} {})", self.number(scope, depth - 1))
            }
            10 => {
                let sign = self.pick(&["<<", ">>"]);
                format!("({one} {sign} {})", self.rng.below(3))
            }
            11 => self.pick(&["-", "~", "!"]).to_owned() + &one,
            12 => {
                let condition = self.comparison(scope, depth - 1);
                format!("({condition} -> {one} : {})", self.number(scope, depth - 1))
            }
            _ => self.comparison(scope, depth - 1),
        }
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        match self.rng.below(24) {
            0..=7 => self.rng.below(4).to_string(),
            8 => "_pid".to_owned(),
            9 if self.rng.percent(30) => "_nr_pr".to_owned(),
            10 | 11 if !scope.chans.is_empty() => {
                let chans = scope.chans.clone();
                format!("len({})", self.pick(&chans).name)
            }
            12 if !self.arrays.is_empty() && !scope.counters.is_empty() => {
                let (arrays, counters) = (self.arrays.clone(), scope.counters.clone());
                format!("{}[{} % 2]", self.pick(&arrays), self.pick(&counters))
            }
            13 if !scope.counters.is_empty() => {
                let counters = scope.counters.clone();
                self.pick(&counters)
            }
            14 => self.remote(scope),
            _ => self.any_place(scope).text,
        }
    }

    /// A look at process 0.
    fn remote(&mut self, scope: &Scope) -> String {
        let Some(first) = self.procs.first().cloned() else { return self.any_place(scope).text };
        if !first.is_first || first.labels.is_empty() || !self.rng.percent(40) {
            return self.any_place(scope).text;
        }
        format!("{}[0]@{}", first.name, self.pick(&first.labels))
    }

    /// Something that is true or not.
    pub(crate) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        match self.rng.below(24) {
            0..=9 => self.comparison(scope, depth),
            10 | 11 if depth > 0 => {
                let sign = self.pick(&["&&", "||"]);
                let one = self.condition(scope, depth - 1);
                format!("({one} {sign} {})", self.condition(scope, depth - 1))
            }
            12..=14 if !scope.chans.is_empty() => {
                let chans = scope.chans.clone();
                let word = self.pick(&["empty", "full", "nempty", "nfull"]);
                format!("{word}({})", self.pick(&chans).name)
            }
            15 | 16 if !scope.chans.is_empty() => self.poll(scope),
            17 if self.rng.percent(10) => format!("enabled({})", self.rng.below(3)),
            18 if self.rng.percent(30) => format!("(_nr_pr < {})", 2 + self.rng.below(3)),
            _ => format!("({} < {})", self.any_place(scope).text, 1 + self.rng.below(3)),
        }
    }

    /// A condition that may stand inside of calculations, where words like `full` may not.
    fn comparison(&mut self, scope: &Scope, depth: usize) -> String {
        let relation = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let place = self.any_place(scope);
        let value = if place.ty == Ty::Mtype {
            self.pick(&["red", "green", "blue"]).to_owned()
        } else {
            self.number(scope, depth.min(1))
        };
        format!("({} {relation} {value})", place.text)
    }

    /// A change of one variable.
    pub(crate) fn assignment(&mut self, scope: &Scope) -> String {
        let place = self.any_place(scope);
        if place.ty != Ty::Mtype && self.rng.percent(12) {
            return place.text + self.pick(&["++", "--"]);
        }
        let value = self.value(scope, place.ty);
        format!("{} = {value}", place.text)
    }

    /// A claim that is often true.
    pub(crate) fn assertion(&mut self, scope: &Scope) -> String {
        let place = self.any_place(scope);
        match self.rng.below(5) {
            0 if self.rng.percent(40) => format!("assert({})", self.condition(scope, 1)),
            1 => format!("assert({} >= 0)", place.text),
            _ => format!("assert({} < {} || {})", place.text, 3, self.condition(scope, 1)),
        }
    }
}
