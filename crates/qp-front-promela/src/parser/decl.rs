//! Declarations of variables, channels and symbolic names.

use crate::ast::{Declarator, Ident, Init, TypeKind, TypeName, Unit, Vars, Visibility};

use super::{Behind, Parser};

const TYPES: &[&str] = &["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];
const VISIBILITIES: &[&str] = &["hidden", "show", "local"];

impl Parser<'_> {
    /// Whether a declaration of variables begins here.
    pub(super) fn at_type(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        let word = token.kind == crate::token::Kind::Name;
        word && (TYPES.contains(&&*token.text)
            || VISIBILITIES.contains(&&*token.text)
            || self.types.contains(&token.text))
    }

    /// `byte a = 1, b[3]` and the like, without the `;`.
    pub(super) fn vars(&mut self) -> Option<Vars> {
        let start = self.here();
        let visibility = match self.peek().map(|token| &*token.text) {
            Some("hidden") => Visibility::Hidden,
            Some("show") => Visibility::Show,
            Some("local") => Visibility::Local,
            _ => Visibility::Plain,
        };
        if visibility != Visibility::Plain {
            self.bump();
        }
        let ty = self.type_name()?;
        let declarators = self.list(Self::declarator)?;
        Some(Vars { visibility, ty, declarators, at: self.since(start) })
    }

    /// Whether symbolic names are declared here, not a variable.
    pub(super) fn at_mtype_declaration(&self) -> bool {
        let is = |n: usize, text: &str| self.peek_at(n).is_some_and(|token| token.is(text));
        let named = is(1, ":") && (is(3, "=") || is(3, "{"));
        is(0, "mtype") && (is(1, "=") || is(1, "{") || named)
    }

    /// `mtype = { … }` or `mtype:set = { … }`.
    pub(super) fn mtype_declaration(&mut self) -> Option<Unit> {
        let start = self.here();
        self.bump();
        let set = if self.eat(":") { Some(self.name("the name of a set", "")?) } else { None };
        self.eat("=");
        self.expect("{", "write `mtype = { red, green }`")?;
        let mut names: Vec<Ident> = Vec::new();
        while !self.at("}") {
            // The commas may be left out.
            if !self.eat(",") {
                names.push(self.name("a symbolic name", "write `mtype = { red, green }`")?);
            }
        }
        self.expect("}", "every `{` needs a `}`")?;
        Some(Unit::Mtype { set, names, at: self.since(start) })
    }

    pub(super) fn type_name(&mut self) -> Option<TypeName> {
        let help =
            "types are bit, bool, byte, pid, short, int, unsigned, chan, mtype, and typedefs";
        if !self.at_type() {
            return self.missing("a type", help);
        }
        let token = self.bump()?;
        let kind = match &*token.text {
            "bit" => TypeKind::Bit,
            "bool" => TypeKind::Bool,
            "byte" => TypeKind::Byte,
            "pid" => TypeKind::Pid,
            "short" => TypeKind::Short,
            "int" => TypeKind::Int,
            "unsigned" => TypeKind::Unsigned,
            "chan" => TypeKind::Chan,
            "mtype" if self.eat(":") => {
                TypeKind::Mtype(Some(self.name("the name of a set of symbolic names", "")?))
            }
            "mtype" => TypeKind::Mtype(None),
            _ if token.is_name() => {
                TypeKind::User(Ident { at: token.at(), text: token.text.clone() })
            }
            _ => {
                return self.missing("a type", help);
            }
        };
        Some(TypeName { kind, at: token.at() })
    }

    fn declarator(&mut self) -> Option<Declarator> {
        let name =
            self.name("the name of a variable", "names consist of letters, digits and `_`")?;
        let mut declarator = Declarator { name, width: None, size: None, init: Init::None };
        if self.eat(":") {
            declarator.width = Some(self.number()?);
        }
        if self.eat("[") {
            declarator.size = Some(self.expr()?);
            self.expect("]", "every `[` needs a `]`")?;
        }
        if self.eat("=") {
            declarator.init = self.initialiser()?;
        }
        Some(declarator)
    }

    fn initialiser(&mut self) -> Option<Init> {
        let start = self.here();
        if self.eat("{") {
            let values = self.list(Self::expr)?;
            self.expect("}", "every `{` needs a `}`")?;
            return Some(Init::List(values));
        }
        if !self.eat("[") {
            return self.expr().map(Init::Value);
        }
        let help = "write `chan c = [capacity] of { byte, chan }`";
        let capacity = self.expr()?;
        self.expect("]", help)?;
        // The end of the line after `]` ends nothing here.
        self.behind = Behind::Operator;
        self.expect("of", help)?;
        self.expect("{", help)?;
        let fields = self.list(Self::type_name)?;
        self.behind = Behind::Operator;
        self.expect("}", help)?;
        Some(Init::Channel { capacity, fields, at: self.since(start) })
    }
}
