//! Test cases and implementations.

use qp_base::Span;

use crate::ast::{Decl, Expr, Ident, Literal, ModuleExpr, ModuleKind, ParamValue, Test};
use crate::lexer::Token;

use super::Parser;

const HELP: &str = "write `test Name [main = Machine]: module;`";

/// What stands between `test` and its name.
#[derive(Default)]
struct Head {
    params: Vec<(Ident, Vec<ParamValue>)>,
    assume: Option<Expr>,
    wise: Option<Literal>,
}

impl Parser<'_, '_> {
    /// `test param (x in [1, 2]) assume e pairwise T [main = M]: m refines n;`.
    pub(super) fn test_decl(&mut self) -> Option<Decl> {
        let (_, start) = self.bump()?;
        let head = self.test_head()?;
        let name = self.name("the name of a test", HELP)?;
        self.test_rest(start, head, name, false)
    }

    /// `implementation I [main = M]: m;`.
    pub(super) fn implementation(&mut self) -> Option<Decl> {
        let (_, start) = self.bump()?;
        let help = "write `implementation Name [main = Machine]: module;`";
        let name = self.name("the name of an implementation", help)?;
        self.test_rest(start, Head::default(), name, true)
    }

    /// Whether `(n wise)` stands there, after `n` other tokens.
    pub(super) fn at_wise(&self, n: usize) -> bool {
        self.peek_at(n) == Some(Token::Open)
            && self.peek_at(n + 1) == Some(Token::Number)
            && self.name_at(n + 2) == "wise"
    }

    fn test_head(&mut self) -> Option<Head> {
        let mut head = Head::default();
        if self.at_word("param") && self.peek_at(1) == Some(Token::Open) {
            self.next += 2;
            head.params = self.list(Self::param_values)?;
            let help = "write `param (x in [1, 2], y in [true, false])`";
            self.expect(Token::Close, "`,` or `)`", help)?;
        }
        let named_so = matches!(self.peek_at(1), Some(Token::OpenBracket | Token::Colon));
        if self.at_word("assume") && !named_so {
            self.bump();
            head.assume = Some(self.expr()?);
        }
        let help = "write `pairwise` or `(3 wise)`";
        if self.at_wise(0) {
            self.bump();
            head.wise = Some(self.number("a number", help)?);
            self.bump();
            self.expect(Token::Close, "`)`", help)?;
        } else if self.at_word("pairwise") && self.peek_at(1) == Some(Token::Name) {
            let (_, span) = self.bump()?;
            head.wise = Some(Literal { value: 2, span });
        }
        Some(head)
    }

    /// `x in [1, -2, true]`.
    fn param_values(&mut self) -> Option<(Ident, Vec<ParamValue>)> {
        let help = "write `x in [1, 2]`";
        let name = self.name("the name of a parameter", help)?;
        self.expect(Token::In, "`in`", help)?;
        self.expect(Token::OpenBracket, "`[`", help)?;
        let values = self.list(|p| p.param_value(help))?;
        self.expect(Token::CloseBracket, "`,` or `]`", help)?;
        Some((name, values))
    }

    fn param_value(&mut self, help: &str) -> Option<ParamValue> {
        let value = match self.peek() {
            Some(Token::True) => ParamValue::Bool(true),
            Some(Token::False) => ParamValue::Bool(false),
            Some(Token::Minus) => {
                self.bump();
                return Some(ParamValue::Int(-self.number("a number", help)?.value));
            }
            _ => {
                return Some(ParamValue::Int(
                    self.number("a number or `true` or `false`", help)?.value,
                ));
            }
        };
        self.bump();
        Some(value)
    }

    /// All after the name.
    fn test_rest(
        &mut self,
        start: Span,
        head: Head,
        name: Ident,
        implementation: bool,
    ) -> Option<Decl> {
        let mut main = self.after(Token::OpenBracket, Self::main_machine).ok()?;
        self.expect(Token::Colon, "`:` and a module", HELP)?;
        let mut module = self.module()?;
        let said = main.is_some();
        if !said {
            (main, module) = old_form(module);
        }
        let old_form = !said && main.is_some();
        let refines = self.after(Token::Refines, Self::module).ok()?;
        self.semicolon(HELP)?;
        let Head { params, assume, wise } = head;
        let span = self.since(start);
        Some(Decl::Test(Test {
            name,
            main,
            old_form,
            module,
            refines,
            params,
            assume,
            wise,
            implementation,
            span,
        }))
    }

    /// `main = M]` after the bracket.
    fn main_machine(&mut self) -> Option<Ident> {
        if self.eat_word("main").is_none() {
            return self.missing("`main`", HELP);
        }
        self.expect(Token::Assign, "`=`", HELP)?;
        let machine = self.name("the name of a machine", HELP)?;
        self.expect(Token::CloseBracket, "`]`", HELP)?;
        Some(machine)
    }
}

/// `main M in m` instead of `[main = M]`.
fn old_form(module: ModuleExpr) -> (Option<Ident>, ModuleExpr) {
    match module.kind {
        ModuleKind::Main(main, inside) => (Some(main), *inside),
        _ => (None, module),
    }
}
