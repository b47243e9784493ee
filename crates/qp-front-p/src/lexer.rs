//! The tokens of P.
//!
//! Words that only one of the dialects reserves, and the words of P's deductive verifier, are names
//! here; the parser knows where they mean something else. Programs use them as names of fields,
//! variables and functions.

use logos::{FilterResult, Lexer, Logos};
use qp_base::{Complaints, Diagnostic, Span};

use crate::codes;
use crate::names::quoted;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = Why)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\r\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("any")]
    Any,
    #[token("bool")]
    Bool,
    #[token("enum")]
    Enum,
    #[token("event")]
    Event,
    #[token("eventset")]
    EventSet,
    #[token("float")]
    Float,
    #[token("int")]
    Int,
    #[token("machine")]
    Machine,
    #[token("interface")]
    Interface,
    #[token("map")]
    Map,
    #[token("set")]
    Set,
    #[token("string")]
    String,
    #[token("seq")]
    Seq,
    #[token("data")]
    Data,
    #[token("announce")]
    Announce,
    #[token("as")]
    As,
    #[token("assert")]
    Assert,
    #[token("break")]
    Break,
    #[token("case")]
    Case,
    #[token("cold")]
    Cold,
    #[token("continue")]
    Continue,
    #[token("default")]
    Default,
    #[token("defer")]
    Defer,
    #[token("do")]
    Do,
    #[token("else")]
    Else,
    #[token("entry")]
    Entry,
    #[token("exit")]
    Exit,
    #[token("foreach")]
    Foreach,
    #[token("format")]
    Format,
    #[token("fun")]
    Fun,
    #[token("goto")]
    Goto,
    #[token("halt")]
    Halt,
    #[token("hot")]
    Hot,
    #[token("if")]
    If,
    #[token("ignore")]
    Ignore,
    #[token("in")]
    In,
    #[token("keys")]
    Keys,
    #[token("new")]
    New,
    #[token("observes")]
    Observes,
    #[token("on")]
    On,
    #[token("print")]
    Print,
    #[token("raise")]
    Raise,
    #[token("receive")]
    Receive,
    #[token("return")]
    Return,
    #[token("send")]
    Send,
    #[token("sizeof")]
    Sizeof,
    #[token("spec")]
    Spec,
    #[token("start")]
    Start,
    #[token("state")]
    State,
    #[token("this")]
    This,
    #[token("type")]
    Type,
    #[token("values")]
    Values,
    #[token("var")]
    Var,
    #[token("while")]
    While,
    #[token("with")]
    With,
    #[token("choose")]
    Choose,
    #[token("module")]
    Module,
    #[token("implementation")]
    Implementation,
    #[token("test")]
    Test,
    #[token("refines")]
    Refines,
    #[token("compose")]
    Compose,
    #[token("union")]
    Union,
    #[token("hidee")]
    HideEvents,
    #[token("hidei")]
    HideInterfaces,
    #[token("rename")]
    Rename,
    #[token("receives")]
    Receives,
    #[token("sends")]
    Sends,
    #[token("creates")]
    Creates,
    #[token("to")]
    To,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("null")]
    Null,
    // Every token above is a keyword, and no other is.
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[token("\"", rest_of_text)]
    Text,
    #[token("/*", skip_comment)]
    Comment,
    #[token("$$")]
    FairNondet,
    #[token("$")]
    Nondet,
    #[token("!")]
    Not,
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("==>")]
    Implies,
    #[token("<==>")]
    Iff,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("->")]
    Arrow,
    #[token("=")]
    Assign,
    #[token("+=")]
    Insert,
    #[token("-=")]
    Remove,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    /// Text that is no token. It was reported; it stays in the stream so that what follows from it is
    /// not reported again.
    Garbled,
}

impl Token {
    /// Whether it is a word that cannot be a name.
    pub(crate) fn is_keyword(self) -> bool {
        (self as u8) < (Self::Name as u8)
    }

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
    complaints.push(Diagnostic::error(codes::GARBLED, message, span).help(help));
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
