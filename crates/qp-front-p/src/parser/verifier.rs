//! What P's deductive verifier adds. Its words are names wherever they can be.

use crate::ast::{Body, Decl, Function, Stmt, StmtKind, Type};
use crate::lexer::Token;

use super::{Parser, Reported};

impl Parser<'_, '_> {
    /// A declaration for the verifier, or a `pure` function, if the next word begins one.
    pub(super) fn verifier_decl(&mut self) -> Result<Option<Decl>, Reported> {
        let start = self.here();
        let what = match (self.name_at(0), self.peek_at(1)) {
            ("pure", _) => return self.optional(true, |p| p.pure().map(Decl::Function)),
            ("invariant", _) => self.named_formula("invariant"),
            ("axiom", _) => self.formula("axiom"),
            ("init", Some(Token::Minus)) => {
                // The word has a minus sign in it.
                self.next += 2;
                self.formula("init-condition")
            }
            ("Lemma", _) => self.group("Lemma"),
            ("Theorem", _) => self.group("Theorem"),
            ("Proof", _) => self.group("Proof"),
            _ => return Ok(None),
        };
        let what = what.ok_or(Reported)?;
        Ok(Some(Decl::Verifier { what, span: self.since(start) }))
    }

    /// `inflight e` or `sent e`, if it is here.
    pub(super) fn at_verifier_prefix(&self) -> Option<&'static str> {
        let operand = matches!(self.peek_at(1), Some(Token::Name | Token::This));
        let what = ["inflight", "sent"].into_iter().find(|word| self.at_word(word));
        what.filter(|_| operand)
    }

    /// `is K` or `targets e` after an expression, if it is here.
    pub(super) fn at_verifier_suffix(&self) -> Option<&'static str> {
        let operand = matches!(self.peek_at(1), Some(Token::Name | Token::This));
        let what = ["is", "targets"].into_iter().find(|word| self.at_word(word));
        what.filter(|_| operand)
    }

    /// The word and its operand.
    pub(super) fn verifier_operator(&mut self, what: &'static str) -> Option<&'static str> {
        self.bump();
        self.operand()?;
        Some(what)
    }

    /// `forall (x:` or `exists new (x:`, if it is here: no call looks like this.
    pub(super) fn at_quantifier(&self) -> Option<&'static str> {
        let what = ["forall", "exists"].into_iter().find(|word| self.at_word(word))?;
        let new = usize::from(self.peek_at(1) == Some(Token::New));
        let bound = self.peek_at(new + 1) == Some(Token::Open)
            && self.peek_at(new + 3) == Some(Token::Colon);
        bound.then_some(what)
    }

    /// `forall (x: T) :: e`.
    pub(super) fn quantifier(&mut self, what: &'static str) -> Option<&'static str> {
        let help = format!("write `{what} (x: type) :: expression`");
        self.bump();
        self.eat(Token::New);
        self.params()?;
        self.expect(Token::Colon, "`::`", &help)?;
        self.expect(Token::Colon, "`::`", &help)?;
        self.expr()?;
        Some(what)
    }

    /// `invariant e;` after the head of a loop. They are for the verifier only and are not kept.
    pub(super) fn loop_invariants(&mut self) -> Option<()> {
        let name_follows = |p: &Self| {
            matches!(
                p.peek_at(1),
                Some(
                    Token::Assign | Token::Insert | Token::Remove | Token::Dot | Token::OpenBracket
                )
            )
        };
        while self.at_word("invariant") && !name_follows(self) {
            self.formula("invariant")?;
        }
        Some(())
    }

    /// `requires e;` and `ensures e;` after the head of a foreign function; how many there are.
    pub(super) fn contracts(&mut self) -> Option<usize> {
        let mut count = 0;
        while self.at_word("requires") || self.at_word("ensures") {
            self.formula("requires")?;
            count += 1;
        }
        Some(count)
    }

    /// `return (x: T);` after the head of a foreign function.
    pub(super) fn named_result(&mut self) -> Option<Type> {
        let help = "write `return (result: type);`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let (_, ty) = self.typed_name("the name of the result")?;
        self.expect(Token::Close, "`)`", help)?;
        self.semicolon(help)?;
        Some(ty)
    }

    /// `pure f(x: T): U = e;`, or without `= e`.
    fn pure(&mut self) -> Option<Function> {
        let (_, start) = self.bump()?;
        let help = "write `pure name(x: type): type = expression;`";
        let name = self.name("the name of a function", help)?;
        let params = self.params()?;
        self.expect(Token::Colon, "`:` and a type", help)?;
        let returns = Some(self.ty()?);
        let body = self
            .after(Token::Assign, |p| {
                let value = p.expr()?;
                let span = value.span;
                let stmt = Stmt { kind: StmtKind::Return(Some(value)), span };
                Some(Body { vars: Vec::new(), stmts: vec![stmt], span })
            })
            .ok()?;
        self.semicolon(help)?;
        Some(Function { name, params, returns, body, pure: true, span: self.since(start) })
    }

    /// `word e;`.
    fn formula(&mut self, what: &'static str) -> Option<&'static str> {
        self.bump();
        self.expr()?;
        self.semicolon(&format!("write `{what} expression;`"))?;
        Some(what)
    }

    /// `word name: e;`.
    fn named_formula(&mut self, what: &'static str) -> Option<&'static str> {
        let help = format!("write `{what} name: expression;`");
        self.bump();
        self.name("a name", &help)?;
        self.expect(Token::Colon, "`:`", &help)?;
        self.expr()?;
        self.semicolon(&help)?;
        Some(what)
    }

    /// `word name { … }`. What is inside means something to the verifier only.
    fn group(&mut self, what: &'static str) -> Option<&'static str> {
        self.bump();
        if self.peek() == Some(Token::Name) {
            self.bump();
        }
        if self.peek() == Some(Token::OpenBrace) && self.skip_block() {
            return Some(what);
        }
        self.missing("a block in braces", &format!("write `{what} name {{ ... }}`"))
    }
}
