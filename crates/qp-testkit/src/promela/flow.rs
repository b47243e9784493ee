//! Statements, and what holds them together.

use std::fmt::Write as _;

use super::declare::Place;
use super::make::{Maker, Scope};

/// Statements are not nested deeper than this.
const DEPTH_MAX: usize = 2;

impl Maker {
    /// A statement, sometimes with one of the labels of the process.
    pub(crate) fn labelled(&mut self, scope: &mut Scope) -> String {
        let mut label = String::new();
        if scope.may_label && !scope.in_step && !scope.labels.is_empty() && self.rng.percent(40) {
            let at = self.rng.below(scope.labels.len());
            label = format!("{}: ", scope.labels.remove(at));
        }
        let stmt = self.stmt(scope);
        // A declaration has no label.
        let stmt = if stmt.starts_with("byte ") && !label.is_empty() {
            "skip; ".to_owned() + &stmt
        } else {
            stmt
        };
        label + &stmt
    }

    fn stmt(&mut self, scope: &mut Scope) -> String {
        if scope.depth < DEPTH_MAX && self.rng.percent(33) {
            return self.nested(scope);
        }
        match self.rng.below(40) {
            0..=15 if !scope.chans.is_empty() && !scope.in_step => self.talk(scope),
            16..=18 if !scope.in_step => self.condition(scope, 1),
            19 => self.assertion(scope),
            21 => self.pick(&["skip", "true", "printf(\"here %d\\n\", _pid)"]).to_owned(),
            22 | 23 if !scope.in_step && !scope.targets.is_empty() => {
                let targets = scope.targets.clone();
                format!("goto {}", self.pick(&targets))
            }
            24 if !self.inlines.is_empty() => self.call(scope),
            25 if !scope.in_step => self.guarded_run(scope),
            26 if !scope.counters.is_empty() => {
                let counters = scope.counters.clone();
                let counter = self.pick(&counters);
                format!("select ({counter} : {} .. {})", self.rng.below(2), 1 + self.rng.below(2))
            }
            27 if !scope.in_step => self.late(scope),
            28 if scope.in_loop && !scope.in_step => "break".to_owned(),
            29 => self.channel_change(scope),
            _ => self.assignment(scope),
        }
    }

    fn nested(&mut self, scope: &mut Scope) -> String {
        scope.depth += 1;
        let text = match self.rng.below(24) {
            7..=12 if !scope.in_step => self.repeated(scope),
            13..=16 if !scope.in_step => {
                format!("atomic {{ {} }}", self.sequence(scope, 3))
            }
            17 | 18 if !scope.in_step => self.one_step(scope),
            19 | 20 if !scope.in_step => {
                let (body, escape) = (self.sequence(scope, 3), self.guarded(scope));
                format!("{{ {body} }} unless {{ {escape} }}")
            }
            21 if !scope.counters.is_empty() => self.counted(scope),
            22 => self.block(scope),
            _ => self.options(scope, "if", "fi"),
        };
        scope.depth -= 1;
        text
    }

    fn repeated(&mut self, scope: &mut Scope) -> String {
        let before = scope.in_loop;
        scope.in_loop = true;
        let text = self.options(scope, "do", "od");
        scope.in_loop = before;
        text
    }

    /// All of it is one step: it is to be possible once its first statement is.
    fn one_step(&mut self, scope: &mut Scope) -> String {
        let first = match self.rng.below(3) {
            0 if !scope.chans.is_empty() && !self.has_handshakes => self.talk(scope),
            1 => self.condition(scope, 1),
            _ => self.assignment(scope),
        };
        let before = scope.clone();
        (scope.in_step, scope.in_loop) = (true, false);
        let rest = self.sequence(scope, 3);
        (scope.in_step, scope.in_loop) = (before.in_step, before.in_loop);
        format!("d_step {{ {first}; {rest} }}")
    }

    fn counted(&mut self, scope: &mut Scope) -> String {
        let at = self.rng.below(scope.counters.len());
        let counter = scope.counters.remove(at);
        let before = scope.in_loop;
        scope.in_loop = !scope.in_step;
        let body = self.sequence(scope, 2);
        scope.in_loop = before;
        let over = if !self.arrays.is_empty() && self.rng.percent(40) {
            let arrays = self.arrays.clone();
            format!("in {}", self.pick(&arrays))
        } else {
            format!(": {} .. {}", self.rng.below(2), 1 + self.rng.below(2))
        };
        let text = format!("for ({counter} {over}) {{ {body} }}");
        scope.counters.push(counter);
        text
    }

