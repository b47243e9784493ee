//! Machines, their states and what they do.

use qp_base::{Diagnostic, Span};

use crate::codes;
use crate::names::did_you_mean;

use super::super::ast::{Action, Machine, Name, State, Steps};
use super::super::lexer::Token;
use super::{Parser, Spacing};

const STATE_HELP: &str = "a state is written `Name: action -> Target | action -> Target`";
const ACTION_HELP: &str = "an action is `send`, `recv`, `internal`, `fail` or `defer`";

/// How many labels a state can have.
const LABELS: usize = 4;

impl<'t> Parser<'t> {
    /// A machine. A wrong head does not keep its states from being read.
    pub(super) fn machine(&mut self) -> Option<()> {
        let (_, start) = self.cursor.bump()?;
        let help = "write `machine Name { ... }`";
        let name = self.name("the name of a machine", help);
        if name.is_none() && self.cursor.peek().is_some_and(Token::is_keyword) {
            self.cursor.bump();
        }
        if self.cursor.peek() != Some(Token::OpenBrace) {
            if name.is_some() {
                self.cursor.unexpected("`{`", help);
            }
            return None;
        }
        self.cursor.bump();
        let name = name.unwrap_or(Name { text: "", span: start });
        let mut machine = Machine { name, states: Vec::new() };
        self.states(&mut machine);
        self.file.machines.push(machine);
        Some(())
    }

    /// States up to the closing brace.
    fn states(&mut self, machine: &mut Machine<'t>) {
        loop {
            match self.cursor.peek() {
                Some(Token::CloseBrace) => {
                    self.cursor.bump();
                    return;
                }
                None | Some(Token::Machine | Token::Queues | Token::Ltl) => {
                    self.cursor.unexpected("`}`", "the states of a machine end with `}`");
                    return;
                }
                Some(_) => {}
            }
            let before = self.cursor.last();
            match self.state() {
                Some(state) => machine.states.push(state),
                None => self.recover_in_machine(false),
            }
            if self.cursor.last() == before {
                self.cursor.bump();
            }
        }
    }

    /// Skips to the next state or the end of the machine, or also to the next option.
    fn recover_in_machine(&mut self, option: bool) {
        while let Some(token) = self.cursor.peek() {
            match token {
                Token::CloseBrace | Token::Machine | Token::Queues | Token::Ltl => return,
                Token::Bar if option => return,
                _ if self.at_state() => return,
                _ => self.cursor.bump(),
            };
        }
    }

    /// Whether a state begins here: a name with a colon, after any of the four labels.
    fn at_state(&mut self) -> bool {
        let mut labels = 0;
        while labels < LABELS && self.cursor.peek_at(labels).is_some_and(Token::is_label) {
            labels += 1;
        }
        self.cursor.peek_at(labels) == Some(Token::Name)
            && self.cursor.peek_at(labels + 1) == Some(Token::Colon)
    }

    fn state(&mut self) -> Option<State<'t>> {
        let [mut init, mut end, mut progress, mut bad] = [false; 4];
        while let Some(token) = self.cursor.peek().filter(|token| token.is_label()) {
            // Before a colon it was meant as a name, and is refused as one.
            if self.cursor.peek_at(1) == Some(Token::Colon) {
                break;
            }
            let label = match token {
                Token::Init => &mut init,
                Token::End => &mut end,
                Token::Progress => &mut progress,
                _ => &mut bad,
            };
            *label = true;
            self.cursor.bump();
        }
        let name = self.name("the name of a state", STATE_HELP)?;
        self.expect(Token::Colon, "`:`", STATE_HELP)?;
        let (deferred, options) = (Vec::new(), Vec::new());
        let mut state = State { name, init, end, progress, bad, deferred, options };
        if self.cursor.peek() != Some(Token::CloseBrace) && !self.at_state() {
            self.options(&mut state);
        }
        Some(state)
    }

    fn options(&mut self, state: &mut State<'t>) {
        loop {
            if self.option(state).is_none() {
                self.recover_in_machine(true);
            }
            if self.cursor.eat(Token::Bar).is_none() {
                return;
            }
        }
    }

    fn option(&mut self, state: &mut State<'t>) -> Option<()> {
        if self.cursor.eat(Token::Defer).is_some() {
            let one = |parser: &mut Self| {
                state.deferred.push(parser.message(Spacing::Free)?);
                Some(())
            };
            return self.list(Token::Comma, one).map(|_| ());
        }
        let mut steps = Steps { actions: vec![self.action()?], target: None };
        while self.cursor.eat(Token::Arrow).is_some() {
            if let Some((Action::Fail(_), span)) = steps.actions.last() {
                let span = *span;
                self.fail_not_last(span);
            }
            if self.cursor.peek() == Some(Token::Name) && !self.at_misspelt_action() {
                steps.target = self.name("a state", STATE_HELP);
                break;
            }
            steps.actions.push(self.action()?);
        }
        if self.cursor.peek() == Some(Token::Arrow) {
            let help = "a chain of actions ends with the name of a state";
            return self.cursor.missing("`|` or the next state", help);
        }
        state.options.push(steps);
        Some(())
    }

    /// Whether a name is followed by what can only follow an action's keyword.
    fn at_misspelt_action(&mut self) -> bool {
        self.cursor.peek_at(1) == Some(Token::Name) && self.cursor.peek_at(2) == Some(Token::Name)
    }

    fn fail_not_last(&mut self, span: Span) {
        let error = Diagnostic::error(codes::FAIL_NOT_LAST, "nothing comes after `fail`", span);
        self.cursor.complaints.push(
            error.label("the run ends here").help(
                "`fail` is the last action of a chain and needs no target; remove what follows",
            ),
        );
    }

    fn action(&mut self) -> Option<(Action<'t>, Span)> {
        let start = self.cursor.here();
        let action = match self.cursor.peek() {
            Some(Token::Send) => {
                self.cursor.bump();
                let to = self.name("a machine or channel", "write `send Receiver message`")?;
                Action::Send(to, self.message(Spacing::Free)?)
            }
            Some(Token::Recv) => self.receive()?,
            Some(Token::Internal) => {
                self.cursor.bump();
                Action::Internal
            }
            Some(Token::Fail) => {
                self.cursor.bump();
                let help = "write `fail \"what went wrong\"`";
                let span = self.expect(Token::String, "a text in quotes", help)?;
                Action::Fail(self.cursor.text(span).trim_matches('"'))
            }
            _ => {
                let words = ["send", "recv", "internal", "fail", "defer"];
                let help = did_you_mean(self.cursor.next_text(), words, ACTION_HELP);
                return self.cursor.missing("an action", &help);
            }
        };
        Some((action, start.to(self.cursor.last())))
    }

    /// `recv M` or `recv X M`. A name that is followed by a colon already belongs to the next state.
    fn receive(&mut self) -> Option<Action<'t>> {
        self.cursor.bump();
        let first = self.name("a message", "write `recv message` or `recv Sender message`")?;
        let second =
            self.cursor.peek() == Some(Token::Name) && self.cursor.peek_at(1) != Some(Token::Colon);
        if second {
            return Some(Action::Receive(Some(first), self.message(Spacing::Free)?));
        }
        Some(Action::Receive(None, self.values(first, Spacing::Free)?))
    }
}
