//! Modules.

use crate::ast::{Binding, Decl, Ident, ModuleExpr, ModuleKind};
use crate::lexer::Token;

use super::Parser;

const HELP: &str = "a module is `{ Machine, Other -> Interface }`, a name, `union m, n`, `compose m, n`, `assert Spec in m`, `rename A to B in m`, `hidee E in m`, `hidei I in m` or `main M in m`";

impl Parser<'_, '_> {
    /// `module M = …;`.
    pub(super) fn module_decl(&mut self) -> Option<Decl> {
        let help = "write `module Name = { Machine, Other };`";
        self.bump();
        let name = self.name("the name of a module", help)?;
        self.expect(Token::Assign, "`=`", help)?;
        let expr = self.module()?;
        self.semicolon(help)?;
        Some(Decl::Module { name, expr })
    }

    pub(super) fn module(&mut self) -> Option<ModuleExpr> {
        let start = self.here();
        let kind = self.nested(Self::module_kind)?;
        Some(ModuleExpr { kind, span: self.since(start) })
    }

    fn module_kind(&mut self) -> Option<ModuleKind> {
        match self.peek() {
            Some(Token::Open) => {
                self.bump();
                let inside = self.module()?;
                self.expect(Token::Close, "`,` or `)`", "every `(` needs a `)`")?;
                Some(inside.kind)
            }
            Some(Token::OpenBrace) => {
                self.bump();
                let bindings = self.list(Self::binding)?;
                self.expect(Token::CloseBrace, "`,`, `->` or `}`", HELP)?;
                Some(ModuleKind::Bindings(bindings))
            }
            Some(Token::Compose) => self.several("compose m, n").map(ModuleKind::Compose),
            Some(Token::Union) => self.several("union m, n").map(ModuleKind::Union),
            Some(Token::HideEvents) => {
                self.bump();
                let events = self.events()?;
                Some(ModuleKind::HideEvents(events, self.inside("hidee E in m")?))
            }
            Some(Token::HideInterfaces) => {
                self.bump();
                let interfaces = self.names("the name of an interface")?;
                Some(ModuleKind::HideInterfaces(interfaces, self.inside("hidei I in m")?))
            }
            Some(Token::Assert) => {
                self.bump();
                let specs = self.names("the name of a spec")?;
                Some(ModuleKind::Assert(specs, self.inside("assert Spec in m")?))
            }
            Some(Token::Rename) => self.rename(),
            Some(Token::Name) if self.at_word("main") && self.peek_at(1) == Some(Token::Name) => {
                self.bump();
                let main = self.name("the name of a machine", HELP)?;
                Some(ModuleKind::Main(main, self.inside("main Machine in m")?))
            }
            Some(Token::Name) => {
                let name = self.name("the name of a module", HELP)?;
                Some(ModuleKind::Named(name.text))
            }
            _ => self.missing("a module", HELP),
        }
    }

    /// Two modules or more.
    fn several(&mut self, shape: &str) -> Option<Vec<ModuleExpr>> {
        let help = format!("write `{shape}`");
        self.bump();
        let first = self.module()?;
        self.expect(Token::Comma, "`,` and another module", &help)?;
        let mut modules = vec![first];
        modules.extend(self.list(Self::module)?);
        Some(modules)
    }

    fn names(&mut self, wanted: &str) -> Option<Vec<Ident>> {
        self.list(|p| p.name(wanted, HELP))
    }

    /// `in m`.
    fn inside(&mut self, shape: &str) -> Option<Box<ModuleExpr>> {
        self.expect(Token::In, "`in` and a module", &format!("write `{shape}`"))?;
        self.module().map(Box::new)
    }

    fn rename(&mut self) -> Option<ModuleKind> {
        let shape = "rename Old to New in m";
        self.bump();
        let old = self.name("the name of an interface", HELP)?;
        self.expect(Token::To, "`to`", &format!("write `{shape}`"))?;
        let new = self.name("the name of an interface", HELP)?;
        Some(ModuleKind::Rename { old, new, of: self.inside(shape)? })
    }

    fn binding(&mut self) -> Option<Binding> {
        let machine = self.name("the name of a machine", HELP)?;
        let interface =
            self.after(Token::Arrow, |p| p.name("the name of an interface", HELP)).ok()?;
        Some(Binding { machine, interface })
    }
}
