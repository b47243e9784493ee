//! Statements with other statements in them.

use crate::ast::{Expr, ExprKind, ReceiveCase, StmtKind, Var};
use crate::lexer::Token;

use super::Parser;
use super::recovery::ends_body;

impl Parser<'_, '_> {
    /// The keyword and a condition in parentheses.
    pub(super) fn condition(&mut self, shape: &str) -> Option<Expr> {
        let help = format!("write `{shape}`");
        self.bump();
        let open = self.expect(Token::Open, "`(`", &help)?;
        let inside = self.expr();
        let closed = inside.is_some() && self.eat(Token::Close).is_some();
        if let (Some(condition), true) = (inside, closed) {
            return Some(condition);
        }
        let assigned = self.peek() == Some(Token::Assign);
        let help =
            if assigned { "`=` assigns; compare with `==`" } else { "every `(` needs a `)`" };
        self.unexpected("`)`", help);
        // What follows can be read all the same.
        self.skip_parenthesis().then(|| Expr { kind: ExprKind::Broken, span: self.since(open) })
    }

    /// `if (e) … else …`.
    pub(super) fn branch(&mut self, vars: &mut Vec<Var>) -> Option<StmtKind> {
        let condition = self.condition("if (condition) { ... }")?;
        let then = self.inner(vars)?;
        let otherwise = self.after(Token::Else, |p| p.inner(vars)).ok()?;
        Some(StmtKind::If { condition, then, otherwise })
    }

    /// `foreach (x in e) …`.
    pub(super) fn foreach(&mut self, vars: &mut Vec<Var>) -> Option<StmtKind> {
        let help = "write `foreach (x in collection) { ... }`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let item = self.name("the name of a variable", help)?;
        self.expect(Token::In, "`in`", help)?;
        let collection = self.expr()?;
        self.expect(Token::Close, "`)`", help)?;
        self.loop_invariants()?;
        let body = self.inner(vars)?;
        Some(StmtKind::Foreach { item, collection, body })
    }

    /// `receive { case E: … }`.
    pub(super) fn receive(&mut self) -> Option<StmtKind> {
        let help = "write `receive { case event: (payload: type) { ... } }`";
        self.bump();
        let open = self.open_brace("`{`", help, |token| token == Token::Case)?;
        let mut cases = Vec::new();
        loop {
            match self.peek() {
                Some(Token::Case) => match self.nested(Self::receive_case) {
                    Some(case) => cases.push(case),
                    None => self.skip_case(),
                },
                Some(Token::CloseBrace) if cases.is_empty() => {
                    self.unexpected("`case`", help);
                    break;
                }
                Some(token) if token != Token::CloseBrace && !ends_body(token) => {
                    self.unexpected("`case` or `}`", help);
                    self.bump();
                    self.skip_case();
                }
                _ => break,
            }
        }
        self.close_brace(open, "`case` or `}`");
        Some(StmtKind::Receive(cases))
    }

    fn skip_case(&mut self) {
        while let Some(token) = self.peek() {
            match token {
                Token::Case | Token::CloseBrace => return,
                Token::OpenBrace => {
                    self.skip_block();
                    return;
                }
                _ if ends_body(token) => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn receive_case(&mut self) -> Option<ReceiveCase> {
        let (_, start) = self.bump()?;
        let events = self.events_or_null()?;
        self.expect(Token::Colon, "`,` or `:`", "write `case event: { ... }`")?;
        let param = self.inline_param().ok()?;
        let body = self.body("`{`")?;
        Some(ReceiveCase { events, param, body, span: self.since(start) })
    }
}
