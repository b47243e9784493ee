//! Expressions without operators.

use crate::ast::{Expr, ExprKind, Ident};
use crate::lexer::{Token, unescaped};

use super::Parser;

const HELP: &str =
    "an expression is a name, a number, a string, a call, `(...)`, or one of them with operators";

impl Parser<'_, '_> {
    pub(super) fn primary(&mut self) -> Option<Expr> {
        let start = self.here();
        let kind = self.primary_kind()?;
        Some(Expr { kind, span: self.since(start) })
    }

    /// What a string literal says.
    pub(super) fn string(&mut self) -> Option<String> {
        let span = self.expect(Token::Text, "a string", "a string is written `\"text\"`")?;
        Some(unescaped(self.text(span)))
    }

    /// `M(e, …)` after `new`.
    pub(super) fn creation(&mut self) -> Option<(Ident, Vec<Expr>)> {
        let help = "write `new Machine(argument)`";
        let interface = self.name("the name of a machine", help)?;
        self.expect(Token::Open, "`(`", help)?;
        Some((interface, self.args()?))
    }

    fn primary_kind(&mut self) -> Option<ExprKind> {
        let kind = match self.peek() {
            Some(Token::This) => ExprKind::This,
            Some(Token::Null) => ExprKind::Null,
            Some(Token::True) => ExprKind::Bool(true),
            Some(Token::False) => ExprKind::Bool(false),
            Some(Token::Nondet) => ExprKind::Nondet,
            Some(Token::FairNondet) => ExprKind::FairNondet,
            Some(Token::Halt) => ExprKind::Name("halt".to_owned()),
            Some(Token::Name) => return self.named(),
            Some(Token::Number | Token::Dot) => return self.numeral(),
            Some(Token::Float) => return self.float(),
            Some(Token::Text) => return self.string().map(ExprKind::Text),
            Some(Token::Open) => return self.parenthesis(),
            Some(Token::Keys) => return Some(ExprKind::Keys(self.of_one("keys(m)")?)),
            Some(Token::Values) => return Some(ExprKind::Values(self.of_one("values(m)")?)),
            Some(Token::Sizeof) => return Some(ExprKind::Sizeof(self.of_one("sizeof(s)")?)),
            Some(Token::Default) => return self.default(),
            Some(Token::Choose) => return self.choose(),
            Some(Token::Format) => return self.format(),
            Some(Token::New) => {
                self.bump();
                let (interface, args) = self.creation()?;
                return Some(ExprKind::New { interface, args });
            }
            _ => {
                return self.missing("an expression", HELP);
            }
        };
        self.bump();
        Some(kind)
    }

    /// A name, a call, or something that begins with a word of the verifier.
    fn named(&mut self) -> Option<ExprKind> {
        if let Some(what) = self.at_verifier_prefix() {
            return self.verifier_operator(what).map(ExprKind::Verifier);
        }
        if let Some(what) = self.at_quantifier() {
            return self.quantifier(what).map(ExprKind::Verifier);
        }
        let function = self.name("a name", HELP)?;
        if self.peek() != Some(Token::Open) || self.at_wise(0) {
            return Some(ExprKind::Name(function.text));
        }
        self.bump();
        let args = self.args()?;
        Some(ExprKind::Call { function, args })
    }

    /// `42`, `1.5`, `.5`.
    fn numeral(&mut self) -> Option<ExprKind> {
        let start = self.here();
        let dot = usize::from(self.peek() == Some(Token::Number));
        let fraction =
            self.peek_at(dot) == Some(Token::Dot) && self.peek_at(dot + 1) == Some(Token::Number);
        if !fraction {
            return Some(ExprKind::Int(self.number("an expression", HELP)?.value));
        }
        self.next += dot + 2;
        // There may be spaces and comments around the point.
        let whole = if dot == 0 { "" } else { self.text(start) };
        let value = format!("{whole}.{}", self.text(self.last())).parse();
        Some(ExprKind::Float(value.unwrap_or(f64::INFINITY)))
    }

    /// `float(1, 2)`: one times ten to the power of two.
    fn float(&mut self) -> Option<ExprKind> {
        let help = "write `float(digits, power_of_ten)`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let digits = self.number("a number", help)?;
        self.expect(Token::Comma, "`,`", help)?;
        let power = self.number("a number", help)?;
        self.expect(Token::Close, "`)`", help)?;
        let value = format!("{}e{}", digits.value, power.value).parse();
        Some(ExprKind::Float(value.unwrap_or(f64::INFINITY)))
    }

    /// `(e)`, `(e,)`, `(e, f)`, `(x = e,)`, `(x = e, y = f)`.
    fn parenthesis(&mut self) -> Option<ExprKind> {
        self.bump();
        if self.peek_at(1) == Some(Token::Assign) {
            return self.named_tuple();
        }
        let first = self.argument()?;
        if self.eat(Token::Close).is_some() {
            return Some(first.kind);
        }
        let help = "write `(e)`, `(e, f)`, or `(e,)` for a tuple of one";
        self.expect(Token::Comma, "`,` or `)`", help)?;
        let mut fields = vec![first];
        if self.eat(Token::Close).is_none() {
            fields.extend(self.list(Self::argument)?);
            self.expect(Token::Close, "`,` or `)`", help)?;
        }
        Some(ExprKind::Tuple(fields))
    }

    fn named_tuple(&mut self) -> Option<ExprKind> {
        let help = "write `(x = e, y = f)`, or `(x = e,)` for a tuple of one";
        let mut fields = vec![self.field(help)?];
        self.expect(Token::Comma, "`,`", help)?;
        if self.eat(Token::Close).is_none() {
            fields.extend(self.list(|p| p.field(help))?);
            self.expect(Token::Close, "`,` or `)`", help)?;
        }
        Some(ExprKind::NamedTuple(fields))
    }

    fn field(&mut self, help: &str) -> Option<(Ident, Expr)> {
        let name = self.name("the name of a field", help)?;
        self.expect(Token::Assign, "`=`", help)?;
        Some((name, self.argument()?))
    }

    /// `keys(e)` and the like.
    fn of_one(&mut self, shape: &str) -> Option<Box<Expr>> {
        let help = format!("write `{shape}`");
        self.bump();
        self.expect(Token::Open, "`(`", &help)?;
        let inside = self.expr()?;
        self.expect(Token::Close, "`)`", &help)?;
        Some(Box::new(inside))
    }

    fn default(&mut self) -> Option<ExprKind> {
        let help = "write `default(type)`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let ty = self.ty()?;
        self.expect(Token::Close, "`)`", help)?;
        Some(ExprKind::Default(ty))
    }

    fn choose(&mut self) -> Option<ExprKind> {
        let help = "write `choose()` or `choose(e)`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        if self.eat(Token::Close).is_some() {
            return Some(ExprKind::Choose(None));
        }
        let inside = self.expr()?;
        self.expect(Token::Close, "`)`", help)?;
        Some(ExprKind::Choose(Some(Box::new(inside))))
    }

    fn format(&mut self) -> Option<ExprKind> {
        let help = "write `format(\"text with {0} and {1}\", a, b)`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let text = self.string()?;
        let args = self.more_args()?;
        self.expect(Token::Close, "`,` or `)`", help)?;
        Some(ExprKind::Format { text, args })
    }
}
