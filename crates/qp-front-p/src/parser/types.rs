//! Types.

use crate::ast::{Ident, Type, TypeKind, Var};
use crate::lexer::Token;

use super::Parser;

const HELP: &str = "a type is `bool`, `int`, `float`, `string`, `event`, `machine`, `any`, `data`, `seq[T]`, `set[T]`, `map[K, V]`, `(T, U)`, `(x: T, y: U)` or a name";

impl Parser<'_, '_> {
    pub(super) fn ty(&mut self) -> Option<Type> {
        let start = self.here();
        let kind = self.nested(Self::type_kind)?;
        Some(Type { kind, span: self.since(start) })
    }

    /// `x: T`.
    pub(super) fn typed_name(&mut self, wanted: &str) -> Option<(Ident, Type)> {
        let help = "write `name: type`";
        let name = self.name(wanted, help)?;
        self.expect(Token::Colon, "`:` and a type", help)?;
        Some((name, self.ty()?))
    }

    /// `(x: T, y: U)`, with the parentheses.
    pub(super) fn params(&mut self) -> Option<Vec<Var>> {
        let help = "write `(x: int, y: bool)`, or `()` without parameters";
        self.expect(Token::Open, "`(` and the parameters", help)?;
        if self.eat(Token::Close).is_some() {
            return Some(Vec::new());
        }
        let params = self.list(Self::param)?;
        self.expect(Token::Close, "`,` or `)`", help)?;
        Some(params)
    }

    pub(super) fn param(&mut self) -> Option<Var> {
        let (name, ty) = self.typed_name("the name of a parameter")?;
        Some(Var { name, ty })
    }

    fn type_kind(&mut self) -> Option<TypeKind> {
        let kind = match self.peek() {
            Some(Token::Bool) => TypeKind::Bool,
            Some(Token::Int) => TypeKind::Int,
            Some(Token::Float) => TypeKind::Float,
            Some(Token::String) => TypeKind::String,
            Some(Token::Event) => TypeKind::Event,
            Some(Token::Machine) => TypeKind::Machine,
            Some(Token::Data) => TypeKind::Data,
            Some(Token::Any) => TypeKind::Any,
            Some(Token::Name) => TypeKind::Named(self.name_at(0).to_owned()),
            Some(Token::Seq) => return Some(TypeKind::Seq(Box::new(self.element("seq[T]")?))),
            Some(Token::Set) => return Some(TypeKind::Set(Box::new(self.element("set[T]")?))),
            Some(Token::Map) => return self.map(),
            Some(Token::Open) => return self.tuple_type(),
            _ => {
                return self.missing("a type", HELP);
            }
        };
        self.bump();
        Some(kind)
    }

    /// `seq[T]`, `set[T]`.
    fn element(&mut self, shape: &str) -> Option<Type> {
        let help = format!("write `{shape}`");
        self.bump();
        self.expect(Token::OpenBracket, "`[`", &help)?;
        let element = self.ty()?;
        self.expect(Token::CloseBracket, "`]`", &help)?;
        Some(element)
    }

    fn map(&mut self) -> Option<TypeKind> {
        let help = "write `map[K, V]`";
        self.bump();
        self.expect(Token::OpenBracket, "`[`", help)?;
        let key = self.ty()?;
        self.expect(Token::Comma, "`,` and the type of the values", help)?;
        let value = self.ty()?;
        self.expect(Token::CloseBracket, "`]`", help)?;
        Some(TypeKind::Map(Box::new(key), Box::new(value)))
    }

    fn tuple_type(&mut self) -> Option<TypeKind> {
        let help = "write `(T, U)` or `(x: T, y: U)`";
        self.bump();
        let kind = if self.peek_at(1) == Some(Token::Colon) {
            TypeKind::NamedTuple(self.list(|p| p.typed_name("the name of a field"))?)
        } else {
            TypeKind::Tuple(self.list(Self::ty)?)
        };
        self.expect(Token::Close, "`,` or `)`", help)?;
        Some(kind)
    }
}
