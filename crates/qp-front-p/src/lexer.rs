//! The tokens of P.
//!
//! Words that only one of the dialects reserves, and the words of P's deductive verifier, are names
//! here; the parser knows where they mean something else. Programs use them as names of fields,
//! variables and functions.

use logos::{FilterResult, Lexer, Logos};
use qp_base::{Complaints, Span, tokens};

use crate::codes;
use crate::names::quoted;

tokens! {
    #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
    #[logos(error = Why)]
    #[logos(skip r"[ \t\r\n\f\u{feff}]+")]
    #[logos(skip(r"//[^\r\n]*", allow_greedy = true))]
    pub(crate) enum Token {
        words {
            "any" Any, "bool" Bool, "enum" Enum, "event" Event, "eventset" EventSet, "float" Float,
            "int" Int, "machine" Machine, "interface" Interface, "map" Map, "set" Set,
            "string" String, "seq" Seq, "data" Data, "announce" Announce, "as" As, "assert" Assert,
            "break" Break, "case" Case, "cold" Cold, "continue" Continue, "default" Default,
            "defer" Defer, "do" Do, "else" Else, "entry" Entry, "exit" Exit, "foreach" Foreach,
            "format" Format, "fun" Fun, "goto" Goto, "halt" Halt, "hot" Hot, "if" If,
            "ignore" Ignore, "in" In, "keys" Keys, "new" New, "observes" Observes, "on" On,
            "print" Print, "raise" Raise, "receive" Receive, "return" Return, "send" Send,
            "sizeof" Sizeof, "spec" Spec, "start" Start, "state" State, "this" This, "type" Type,
            "values" Values, "var" Var, "while" While, "with" With, "choose" Choose,
            "module" Module, "implementation" Implementation, "test" Test, "refines" Refines,
            "compose" Compose, "union" Union, "hidee" HideEvents, "hidei" HideInterfaces,
            "rename" Rename, "receives" Receives, "sends" Sends, "creates" Creates, "to" To,
            "true" True, "false" False, "null" Null
        }
        marks {
            "$$" FairNondet, "$" Nondet, "!" Not, "&&" And, "||" Or, "==>" Implies, "<==>" Iff,
            "==" Equal, "!=" NotEqual, "<=" LessEqual, ">=" GreaterEqual, "<" Less, ">" Greater,
            "->" Arrow, "=" Assign, "+=" Insert, "-=" Remove, "+" Plus, "-" Minus, "*" Star,
            "/" Slash, "%" Percent, "{" OpenBrace, "}" CloseBrace, "[" OpenBracket,
            "]" CloseBracket, "(" Open, ")" Close, ";" Semicolon, "," Comma, "." Dot, ":" Colon
        }
        #[regex("[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)] Name,
        #[regex("[0-9]+")] Number,
        #[token("\"", rest_of_text)] Text,
        #[token("/*", skip_comment)] Comment,
        /// Text that is no token. It was reported; it stays in the stream so that what follows from it is
        /// not reported again.
        Garbled,
    }
}

impl Token {
    /// Whether a declaration of a file begins with it.
    pub(crate) fn begins_decl(self) -> bool {
        matches!(
            self,
            Self::Enum
                | Self::Event
                | Self::EventSet
                | Self::Fun
                | Self::Implementation
                | Self::Interface
                | Self::Machine
                | Self::Module
                | Self::Spec
                | Self::Test
                | Self::Type
        )
    }

    /// Whether a line of a state begins with it.
    pub(crate) fn begins_item(self) -> bool {
        matches!(self, Self::Entry | Self::Exit | Self::Defer | Self::Ignore | Self::On)
    }

    /// Whether something in a machine outside of states begins with it.
    pub(crate) fn begins_member(self) -> bool {
        let state = matches!(self, Self::State | Self::Start | Self::Hot | Self::Cold);
        state || matches!(self, Self::Fun | Self::Var)
    }

