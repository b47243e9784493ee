//! States and what they say about events.

use qp_base::{Diagnostic, Span};

use crate::ast::{Handler, Ident, State, StateItem, Temperature, Var};
use crate::codes;
use crate::lexer::Token;
use crate::names::did_you_mean;

use super::{Parser, Reported};

const EVENTS: &str = "events are names with commas between them";

/// The words that lines of a state begin with, for suggestions.
const WORDS: &[&str] = &["entry", "exit", "on", "defer", "ignore"];

impl Parser<'_, '_> {
    /// `start hot state S { … }`.
    pub(super) fn state(&mut self) -> Option<State> {
        let begin = self.here();
        let start = self.eat(Token::Start).is_some();
        let temperature = match self.peek() {
            Some(Token::Hot) => Some(Temperature::Hot),
            Some(Token::Cold) => Some(Temperature::Cold),
            _ => None,
        };
        if temperature.is_some() {
            self.bump();
        }
        let help = match self.peek() {
            Some(Token::Start) => "`start` comes first: `start hot state S { ... }`",
            _ => "write `state Name { ... }`",
        };
        self.expect(Token::State, "`state`", help)?;
        let name = self.name("the name of a state", help)?;
        let open = self.open_brace("`{`", help, Token::begins_item)?;
        let items = self.state_items(open);
        Some(State { start, temperature, name, items, span: self.since(begin) })
    }

    /// The name of a state to go to.
    pub(super) fn state_name(&mut self) -> Option<Ident> {
        let name = self.name("the name of a state", "a state is meant by its name")?;
        if self.peek() == Some(Token::Dot) {
            self.refuse_group(name.span);
            self.bump();
            return self.state_name();
        }
        Some(name)
    }

    /// Names of events, `halt` among them.
    pub(super) fn events(&mut self) -> Option<Vec<Ident>> {
        self.list(|p| {
            if p.peek() == Some(Token::Null) {
                let message = "`null` stands for no event, so it cannot be listed here";
                let error = Diagnostic::error(codes::UNEXPECTED, message, p.here());
                p.report(error.help("`null` is possible after `on` and `case` only"));
                return None;
            }
            p.event()
        })
    }

    /// Names of events, `halt` and `null` among them.
    pub(super) fn events_or_null(&mut self) -> Option<Vec<Ident>> {
        self.list(Self::event)
    }

    /// `(x: T)` before a body, if it is there.
    pub(super) fn inline_param(&mut self) -> Result<Option<Var>, Reported> {
        self.after(Token::Open, |p| {
            let help = "write `(x: type)` before the body; several values come as one tuple";
            let param = p.param()?;
            p.expect(Token::Close, "`)`", help)?;
            Some(param)
        })
    }

    /// One line of a state.
    pub(super) fn state_item(&mut self) -> Option<StateItem> {
        let start = self.here();
        match self.peek() {
            Some(Token::Entry) => {
                self.bump();
                let handler = self.handler("the name of a function or a body")?;
                Some(StateItem::Entry { handler, span: self.since(start) })
            }
            Some(Token::Exit) => {
                self.bump();
                let handler = self.exit_handler()?;
                Some(StateItem::Exit { handler, span: self.since(start) })
            }
            Some(Token::Defer) => self.listed().map(StateItem::Defer),
            Some(Token::Ignore) => self.listed().map(StateItem::Ignore),
            Some(Token::On) => self.on(),
            _ => {
                let otherwise = "a state says `entry`, `exit`, `on`, `defer` and `ignore`";
                let help = did_you_mean(self.name_at(0), WORDS.iter().copied(), otherwise);
                self.missing("`entry`, `exit`, `on`, `defer`, `ignore` or `}`", &help)
            }
        }
    }

    fn event(&mut self) -> Option<Ident> {
        let special = match self.peek() {
            Some(Token::Halt) => "halt",
            Some(Token::Null) => "null",
            _ => return self.name("the name of an event", EVENTS),
        };
        let (_, span) = self.bump()?;
        Some(Ident { text: special.to_owned(), span })
    }

    fn state_items(&mut self, open: Span) -> Vec<StateItem> {
        let mut items = Vec::new();
        while let Some(token) = self.peek() {
            let before = self.next;
            if token == Token::CloseBrace || token.begins_member() || token.begins_decl() {
                break;
            }
            if self.refuse_annotation("a state") {
                continue;
            }
            match self.nested(Self::state_item) {
                Some(item) => items.push(item),
                None => self.skip_item(),
            }
            if self.next == before {
                self.bump();
            }
        }
        self.close_brace(open, "`entry`, `exit`, `on`, `defer`, `ignore` or `}`");
        items
    }

    /// Events after `defer` or `ignore`.
    fn listed(&mut self) -> Option<Vec<Ident>> {
        self.bump();
        let events = self.events()?;
        self.semicolon("write `defer E, F;` or `ignore E, F;`")?;
        Some(events)
    }

    fn handler(&mut self, wanted: &str) -> Option<Handler> {
        match self.peek() {
            Some(Token::Open | Token::OpenBrace) => {
                let param = self.inline_param().ok()?;
                Some(Handler::Inline { param, body: self.body("`{`")? })
            }
            Some(Token::Name) => {
                let name = self.name("the name of a function", "")?;
                self.semicolon("the name of a function is followed by `;`")?;
                Some(Handler::Named(name))
            }
            _ => self.missing(wanted, "write `f;` or `{ ... }`"),
        }
    }

    fn exit_handler(&mut self) -> Option<Handler> {
        let wanted = "the name of a function or a body";
        if self.peek() == Some(Token::Open) {
            return self.missing(wanted, "what runs at the exit of a state has no parameter");
        }
        self.handler(wanted)
    }

    fn on(&mut self) -> Option<StateItem> {
        let help = "write `on E do ...`, `on E goto S;` or `on E goto S with ...`";
        self.bump();
        let events = self.events_or_null()?;
        if self.eat(Token::Do).is_some() {
            let handler = self.handler("the name of a function or a body")?;
            return Some(StateItem::Do { events, handler });
        }
        if self.eat_word("push").is_some() {
            let state = self.state_name()?;
            self.semicolon("write `on E push S;`")?;
            return Some(StateItem::Push { events, state });
        }
        if self.eat(Token::Goto).is_none() {
            let help = did_you_mean(self.name_at(0), ["do", "goto", "push"], help);
            return self.missing("`,`, `do` or `goto`", &help);
        }
        let state = self.state_name()?;
        let with = if self.eat(Token::With).is_some() {
            Some(self.handler("the name of a function or a body")?)
        } else {
            self.semicolon(help)?;
            None
        };
        Some(StateItem::Goto { events, state, with })
    }
}
