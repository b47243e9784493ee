//! Conditions, and basic statements.

use super::{Maker, Scope};

impl Maker {
    /// Something about what all share.
    pub(super) fn shared(&mut self) -> String {
        let number = self.rng.below(3);
        match self.rng.below(8) {
            0 | 1 => format!("g == {number}"),
            2 => format!("h != {number}"),
            3 => format!("g < {number} || h == 1"),
            4 if self.has.buffers => self.pick(&["len(q) < 1", "empty(q)", "nfull(q)"]).to_owned(),
            5 if self.has.arrays => format!("a[{}] == {number}", self.pick(&["0", "1", "h % 2"])),
            6 => format!("_pid == {number}"),
            _ => format!("h == {number}"),
        }
    }

    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        let number = self.rng.below(3);
        match self.rng.below(24) {
            0 | 1 if self.has.timeouts => "timeout".to_owned(),
            2 if self.has.timeouts => {
                let other = self.shared();
                self.pick(&["(timeout || {})", "(timeout && {})", "(!timeout && ({}))"])
                    .replace("{}", &other)
            }
            3..=5 => format!("(x == {number})"),
            6 | 7 if self.has.buffers => self
                .pick(&[
                    "empty(q)",
                    "nempty(q)",
                    "full(q)",
                    "nfull(q)",
                    "q?[1]",
                    "q??[1]",
                    "q?[eval(x)]",
                    "(len(q) == 1)",
                ])
                .to_owned(),
            8 if self.has.pairs => {
                self.pick(&["s?[1,0]", "s??[_,1]", "nempty(s)", "(len(s) > 1)"]).to_owned()
            }
            9 if self.has.handshakes => {
                self.pick(&["empty(r)", "nfull(r)", "full(r)", "r?[1]"]).to_owned()
            }
            10 | 11 if self.has.looks && !scope.in_step => self.look(),
            12 => format!("(_nr_pr < {})", 1 + number),
            13 => "(g -> h : x)".to_owned(),
            14 => self.pick(&["true", "false", "skip"]).to_owned(),
            _ => format!("({})", self.shared()),
        }
    }

    /// What one process knows about the others.
    fn look(&mut self) -> String {
        let pid = self.rng.below(3);
        match self.rng.below(4) {
            0 => format!("(_last == {pid})"),
            1 if self.has.ranks => format!("(get_priority({pid}) > 1)"),
            1 => format!("(_last != {pid})"),
            _ => format!("enabled({pid})"),
        }
    }

    pub(super) fn assignment(&mut self) -> String {
        let number = self.rng.below(3);
        match self.rng.below(12) {
            0 | 1 => format!("x = {number}"),
            2 => "x = g".to_owned(),
            3 => "g = (g + 1) % 3".to_owned(),
            4 => "h = 1 - h".to_owned(),
            5 => format!("h = {number}"),
            6 if self.has.arrays => format!("a[{}] = {number}", self.pick(&["0", "1", "x % 2"])),
            7 if self.has.arrays => "a[g]++".to_owned(),
            8 if self.has.ranks => format!("set_priority(_pid, {})", 1 + number),
            9 if self.has.buffers => "x = len(q)".to_owned(),
            _ => format!("g = {number}"),
        }
    }

    /// A statement that is no more than itself.
    pub(super) fn basic(&mut self, scope: &Scope) -> String {
        match self.rng.below(30) {
            0..=3 if self.has.handshakes && !(scope.opens && scope.leads) => self.handshake(),
            4..=7 if self.has.buffers => self.buffered(),
            8 | 9 if self.has.pairs && !(scope.opens && scope.leads) => self.pair(),
            10..=14 => self.condition(scope),
            // One that begins a `d_step` can run in the middle of somebody's rendezvous in SPIN: the manual says so.
            15 if !scope.opens => {
                format!("assert({})", self.pick(&["g < 3", "x < 3", "h != 2", "g != 1 || x < 2"]))
            }
            16 => "printf(\"%d\\n\", x)".to_owned(),
            17 => "skip".to_owned(),
            18..=20 if !scope.targets.is_empty() => {
                let targets = scope.targets.clone();
                format!("goto {}", self.pick(&targets))
            }
            21 | 22 if scope.in_loop => "break".to_owned(),
            23 | 24 if self.has.runs && !scope.in_loop && !self.has.jumps && !scope.in_step => {
                self.pick(&["run T(1)", "run T(x)", "x = run T(2)"]).to_owned()
            }
            _ => self.assignment(),
        }
    }

    fn handshake(&mut self) -> String {
        let texts = ["r!0", "r!1", "r!x", "r!1", "r?x", "r?1", "r?0", "r?_", "r?eval(x)", "r?g"];
        self.pick(&texts).to_owned()
    }

    fn buffered(&mut self) -> String {
        let texts = [
            "q!0",
            "q!1",
            "q!x",
            "q!!1",
            "q!!g",
            "q!!0",
            "q?x",
            "q?1",
            "q?_",
            "q?eval(g)",
            "q??1",
            "q??eval(h)",
            "q?<x>",
            "q?<1>",
            "q??<0>",
            "q?g",
        ];
        self.pick(&texts).to_owned()
    }

    fn pair(&mut self) -> String {
        let texts = [
            "s!1,0",
            "s!x,1",
            "s!!g,1",
            "s!!0(1)",
            "s?x,_",
            "s?1,0",
            "s??_,1",
            "s??g,1",
            "s?x(1)",
            "s?eval(g),_",
            "s?_,x",
        ];
        self.pick(&texts).to_owned()
    }
}
