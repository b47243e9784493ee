//! Machines, specs, and functions.

use qp_base::{Diagnostic, Span};

use crate::ast::{Cap, Function, Ident, Machine, MachineKind};
use crate::codes;
use crate::lexer::Token;
use crate::names::did_you_mean;

use super::{Parser, Reported};

/// The words that members of a machine begin with, for suggestions.
const WORDS: &[&str] = &["var", "fun", "start", "hot", "cold", "state"];

impl Parser<'_, '_> {
    /// `machine M receives …; sends …; { … }`.
    pub(super) fn machine(&mut self) -> Option<Machine> {
        let help = "write `machine Name { ... }`";
        let mut machine =
            self.named_machine(MachineKind::Machine, "the name of a machine", help)?;
        machine.cap = self.cap().ok()?;
        self.refuse_interfaces()?;
        self.refuse_annotation("a machine");
        loop {
            let set = match self.peek() {
                Some(Token::Receives) => &mut machine.receives,
                Some(Token::Sends) => &mut machine.sends,
                _ => break,
            };
            self.bump();
            let set = set.get_or_insert_default();
            if self.peek() != Some(Token::Semicolon) {
                set.extend(self.events()?);
            }
            self.semicolon("write `receives E, F;` and `sends G;` before the `{`")?;
        }
        self.members(machine, help)
    }

    /// `spec S observes E, F { … }`, also `scenario`.
    pub(super) fn observer(&mut self, kind: MachineKind) -> Option<Machine> {
        let (wanted, help) = match kind {
            MachineKind::Scenario => {
                ("the name of a scenario", "write `scenario Name observes E, F { ... }`")
            }
            _ => ("the name of a spec", "write `spec Name observes E, F { ... }`"),
        };
        let mut machine = self.named_machine(kind, wanted, help)?;
        self.expect(Token::Observes, "`observes`", help)?;
        machine.observes = self.events()?;
        self.members(machine, help)
    }

    /// `assert 3` or `assume 3`, if it is there.
    pub(super) fn cap(&mut self) -> Result<Option<Cap>, Reported> {
        let there = self.at_word("assume") || self.peek() == Some(Token::Assert);
        self.optional(there, |p| {
            let start = p.here();
            let assume = p.at_word("assume");
            p.bump();
            let bound = p.number("a number", "write how many messages there may be")?;
            let count = u32::try_from(bound.value).unwrap_or_else(|_| {
                let message = "this number is too large";
                let help = format!("the largest number here is {}", u32::MAX);
                p.complaints.error(codes::NUMBER, message, bound.span, help);
                u32::MAX
            });
            Some(Cap { assume, count, span: p.since(start) })
        })
    }

    /// `fun f(x: T): U { … }`, or `;` instead of a body for a foreign one.
    pub(super) fn function(&mut self) -> Option<Function> {
        let (_, start) = self.bump()?;
        let help = "write `fun name(x: type): type { ... }`";
        let name = self.name("the name of a function", help)?;
        let params = self.params()?;
        let mut returns = self.after(Token::Colon, Self::ty).ok()?;
        self.refuse_annotation("a function");
        // What a function creates follows from its body; nothing is lost by not keeping it.
        if self.eat(Token::Creates).is_some() {
            self.list(|p| p.name("the name of a machine", help))?;
        }
        let body = match self.peek() {
            Some(Token::OpenBrace) => Some(self.body("`{`")?),
            Some(Token::Semicolon) => {
                self.bump();
                None
            }
            Some(Token::Return) => {
                returns = Some(self.named_result()?);
                self.contracts()?;
                None
            }
            _ if self.contracts()? > 0 => None,
            _ => {
                return self.missing("`:` and a type, `{` or `;`", help);
            }
        };
        Some(Function { name, params, returns, body, pure: false, span: self.since(start) })
    }

    /// The keyword and the name.
    fn named_machine(&mut self, kind: MachineKind, wanted: &str, help: &str) -> Option<Machine> {
        let (_, span) = self.bump()?;
        let name: Ident = self.name(wanted, help)?;
        Some(Machine {
            kind,
            name,
            cap: None,
            receives: None,
            sends: None,
            observes: Vec::new(),
            vars: Vec::new(),
            functions: Vec::new(),
            states: Vec::new(),
            span,
        })
    }

    /// All between the braces.
    fn members(&mut self, mut machine: Machine, help: &str) -> Option<Machine> {
        let wanted = match (machine.kind, machine.observes.is_empty()) {
            (MachineKind::Machine, _) => "`{`",
            _ => "`,` or `{`",
        };
        let open = self.open_brace(wanted, help, Token::begins_member)?;
        while let Some(token) = self.peek() {
            let before = self.next;
            if token == Token::CloseBrace || (token.begins_decl() && !token.begins_member()) {
                break;
            }
            if self.nested(|p| p.member(&mut machine)).is_none() {
                self.skip_item();
            }
            if self.next == before {
                self.bump();
            }
        }
        self.close_brace(open, "`var`, `fun`, a state or `}`");
        machine.span = self.since(machine.span);
        Some(machine)
    }

    fn member(&mut self, machine: &mut Machine) -> Option<()> {
        match self.peek() {
            Some(Token::Var) => self.vars(&mut machine.vars),
            Some(Token::Fun) => {
                machine.functions.push(self.function()?);
                Some(())
            }
            Some(Token::State | Token::Start | Token::Hot | Token::Cold) => {
                machine.states.push(self.state()?);
                Some(())
            }
            Some(token) if token.begins_item() => self.stray_items(),
            _ if self.refuse_member() => Some(()),
            _ => {
                let otherwise = match self.peek() {
                    Some(token) if token.begins_type() => {
                        "write `var x: int;` for a variable, `fun f(): int { ... }` for a function"
                    }
                    _ => "a machine is made of `var`, `fun` and states",
                };
                let help = did_you_mean(self.name_at(0), WORDS.iter().copied(), otherwise);
                self.missing("`var`, `fun`, a state or `}`", &help)
            }
        }
    }

    /// Lines of a state outside of any: one message for all of them.
    fn stray_items(&mut self) -> Option<()> {
        let span: Span = self.here();
        let text = self.text(span);
        let message = format!("`{text}` stands outside of any state");
        let error = Diagnostic::error(codes::UNEXPECTED, message, span);
        self.report(error.help("put it into a state; perhaps a `}` before it is one too many"));
        while self.peek().is_some_and(Token::begins_item) {
            self.state_item()?;
        }
        Some(())
    }
}
