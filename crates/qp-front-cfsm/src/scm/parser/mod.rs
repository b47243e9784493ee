//! From tokens to what is written. A method that returns `None` has reported why.

mod bad;

use qp_base::{Complaints, Diagnostic, Span};

use crate::codes;
use crate::names::quoted;

use super::ast::{Action, Edge, File, Machine, State, Word};
use super::lexer::Token;

/// Every channel of a model has contents in every configuration.
const CHANNELS_MAX: u32 = 4096;

const EDGE_HELP: &str = "a transition is written `to 1 : when true , 0 ! message ;`";

/// Reads a text.
pub(super) fn parse(text: &str) -> (File<'_>, Complaints) {
    let mut parser = Parser::new(text);
    parser.head();
    while parser.cursor.peek().is_some() {
        let before = parser.cursor.last();
        match parser.cursor.next_text() {
            "automaton" => parser.automaton(),
            "bad_states" => parser.bad_states(),
            _ => {
                let help = "after the parameters come `automaton` and `bad_states`";
                parser.cursor.unexpected("`automaton`", help);
                parser.recover(&["automaton", "bad_states"]);
            }
        }
        if parser.cursor.last() == before {
            parser.cursor.bump();
        }
    }
    (parser.file, parser.cursor.complaints)
}

type Parser<'t> = crate::cursor::Parser<'t, Token, File<'t>>;

impl<'t> Parser<'t> {
    /// Skips to one of these words; behind the next `;` if there is one before.
    fn recover(&mut self, words: &[&str]) {
        while let Some(token) = self.cursor.peek() {
            let stop = words.contains(&self.cursor.next_text());
            if stop {
                return;
            }
            self.cursor.bump();
            if token == Token::Semicolon {
                return;
            }
        }
    }

    fn eat_word(&mut self, word: &str) -> Option<Span> {
        if self.cursor.next_text() == word {
            self.cursor.bump().map(|(_, span)| span)
        } else {
            None
        }
    }

    fn expect_word(&mut self, word: &str, help: &str) -> Option<Span> {
        self.eat_word(word).or_else(|| self.cursor.missing(&format!("`{word}`"), help))
    }

