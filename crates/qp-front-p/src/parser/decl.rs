//! Declarations at the top of a file.

use crate::ast::{Decl, Ident, Literal, MachineKind};
use crate::codes;
use crate::lexer::Token;
use crate::names::did_you_mean;

use super::Parser;

/// The words that declarations begin with, for suggestions.
const WORDS: &str = "enum event eventset fun implementation interface machine module param scenario \
                     spec test type";

impl Parser<'_, '_> {
    /// All of them.
    pub(super) fn decls(&mut self) {
        while self.peek().is_some() {
            let before = self.next;
            match self.nested(Self::decl) {
                Some(decl) => self.file.decls.push(decl),
                None => self.skip_decl(),
            }
            if self.next == before {
                self.bump();
            }
        }
    }

    fn decl(&mut self) -> Option<Decl> {
        match self.peek()? {
            Token::Type => self.type_decl(),
            Token::Enum => self.enum_decl(),
            Token::Event => self.event_decl(),
            Token::EventSet => self.event_set(),
            Token::Interface => self.interface(),
            Token::Machine => self.machine().map(Decl::Machine),
            Token::Spec => self.observer(MachineKind::Spec).map(Decl::Machine),
            Token::Fun => self.function().map(Decl::Function),
            Token::Module => self.module_decl(),
            Token::Test => self.test_decl(),
            Token::Implementation => self.implementation(),
            _ => self.contextual(),
        }
    }

    /// A declaration that begins with a word that is no keyword elsewhere.
    fn contextual(&mut self) -> Option<Decl> {
        if let Some(decl) = self.verifier_decl().ok()? {
            return Some(decl);
        }
        match self.name_at(0) {
            "param" => return self.param_decl(),
            "scenario" => return self.observer(MachineKind::Scenario).map(Decl::Machine),
            _ if self.refuse_decl() => return self.decl(),
            _ => {}
        }
        let otherwise = "a file is made of `event`, `type`, `enum`, `machine`, `spec`, `fun`, `module`, `test`, and so on";
        let help = match self.peek() {
            Some(Token::CloseBrace) => "perhaps a `}` before it is one too many".to_owned(),
            Some(Token::Semicolon) => "no `;` follows a closing `}`".to_owned(),
            _ => did_you_mean(self.name_at(0), WORDS.split(' '), otherwise),
        };
        self.missing("a declaration", &help)
    }

    fn type_decl(&mut self) -> Option<Decl> {
        let help = "write `type Name = type;`";
        self.bump();
        let name = self.name("the name of a type", help)?;
        if self.peek() == Some(Token::Open) {
            return self.interface_type(name);
        }
        let ty = self.after(Token::Assign, Self::ty).ok()?;
        self.semicolon(help)?;
        Some(Decl::Type { name, ty })
    }

    /// `type I(T) = { E, F };`, of early 2018: an interface under another keyword.
    fn interface_type(&mut self, name: Ident) -> Option<Decl> {
        let help = "write `interface Name(type) receives E, F;`";
        self.bump();
        let arg = self.optional(self.peek() != Some(Token::Close), Self::ty).ok()?;
        self.expect(Token::Close, "`)`", help)?;
        self.expect(Token::Assign, "`=`", help)?;
        self.expect(Token::OpenBrace, "`{`", help)?;
        let there = self.peek() != Some(Token::CloseBrace);
        let receives = self.optional(there, Self::events).ok()?.unwrap_or_default();
        self.expect(Token::CloseBrace, "`,` or `}`", help)?;
        self.semicolon(help)?;
        Some(Decl::Interface { name, arg, receives: Some(receives) })
    }

    fn enum_decl(&mut self) -> Option<Decl> {
        let help = "write `enum Name { A, B }` or `enum Name { A = 1, B = 2 }`";
        self.bump();
        let name = self.name("the name of an enum", help)?;
        self.expect(Token::OpenBrace, "`{`", help)?;
        let elements = self.list(|p| p.element_decl(help))?;
        self.expect(Token::CloseBrace, "`,` or `}`", help)?;
        self.check_numbers(&elements);
        Some(Decl::Enum { name, elements })
    }

    fn element_decl(&mut self, help: &str) -> Option<(Ident, Option<Literal>)> {
        let name = self.name("the name of an element", help)?;
        let value = self.after(Token::Assign, |p| p.number("a number", help)).ok()?;
        Some((name, value))
    }

    /// Either all elements have numbers or none has.
    fn check_numbers(&mut self, elements: &[(Ident, Option<Literal>)]) {
        let numbered = elements.first().is_some_and(|(_, value)| value.is_some());
        let Some((odd, _)) = elements.iter().find(|(_, value)| value.is_some() != numbered) else {
            return;
        };
        let (odd_one, first) = if numbered { ("no", "one") } else { ("a", "none") };
        let (name, other) = (&odd.text, &elements[0].0.text);
        let message = format!("`{name}` has {odd_one} number, but `{other}` has {first}");
        let help = "give a number to every element or to none";
        self.complaints.error(codes::UNEXPECTED, message, odd.span, help);
    }

    fn event_decl(&mut self) -> Option<Decl> {
        let help = "write `event Name;` or `event Name: type;`";
        self.bump();
        let name = self.name("the name of an event", help)?;
        let cap = self.cap().ok()?;
        let payload = self.after(Token::Colon, Self::ty).ok()?;
        self.refuse_annotation("an event");
        self.semicolon(help)?;
        Some(Decl::Event { name, cap, payload })
    }

    fn event_set(&mut self) -> Option<Decl> {
        let help = "write `eventset Name = { E, F };`";
        self.bump();
        let name = self.name("the name of a set of events", help)?;
        self.expect(Token::Assign, "`=`", help)?;
        self.expect(Token::OpenBrace, "`{`", help)?;
        let events = self.events()?;
        self.expect(Token::CloseBrace, "`,` or `}`", help)?;
        self.semicolon(help)?;
        Some(Decl::EventSet { name, events })
    }

    fn interface(&mut self) -> Option<Decl> {
        let help = "write `interface Name(type) receives E, F;`";
        self.bump();
        let name = self.name("the name of an interface", help)?;
        self.expect(Token::Open, "`(`", help)?;
        let arg = self.optional(self.peek() != Some(Token::Close), Self::ty).ok()?;
        self.expect(Token::Close, "`)`", help)?;
        let receives = match self.eat(Token::Receives) {
            Some(_) if self.peek() == Some(Token::Semicolon) => Some(Vec::new()),
            Some(_) => Some(self.events()?),
            None => {
                return self.missing("`receives`", help);
            }
        };
        self.semicolon(help)?;
        Some(Decl::Interface { name, arg, receives })
    }

    fn param_decl(&mut self) -> Option<Decl> {
        let help = "write `param x, y: int;`";
        self.bump();
        let names = self.list(|p| p.name("the name of a parameter", help))?;
        self.expect(Token::Colon, "`:` and a type", help)?;
        let ty = self.ty()?;
        self.semicolon(help)?;
        Some(Decl::Param { names, ty })
    }
}
