//! From tokens to machines. A method that returns `None` has reported why.

use std::borrow::Cow;

use logos::Logos;
use qp_base::{Complaints, Span};

use crate::codes;
pub(super) use crate::cursor::Word;
use crate::cursor::{Cursor, Garbled, skip_comment};

/// Almost anything is a word: the tools that write this format disagree about names.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = Garbled)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"--[^\n]*", allow_greedy = true))]
enum Token {
    #[regex(r"([^\s\x00-\x1f\x7f!?<>/-]|[-/][^\s\x00-\x1f\x7f!?<>/*-])+")]
    Word,
    #[token("/*", skip_comment)]
    Comment,
    #[token("!")]
    Send,
    #[token("?")]
    Receive,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
}

#[derive(Debug)]
pub(super) struct Machine<'t> {
    pub(super) name: Option<Word<'t>>,
    pub(super) span: Span,
    pub(super) edges: Vec<Edge<'t>>,
    pub(super) marking: Word<'t>,
}

#[derive(Debug)]
pub(super) struct Edge<'t> {
    pub(super) from: Word<'t>,
    pub(super) peer: Word<'t>,
    pub(super) sends: bool,
    pub(super) message: Cow<'t, str>,
    pub(super) to: Word<'t>,
    pub(super) span: Span,
}

const EDGE_HELP: &str =
    "a transition is written `state peer ! message state` or `state peer ? message state`";
const MACHINE_HELP: &str =
    "a machine is written `.outputs Name`, `.state graph`, transitions, `.marking state`, `.end`";

/// Reads all machines.
pub(super) fn parse(text: &str) -> (Vec<Machine<'_>>, Complaints) {
    let mut parser = Parser { cursor: Cursor::new(text) };
    let mut machines = Vec::new();
    while parser.cursor.peek().is_some() {
        match parser.machine() {
            Some(machine) => machines.push(machine),
            None => parser.recover(),
        }
    }
    (machines, parser.cursor.complaints)
}

struct Parser<'t> {
    cursor: Cursor<'t, Token>,
}

impl<'t> Parser<'t> {
    fn machine(&mut self) -> Option<Machine<'t>> {
        let span = self.directive(".outputs")?;
        let name = if self.at_directive() { None } else { Some(self.word("a name")?) };
        self.directive(".state")?;
        self.directive("graph")?;
        let mut edges = Vec::new();
        while self.cursor.peek().is_some() && !self.at_directive() {
            match self.edge() {
                Some(edge) => edges.push(edge),
                None => self.skip_line(),
            }
        }
        self.directive(".marking")?;
        let marking = self.word("the initial state")?;
        if !self.at_directive() && self.cursor.peek().is_some() {
            let message = "a machine has one initial state";
            let help = "keep one state after `.marking`";
            let here = self.cursor.here();
            self.cursor.complaints.error(codes::INITIAL, message, here, help);
            return None;
        }
        self.directive(".end")?;
        Some(Machine { name, span, edges, marking })
    }

    /// Skips to the next machine.
    fn recover(&mut self) {
        while self.cursor.peek().is_some() && self.cursor.next_text() != ".outputs" {
            self.cursor.bump();
        }
    }

    /// Skips to the next line or the end of the transitions.
    fn skip_line(&mut self) {
        while self.cursor.peek().is_some() && !self.cursor.on_new_line() && !self.at_directive() {
            self.cursor.bump();
        }
    }

    fn at_directive(&mut self) -> bool {
        matches!(self.cursor.next_text(), ".outputs" | ".state" | ".marking" | ".end")
    }

    fn directive(&mut self, word: &str) -> Option<Span> {
        if self.cursor.next_text() != word {
            return self.cursor.missing(&format!("`{word}`"), MACHINE_HELP);
        }
        self.cursor.bump().map(|(_, span)| span)
    }

    fn word(&mut self, wanted: &str) -> Option<Word<'t>> {
        if self.cursor.peek() != Some(Token::Word) || self.at_directive() {
            return self.cursor.missing(wanted, EDGE_HELP);
        }
        let (_, span) = self.cursor.bump()?;
        Some(Word { text: self.cursor.text(span), span })
    }

    fn edge(&mut self) -> Option<Edge<'t>> {
        let from = self.word("a state")?;
        let peer = self.word("a machine")?;
        let sends = match self.cursor.peek() {
            Some(Token::Send) => true,
            Some(Token::Receive) => false,
            _ => {
                return self.cursor.missing("`!` or `?`", EDGE_HELP);
            }
        };
        self.cursor.bump();
        let message = self.message()?;
        let to = self.word("a state")?;
        Some(Edge { from, peer, sends, message, to, span: from.span.to(to.span) })
    }

    /// A name, with a payload between `<` and `>` that is part of it. Spaces do not count.
    fn message(&mut self) -> Option<Cow<'t, str>> {
        let name = self.word("a message")?;
        if self.cursor.eat(Token::Less).is_none() {
            return Some(Cow::Borrowed(name.text));
        }
        let mut text = format!("{}<", name.text);
        let mut open = 1_u32;
        while open > 0 {
            match self.cursor.peek() {
                Some(Token::Word) if !self.at_directive() => {}
                Some(Token::Less) => open += 1,
                Some(Token::Greater) => open -= 1,
                _ => {
                    return self.cursor.missing("`>`", "a payload is written `message<payload>`");
                }
            }
            text.push_str(self.cursor.next_text());
            self.cursor.bump();
        }
        Some(Cow::Owned(text))
    }
}