    fn word(&mut self, wanted: &str, help: &str) -> Option<Word<'t>> {
        let span = self.expect(Token::Word, wanted, help)?;
        Some(Word { text: self.cursor.text(span), span })
    }

    fn words(&mut self, wanted: &str, help: &str) -> Option<Vec<Word<'t>>> {
        self.list(Token::Comma, |parser| parser.word(wanted, help))
    }

    /// Refuses a part of the format that is about numbers.
    fn unsupported(&mut self, what: &str, span: Span, help: &str) {
        let message = format!("{what} is not supported");
        self.cursor.complaints.error(codes::UNSUPPORTED, message, span, help);
    }

    fn head(&mut self) {
        let next = ["automaton", "bad_states"];
        if self.name_and_channels().is_none() {
            self.recover(&["parameters", "automaton", "bad_states"]);
        }
        if self.eat_word("parameters").is_none() {
            return;
        }
        let help = "the messages are declared as `parameters : real a ; real b ;`";
        if self.expect(Token::Colon, "`:`", help).is_none() {
            return self.recover(&next);
        }
        for (name, _) in self.variables() {
            self.file.parameters.push(name);
        }
    }

    fn name_and_channels(&mut self) -> Option<()> {
        let help = "a text begins with `scm name : nb_channels = 2 ;`";
        self.expect_word("scm", help)?;
        self.word("the name of the model", help)?;
        self.expect(Token::Colon, "`:`", help)?;
        self.expect_word("nb_channels", help)?;
        self.expect(Token::Equals, "`=`", help)?;
        let number = self.word("the number of channels", help)?;
        match number.text.parse() {
            Ok(n) if n <= CHANNELS_MAX => self.file.channels = Some((n, number.span)),
            _ => {
                let message = format!("{} is not a number of channels", quoted(number.text));
                let error = Diagnostic::error(codes::SIZE, message, number.span);
                let help = format!("write a number up to {CHANNELS_MAX}");
                self.cursor.complaints.push(error.help(help));
            }
        }
        self.expect(Token::Semicolon, "`;`", help)?;
        if self.eat_word("lossy").is_some() {
            let help = "lossy channels are listed as `lossy : 0, 1`";
            self.expect(Token::Colon, "`:`", help)?;
            self.file.lossy = self.words("the number of a channel", help)?;
            self.cursor.eat(Token::Semicolon);
        }
        Some(())
    }

    /// `real a ; int b ;` A value is refused: two messages with equal values would be the same one.
    fn variables(&mut self) -> Vec<(Word<'t>, Span)> {
        let mut found = Vec::new();
        while matches!(self.cursor.next_text(), "int" | "real") {
            let Some((_, start)) = self.cursor.bump() else { break };
            let help = "write `real name ;`";
            let Some(name) = self.word("a name", help) else {
                self.recover(&["automaton", "bad_states", "initial"]);
                continue;
            };
            found.push((name, start.to(name.span)));
            if let Some(equals) = self.cursor.eat(Token::Equals) {
                let what = format!("the value of {}", quoted(name.text));
                self.unsupported(&what, equals.to(self.cursor.last()), "remove the value");
                self.recover(&["automaton", "bad_states", "initial"]);
            } else if self.expect(Token::Semicolon, "`;`", help).is_none() {
                self.recover(&["automaton", "bad_states", "initial"]);
            }
        }
        found
    }

    fn automaton(&mut self) {
        if let Some(machine) = self.automaton_head() {
            self.file.automata.push(machine);
            while self.cursor.next_text() == "state" {
                self.state();
            }
        } else {
            self.recover(&["automaton", "bad_states"]);
        }
    }

    fn automaton_head(&mut self) -> Option<Machine<'t>> {
        let help =
            "an automaton is written `automaton A : initial : 0 state 0 : to 1 : when true ;`";
        self.cursor.bump();
        let name = self.word("the name of the automaton", help)?;
        self.expect(Token::Colon, "`:`", help)?;
        for (variable, span) in self.variables() {
            let what = format!("the variable {} of an automaton", quoted(variable.text));
            let help = "write its values into the states: one state per value";
            self.unsupported(&what, span, help);
        }
        self.expect_word("initial", help)?;
        self.expect(Token::Colon, "`:`", help)?;
        let initial = self.words("the number of a state", help)?;
        self.cursor.eat(Token::Semicolon);
        Some(Machine { name, initial, states: Vec::new() })
    }

    fn state(&mut self) {
        let next = ["to", "state", "automaton", "bad_states"];
        let help = "a state is written `state 0 : to 1 : when true ;`";
        self.cursor.bump();
        let name = self.word("the number of a state", help);
        if name.is_none() || self.expect(Token::Colon, "`:`", help).is_none() {
            self.recover(&next);
        }
        let mut edges = Vec::new();
        while self.cursor.next_text() == "to" {
            match self.edge() {
                Some(edge) => edges.push(edge),
                None => self.recover(&next),
            }
        }
        if let (Some(name), Some(machine)) = (name, self.file.automata.last_mut()) {
            machine.states.push(State { name, edges });
        }
    }

    fn edge(&mut self) -> Option<Edge<'t>> {
        let (_, start) = self.cursor.bump()?;
        let to = self.word("the number of a state", EDGE_HELP)?;
        self.expect(Token::Colon, "`:`", EDGE_HELP)?;
        self.expect_word("when", EDGE_HELP)?;
        self.condition(&[Token::Comma, Token::Semicolon])?;
        let mut action = None;
        if self.cursor.eat(Token::Comma).is_some() {
            let channel = self.word("the number of a channel", EDGE_HELP)?;
            let sends = self.cursor.peek() == Some(Token::Send);
            if !sends && self.cursor.peek() != Some(Token::Receive) {
                return self.cursor.missing("`!` or `?`", EDGE_HELP);
            }
            self.cursor.bump();
            let message = self.word("a message", EDGE_HELP)?;
            action = Some(Action { channel, sends, message });
        }
        if let Some(with) = self.eat_word("with") {
            let what = format!("the assignment to {}", quoted(self.cursor.next_text()));
            let help = "write the values of variables into the states: one state per value";
            let span = with.to(self.cursor.here());
            self.unsupported(&what, span, help);
            return None;
        }
        self.expect(Token::Semicolon, "`;`", EDGE_HELP)?;
        Some(Edge { to, action, span: start.to(self.cursor.last()) })
    }

    /// `true`, and nothing else.
    fn condition(&mut self, ends: &[Token]) -> Option<()> {
        let start = self.cursor.here();
        let ends_here = |parser: &mut Self| {
            parser.cursor.peek().is_none_or(|token| ends.contains(&token))
                || matches!(parser.cursor.next_text(), "with" | "automaton" | "in")
        };
        if self.eat_word("true").is_some() && ends_here(self) {
            return Some(());
        }
        if start.start == start.end || (self.cursor.last() < start && ends_here(self)) {
            return self.cursor.missing("`true`", EDGE_HELP);
        }
        while !ends_here(self) && self.cursor.peek() != Some(Token::Semicolon) {
            self.cursor.bump();
        }
        let span = start.to(self.cursor.last());
        let what = format!("the condition {}", quoted(self.cursor.text(span)));
        let help = "only `true` is; write the values of variables into the states";
        self.unsupported(&what, span, help);
        None
    }
}
