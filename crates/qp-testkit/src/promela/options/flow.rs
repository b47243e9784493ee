//! Statements that are made of others.

use super::{Maker, Position, Scope};

/// Statements are not nested deeper than this.
const DEPTH_MAX: usize = 4;

impl Maker {
    /// A statement, sometimes with one of the labels of the process.
    pub(super) fn labelled(&mut self, scope: &mut Scope, position: Position) -> String {
        let place = position == Position::Later && !scope.in_step || self.rng.percent(15);
        if place && !scope.labels.is_empty() && self.rng.percent(40) {
            let at = self.rng.below(scope.labels.len());
            let label = scope.labels.remove(at);
            let stmt = self.stmt(scope, Position::First);
            // Inside of `atomic`, SPIN follows a jump to a jump at once, and counts a state less: the manual says so.
            let stmt = if jumps(&stmt) { "skip".to_owned() } else { stmt };
            return format!("{label}: {stmt}");
        }
        self.stmt(scope, position)
    }

    fn stmt(&mut self, scope: &mut Scope, position: Position) -> String {
        let nests = if position == Position::Later { 45 } else { 35 };
        if scope.depth < DEPTH_MAX && scope.room > 0 && self.rng.percent(nests) {
            scope.depth += 1;
            let text = self.nested(scope, position);
            scope.depth -= 1;
            return text;
        }
        scope.room = scope.room.saturating_sub(1);
        if position == Position::Otherwise && self.rng.percent(30) {
            return "else".to_owned();
        }
        self.basic(scope)
    }

    fn nested(&mut self, scope: &mut Scope, position: Position) -> String {
        let first = if position == Position::Later { Position::First } else { position };
        match self.rng.below(20) {
            0..=2 if !scope.in_step || self.rng.percent(5) => {
                format!("atomic {{ {} }}", self.sequence(scope, first))
            }
            3..=6 if !scope.in_step || self.rng.percent(5) => self.one_step(scope, first),
            7 | 8 => format!("{{ {} }}", self.sequence(scope, first)),
            9 | 10 if self.has.escapes && (!scope.in_step || self.rng.percent(5)) => {
                self.escaped(scope, first)
            }
            11..=13 => self.repeated(scope),
            14 if !scope.counts => self.counted(scope),
            15 => {
                scope.room = scope.room.saturating_sub(1);
                let to = self.pick(&["1", "2", "h"]);
                // As an `assert` that begins a `d_step`, it can run in the middle of somebody's rendezvous in SPIN.
                if scope.opens { "x = 1".to_owned() } else { format!("select (x : 0 .. {to})") }
            }
            _ => self.choice(scope, "if", "fi"),
        }
    }

    fn one_step(&mut self, scope: &mut Scope, first: Position) -> String {
        let around = scope.clone();
        (scope.in_step, scope.opens, scope.leads) = (true, true, false);
        if self.rng.percent(95) {
            scope.in_loop = false;
            scope.targets.clear();
        }
        let text = format!("d_step {{ {} }}", self.sequence(scope, first));
        (scope.in_step, scope.in_loop) = (around.in_step, around.in_loop);
        (scope.opens, scope.leads) = (around.opens, around.leads);
        scope.targets = around.targets;
        text
    }

    /// One `unless` inside of another over an `atomic` body is not as in SPIN, and neither is a loop that counts as
    /// an escape without braces, nor a body or an escape that begins with a jump, nor an escape that chooses among a
    /// rendezvous and something else: the manual says so.
    fn escaped(&mut self, scope: &mut Scope, first: Position) -> String {
        let around = std::mem::replace(&mut self.has.escapes, false);
        let body = match self.rng.below(4) {
            0 => self.stmt(scope, first),
            1 => format!("atomic {{ {} }}", self.sequence(scope, first)),
            _ => format!("{{ {} }}", self.sequence(scope, first)),
        };
        let body = if body.split(&['{', ':', ' ']).any(jumps) { "skip".to_owned() } else { body };
        let escape = match self.rng.below(4) {
            0 => self.basic(scope),
            1 => format!("atomic {{ {} }}", self.sequence(scope, Position::First)),
            _ => format!("{{ {} }}", self.sequence(scope, Position::First)),
        };
        self.has.escapes = around;
        let begins = escape.trim_start_matches("atomic").trim_start_matches([' ', '{']);
        let leaves =
            jumps(begins.split_once(": ").map_or(begins, |(_, rest)| rest)) || jumps(begins);
        let offers = ["if ", "do "].iter().any(|word| escape.contains(word))
            && ["r!", "s!"].iter().any(|send| escape.contains(send));
        let escape = if offers || leaves { "g = 1".to_owned() } else { escape };
        format!("{body} unless {escape}")
    }

    fn repeated(&mut self, scope: &mut Scope) -> String {
        let before = std::mem::replace(&mut scope.in_loop, true);
        let text = self.choice(scope, "do", "od");
        scope.in_loop = before;
        text
    }

    fn counted(&mut self, scope: &mut Scope) -> String {
        let around = (scope.in_loop, scope.counts);
        (scope.in_loop, scope.counts) = (!scope.in_step, true);
        let body = self.sequence(scope, Position::First);
        (scope.in_loop, scope.counts) = around;
        let over = if self.has.arrays && self.rng.percent(50) { "in a" } else { ": 0 .. 1" };
        format!("{{ byte i{depth}; for (i{depth} {over}) {{ {body} }} }}", depth = scope.depth)
    }

    fn choice(&mut self, scope: &mut Scope, open: &str, close: &str) -> String {
        let mut text = open.to_owned();
        let mut position = Position::Otherwise;
        let around = scope.leads;
        scope.leads = scope.in_step;
        for _ in 0..=self.rng.below(3) {
            let option = self.sequence(scope, position);
            if option.contains("else") {
                position = Position::First;
            }
            text += " :: ";
            text += &option;
        }
        scope.leads = around;
        if scope.in_step && position == Position::Otherwise && self.rng.percent(60) {
            text += self.pick(&[" :: else", " :: else -> skip"]);
        }
        if open == "do" && (scope.in_step || self.rng.percent(30)) {
            text += self.pick(&[" :: break", " :: x == 2 -> break", " :: g > 1 -> break"]);
        }
        format!("{text} {close}")
    }

    /// Statements of which the first stands in this place.
    fn sequence(&mut self, scope: &mut Scope, first: Position) -> String {
        let mut stmts = vec![self.labelled(scope, first)];
        let is_composed = ["if ", "do ", "select", "{"].iter().any(|word| stmts[0].contains(word));
        if scope.leads && is_composed {
            return stmts.remove(0);
        }
        let around = (scope.opens, scope.leads);
        (scope.opens, scope.leads) = (false, false);
        while scope.room > 0 && self.rng.percent(45) {
            stmts.push(self.labelled(scope, Position::Later));
        }
        (scope.opens, scope.leads) = around;
        let separator = self.pick(&["; ", " -> "]);
        stmts.join(separator)
    }
}

fn jumps(text: &str) -> bool {
    text.starts_with("goto") || text.starts_with("break")
}
