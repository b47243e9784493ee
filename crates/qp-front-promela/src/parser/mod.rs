//! From tokens to what is written. A method that returns `None` has reported why, or something at the
//! same place was reported before.
//!
//! The ends of lines end statements where SPIN says so: the parser then sees a `;` that nobody wrote.
//! After an error it goes on with the next statement or declaration.

mod decl;
mod expr;
mod formula;
mod inline;
mod message;
mod recovery;
mod stmt;
mod unit;

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::{Code, Diagnostic, Set, Span};

use crate::ast::{Ident, Model, Unit};
use crate::at::{At, Expansions};
use crate::codes;
use crate::names::quoted;
use crate::report::Report;
use crate::token::{Kind, Token, is_keyword};
pub(crate) use expr::character;

/// How deep blocks and expressions may be nested. Everything that walks the tree recurses this deep.
const DEPTH_MAX: usize = 200;

/// Reads a model from its tokens. Its main file ends at `end`.
pub(crate) fn parse(
    tokens: Vec<Token>,
    expansions: Expansions,
    end: u32,
    report: &mut Report,
) -> Model {
    let mut rest = tokens;
    rest.reverse();
    let end = At { span: Span { start: end, end }, expansion: None };
    let mut parser = Parser {
        made: 0,
        rest,
        end,
        last: end,
        semicolon: Token::new(Kind::Mark, ";", end.span),
        behind: Behind::Operator,
        in_sequence: false,
        open: 0,
        in_formula: false,
        depth: 0,
        height: 0,
        reported: None,
        types: Set::default(),
        procs: Set::default(),
        inlines: BTreeMap::new(),
        calls: Vec::new(),
        formulas: Vec::new(),
        units: Vec::new(),
        expansions,
        report,
    };
    parser.units();
    Model { units: parser.units, expansions: parser.expansions }
}

/// Something could not be read, and the user was told.
struct Reported;

/// What sort of token was taken last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// A statement cannot end here.
    Operator,
    /// The end of the line ends a statement.
    Operand,
    /// A statement ends here even without the end of a line.
    Closed,
}

struct Parser<'r> {
    /// What is left, last token first: inlines put their text in front.
    rest: Vec<Token>,
    /// How many tokens inlines have made.
    made: usize,
    /// The end of the main file.
    end: At,
    /// Where the token is that was taken last.
    last: At,
    /// Stands where a line ends a statement.
    semicolon: Token,
    /// What was taken last.
    behind: Behind,
    /// Whether statements or fields are being read.
    in_sequence: bool,
    /// How many parentheses are open.
    open: usize,
    /// Whether a formula is being read, in which `U`, `X` and others are operators.
    in_formula: bool,
    depth: usize,
    /// How deep the expressions are that were read at this depth, in nodes.
    height: usize,
    /// Where an error was reported last, by how many tokens were left.
    reported: Option<usize>,
    types: Set<Arc<str>>,
    procs: Set<Arc<str>>,
    inlines: BTreeMap<Arc<str>, Arc<inline::Inline>>,
    /// The inlines that are being read, innermost last.
    calls: Vec<inline::Call>,
    /// Formulas are read last: they may speak of everything.
    formulas: Vec<unit::Formula>,
    units: Vec<Unit>,
    expansions: Expansions,
    report: &'r mut Report,
}