    fn block(&mut self, scope: &mut Scope) -> String {
        let (places, name) = (scope.places.len(), self.name("y"));
        scope.places.push(Place { text: name.clone(), ty: super::declare::Ty::Byte });
        let body = self.sequence(scope, 2);
        scope.places.truncate(places);
        format!("{{ byte {name}; {body} }}")
    }

    fn options(&mut self, scope: &mut Scope, open: &str, close: &str) -> String {
        let mut text = format!("{open}\n");
        let count = 1 + self.rng.below(3);
        for _ in 0..count {
            let _ = writeln!(text, "\t:: {}", self.guarded(scope));
        }
        if scope.in_step || self.rng.percent(25) {
            let otherwise = self.pick(&["skip", "break", "stmt", "stmt"]);
            let body = match otherwise {
                "break" if open == "do" => "break".to_owned(),
                "stmt" => self.sequence(scope, 1),
                _ => "skip".to_owned(),
            };
            let _ = writeln!(text, "\t:: else -> {body}");
        } else if open == "do" && self.rng.percent(50) {
            let _ = writeln!(text, "\t:: {} -> break", self.condition(scope, 1));
        }
        text + "\t" + close
    }

    /// What begins with something that may have to wait.
    fn guarded(&mut self, scope: &mut Scope) -> String {
        let guard = match self.rng.below(20) {
            0..=7 if !scope.chans.is_empty() && !scope.in_step => self.talk(scope),
            8 if !scope.in_step => "timeout".to_owned(),
            9 | 10 => self.assignment(scope),
            11 if !scope.in_step => return self.sequence(scope, 2),
            _ => self.condition(scope, 1),
        };
        if self.rng.percent(25) {
            return guard;
        }
        let arrow = self.pick(&["->", ";"]);
        format!("{guard} {arrow} {}", self.sequence(scope, 2))
    }

    fn sequence(&mut self, scope: &mut Scope, most: usize) -> String {
        let count = 1 + self.rng.below(most);
        let (places, chans) = (scope.places.len(), scope.chans.len());
        let mut stmts = Vec::new();
        for number in 0..count {
            let before = scope.may_label;
            scope.may_label = before && number > 0;
            stmts.push(self.labelled(scope));
            scope.may_label = before;
        }
        // What is declared inside is not known outside.
        scope.places.truncate(places);
        scope.chans.truncate(chans);
        stmts.join("; ")
    }

    fn call(&mut self, scope: &Scope) -> String {
        let inlines = self.inlines.clone();
        let inline = self.pick(&inlines);
        let places: Vec<Place> = scope.places.clone();
        let place = self.pick(&places);
        let value = self.number(scope, 1);
        format!("{}({}, {value})", inline.name, place.text)
    }

    fn guarded_run(&mut self, scope: &Scope) -> String {
        let candidates: Vec<usize> =
            (0..self.procs.len()).filter(|&it| !self.procs[it].is_init).collect();
        let proc = self.pick(&candidates);
        let run = self.run(scope, proc);
        format!("atomic {{ _nr_pr < {}; {run} }}", 3 + self.rng.below(2))
    }

    /// A declaration in the middle is a step.
    fn late(&mut self, scope: &mut Scope) -> String {
        let name = self.name("z");
        let value = self.rng.below(3);
        scope.places.push(Place { text: name.clone(), ty: super::declare::Ty::Byte });
        format!("byte {name} = {value}")
    }

    fn channel_change(&mut self, scope: &Scope) -> String {
        let loose: Vec<_> = scope
            .chans
            .iter()
            .filter(|it| !it.is_plain && !it.name.contains('[') && !it.name.starts_with('c'))
            .cloned()
            .collect();
        if loose.is_empty() {
            return self.assignment(scope);
        }
        let target = self.pick(&loose);
        let same: Vec<_> =
            scope.chans.iter().filter(|it| it.kind == target.kind).cloned().collect();
        format!("{} = {}", target.name, self.pick(&same).name)
    }
}