    /// Whether it is the name of a type that P has from the start.
    pub(crate) fn begins_type(self) -> bool {
        let simple = matches!(self, Self::Any | Self::Bool | Self::Float | Self::Int | Self::Data);
        simple || matches!(self, Self::String | Self::Map | Self::Set | Self::Seq)
    }

    /// Whether a statement begins with it, names aside.
    pub(crate) fn begins_stmt(self) -> bool {
        matches!(
            self,
            Self::Announce
                | Self::Assert
                | Self::Break
                | Self::Continue
                | Self::Foreach
                | Self::Goto
                | Self::If
                | Self::New
                | Self::Print
                | Self::Raise
                | Self::Receive
                | Self::Return
                | Self::Send
                | Self::Var
                | Self::While
        )
    }
}

/// The tokens of a file.
pub(crate) struct Tokens {
    /// Each with its place, which counts from the beginning of all files.
    pub(crate) list: Vec<(Token, Span)>,
    /// Whether the end of the file is the end of a comment that was never closed.
    pub(crate) cut: bool,
}

/// Splits a file into tokens. Its first byte is at `base`.
pub(crate) fn tokens(text: &str, base: u32, complaints: &mut Complaints) -> Tokens {
    let mut lexer = Token::lexer(text);
    let mut tokens = Tokens { list: Vec::new(), cut: false };
    let mut garbage: Vec<(Why, Span)> = Vec::new();
    while let Some(token) = lexer.next() {
        let span = shifted(Span::new(lexer.span()), base);
        let why = match token {
            Ok(token) => {
                tokens.list.push((token, span));
                continue;
            }
            Err(why) => why,
        };
        match garbage.last_mut() {
            // One message for a whole run of garbage.
            Some((_, run)) if run.end == span.start && why == Why::Character => run.end = span.end,
            _ => garbage.push((why, span)),
        }
        if why == Why::Comment {
            tokens.cut = true;
        } else {
            tokens.list.push((Token::Garbled, span));
        }
    }
    for (why, span) in garbage {
        report(text, base, why, span, complaints);
    }
    tokens
}

/// What a string literal says.
pub(crate) fn unescaped(literal: &str) -> String {
    let inside = literal.strip_prefix('"').unwrap_or(literal);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    let mut text = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('0') => text.push('\0'),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

/// Why a piece of text is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Why {
    /// No token begins with this character.
    #[default]
    Character,
    /// A comment does not end.
    Comment,
    /// A string does not end.
    Text,
}

fn shifted(span: Span, base: u32) -> Span {
    Span { start: span.start + base, end: span.end + base }
}

fn report(text: &str, base: u32, why: Why, span: Span, complaints: &mut Complaints) {
    let local = span.start as usize - base as usize..span.end as usize - base as usize;
    let (message, help, len) = match why {
        Why::Character => (
            format!("{} means nothing in P", quoted(text[local].trim_end())),
            "remove it, or put it into a comment",
            span.end - span.start,
        ),
        Why::Comment => ("this comment does not end".to_owned(), "end it with `*/`", 2),
        Why::Text => ("this string does not end".to_owned(), "end it with `\"`", 1),
    };
    // Pointing at all the rest of the text would hide where it begins.
    let span = Span { end: span.start + len, ..span };
    complaints.error(codes::GARBLED, message, span, help);
}

/// Reads a string whose first quotation mark was just read. It may go over several lines.
fn rest_of_text(lexer: &mut Lexer<'_, Token>) -> Result<(), Why> {
    let rest = lexer.remainder();
    let mut bytes = rest.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'"' {
            lexer.bump(at + 1);
            return Ok(());
        }
        if byte == b'\\' {
            bytes.next();
        }
    }
    // The lines after this one are most likely meant as program.
    lexer.bump(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    Err(Why::Text)
}

/// Skips a comment whose beginning was just read.
fn skip_comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), Why> {
    if let Some(end) = lexer.remainder().find("*/") {
        lexer.bump(end + 2);
        FilterResult::Skip
    } else {
        lexer.bump(lexer.remainder().len());
        FilterResult::Error(Why::Comment)
    }
}
