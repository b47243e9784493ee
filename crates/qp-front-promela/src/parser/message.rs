//! Sends and receives.

use crate::ast::{Arg, Expr, ExprKind, Ref, StmtKind};
use crate::at::At;

use super::Parser;

impl Parser<'_> {
    /// `! a, b`, `! a(b)` and the same with `!!`, behind the channel.
    pub(super) fn send(&mut self, channel: Ref) -> Option<StmtKind> {
        let sorted = self.at("!!");
        self.bump();
        let mut args = vec![self.expr()?];
        if self.eat("(") {
            args.extend(self.list(Self::expr)?);
            self.expect(")", "every `(` needs a `)`")?;
        } else {
            while self.eat(",") {
                args.push(self.expr()?);
            }
        }
        Some(StmtKind::Send { channel, sorted, args })
    }

    /// `? a, b`, `? a(b)`, `? <a, b>` and the same with `??`, behind the channel.
    pub(super) fn receive(&mut self, channel: Ref) -> Option<StmtKind> {
        let random = self.at("??");
        self.bump();
        let keep = self.eat("<");
        let args = self.receive_args()?;
        if keep {
            self.expect(">", "write `c?<a, b>`")?;
        }
        Some(StmtKind::Receive { channel, random, keep, args })
    }

    /// `?[a, b]` and `??[a, b]`, behind the channel.
    pub(super) fn poll(&mut self, channel: Ref, start: At) -> Option<Expr> {
        let random = self.at("??");
        self.bump();
        self.expect("[", "write `c?[a, b]`")?;
        let args = self.receive_args()?;
        self.expect("]", "write `c?[a, b]`")?;
        Some(Expr { kind: ExprKind::Poll { channel, random, args }, at: self.since(start) })
    }

    fn receive_args(&mut self) -> Option<Vec<Arg>> {
        let mut args = Vec::new();
        self.nested(|p| p.more_args(&mut args))?;
        Some(args)
    }

    /// Arguments with commas between them; those behind any one may stand in parentheses.
    fn more_args(&mut self, args: &mut Vec<Arg>) -> Option<()> {
        loop {
            if self.eat("(") {
                self.nested(|p| p.more_args(args))?;
                return self.expect(")", "every `(` needs a `)`");
            }
            args.push(self.arg()?);
            if self.eat(",") || self.at("(") {
                continue;
            }
            return Some(());
        }
    }

    fn arg(&mut self) -> Option<Arg> {
        let start = self.here();
        if self.eat("eval") {
            return self.in_parentheses(Self::expr).map(Arg::Eval);
        }
        let negative = self.eat("-");
        if negative || self.at_number() {
            let number = self.number()?;
            let ExprKind::Number(value) = number.kind else { return None };
            let value = if negative { value.wrapping_neg() } else { value };
            return Some(Arg::Number(value, self.since(start)));
        }
        if !self.at_name() {
            let help = "what is received goes into a variable, or is compared with a constant or `eval(…)`";
            return self.missing("a variable, a constant or `eval`", help);
        }
        self.reference().map(Arg::Ref)
    }
}