impl Parser<'_> {
    /// The next token. When there are enough errors, the text ends.
    fn peek(&self) -> Option<&Token> {
        if self.report.is_full() {
            return None;
        }
        if self.line_ends() { Some(&self.semicolon) } else { self.rest.last() }
    }

    /// Whether the end of a line stands for a `;` here.
    fn line_ends(&self) -> bool {
        self.in_sequence
            && self.open == 0
            && self.behind != Behind::Operator
            && self.rest.last().is_some_and(|next| next.new_line && !next.is("unless"))
    }

    /// The token after `n` others, whatever line it is on.
    fn peek_at(&self, n: usize) -> Option<&Token> {
        let at = self.rest.len().checked_sub(n + 1)?;
        self.rest.get(at)
    }

    fn at(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn at_kind(&self, kind: Kind) -> bool {
        self.peek().is_some_and(|token| token.kind == kind)
    }

    fn at_name(&self) -> bool {
        self.peek().is_some_and(Token::is_name)
    }

    /// Where the next token is.
    fn here(&self) -> At {
        self.rest.last().map_or(self.end, Token::at)
    }

    /// From there to the last token that was taken.
    fn since(&self, start: At) -> At {
        self.expansions.join(start, self.last)
    }

    fn bump(&mut self) -> Option<Token> {
        self.peek()?;
        if self.line_ends() {
            self.behind = Behind::Operator;
            return Some(self.semicolon.clone());
        }
        let token = self.rest.pop()?;
        self.last = token.at();
        self.behind = behind(&token);
        self.open += usize::from(token.is("("));
        self.open = self.open.saturating_sub(usize::from(token.is(")")));
        Some(token)
    }

    /// Takes the next token if it is this one.
    fn eat(&mut self, text: &str) -> bool {
        let there = self.at(text);
        if there {
            self.bump();
        }
        there
    }

    fn expect(&mut self, text: &str, help: &str) -> Option<()> {
        if self.eat(text) { Some(()) } else { self.missing(&format!("`{text}`"), help) }
    }

    /// Reports that something else should be here.
    fn unexpected(&mut self, wanted: &str, help: &str) {
        let message = format!("expected {wanted}, found {}", self.found());
        self.report_here(codes::UNEXPECTED, message, &format!("expected {wanted}"), help);
    }

    /// Reports that something else should be here, which cannot be read for that reason.
    fn missing<T>(&mut self, wanted: &str, help: &str) -> Option<T> {
        self.unexpected(wanted, help);
        None
    }

    /// Reports something about the next token, unless something was reported there before.
    fn report_here(&mut self, code: Code, message: String, label: &str, help: &str) {
        let here = self.here();
        let known = self.rest.last().is_some_and(|token| matches!(token.kind, Kind::Garbled(_)));
        if !known && self.reported != Some(self.rest.len()) {
            let mut error = Diagnostic::error(code, message, here.span).label(label);
            if !help.is_empty() {
                error = error.help(help);
            }
            self.report.push_at(error, here, &self.expansions);
        }
        self.reported = Some(self.rest.len());
    }

    /// Reports something about a place that was read already.
    fn report_at(&mut self, code: Code, message: impl Into<String>, at: At, help: &str) {
        let error = Diagnostic::error(code, message, at.span).help(help);
        self.report.push_at(error, at, &self.expansions);
    }

    /// The next token in words.
    fn found(&self) -> String {
        match self.peek() {
            None => "the end of the file".to_owned(),
            Some(_) if self.line_ends() => "the end of the line".to_owned(),
            Some(token) => match token.kind {
                Kind::Text => format!("the string {}", quoted(&token.text)),
                Kind::Name if is_keyword(&token.text) => format!("the keyword `{}`", token.text),
                _ => quoted(&token.text),
            },
        }
    }

    /// A name; `wanted` says what it names.
    fn name(&mut self, wanted: &str, help: &str) -> Option<Ident> {
        if self.at_name() {
            let token = self.bump()?;
            return Some(Ident { at: token.at(), text: token.text });
        }
        self.missing(wanted, help)
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(",") {
            all.push(one(self)?);
        }
        Some(all)
    }

    /// Goes one level deeper for the duration of `inside`.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.check_depth(1)?;
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Reports that there are too many levels if there are so many more. Nothing after that is read:
    /// where the deep part ends is unknown.
    fn check_depth(&mut self, more: usize) -> Option<()> {
        if self.depth + more <= DEPTH_MAX {
            return Some(());
        }
        let message = format!("this is nested more than {DEPTH_MAX} levels deep");
        let help = "use variables for parts of it; nothing after this was read";
        self.report_here(codes::TOO_DEEP, message, "", help);
        self.stop();
        None
    }

    /// Leaves out all that is left.
    fn stop(&mut self) {
        self.rest.clear();
        self.reported = Some(0);
    }
}

/// Whether a statement can end behind this token.
fn behind(token: &Token) -> Behind {
    let text = &*token.text;
    let ends = match token.kind {
        Kind::Name => {
            let value = matches!(text, "skip" | "true" | "false");
            !is_keyword(text) || value || matches!(text, "od" | "fi" | "else" | "break")
        }
        Kind::Number | Kind::Char => true,
        Kind::Mark => matches!(text, "}" | ")" | "]" | "++" | "--"),
        Kind::Text | Kind::Garbled(_) => false,
    };
    match ends {
        true if token.is("}") || token.is("else") => Behind::Closed,
        true => Behind::Operand,
        false => Behind::Operator,
    }
}
