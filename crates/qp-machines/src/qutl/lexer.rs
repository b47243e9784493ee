//! The words and signs of formulas.

use std::borrow::Cow;

use qp_base::names::quoted;
use qp_base::{Diagnostic, Span};

use super::{Qutl, Relation};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A plain name or a number.
    Word(&'t str),
    /// A name in quotes, or one with values.
    Name(Cow<'t, str>),
    Relation(Relation),
    True,
    False,
    Not,
    Next,
    WeakNext,
    Finally,
    Globally,
    And,
    Or,
    Implies,
    Never,
    Then,
    At,
    Exactly,
    Count,
    Open,
    Close,
}

/// Words that are not names unless they stand in quotes.
const RESERVED: &[(&str, Token<'static>)] = &[
    ("true", Token::True),
    ("false", Token::False),
    ("not", Token::Not),
    ("X", Token::Next),
    ("next", Token::Next),
    ("W", Token::WeakNext),
    ("weaknext", Token::WeakNext),
    ("F", Token::Finally),
    ("eventually", Token::Finally),
    ("G", Token::Globally),
    ("always", Token::Globally),
    ("and", Token::And),
    ("or", Token::Or),
    ("implies", Token::Implies),
    ("never", Token::Never),
    ("then", Token::Then),
    ("at", Token::At),
    ("exactly", Token::Exactly),
];

/// A sign comes before those that it begins with.
const SIGNS: &[(&str, Token<'static>)] = &[
    ("=>", Token::Implies),
    ("->", Token::Implies),
    ("⇒", Token::Implies),
    ("&&", Token::And),
    ("&", Token::And),
    ("∧", Token::And),
    ("||", Token::Or),
    ("|", Token::Or),
    ("∨", Token::Or),
    ("!", Token::Not),
    ("¬", Token::Not),
    ("<=", Token::Relation(Relation::AtMost)),
    ("≤", Token::Relation(Relation::AtMost)),
    ("<", Token::Relation(Relation::Less)),
    (">=", Token::Relation(Relation::AtLeast)),
    ("≥", Token::Relation(Relation::AtLeast)),
    (">", Token::Relation(Relation::More)),
    ("==", Token::Relation(Relation::Equal)),
    ("=", Token::Relation(Relation::Equal)),
    ("#", Token::Count),
    ("(", Token::Open),
    (")", Token::Close),
];

/// All tokens with their places in the text, or what is wrong with the first that is none.
pub(super) fn tokens(text: &str, start: u32) -> Result<Vec<(Token<'_>, Span)>, Box<Diagnostic>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let (token, length) = token(rest).map_err(|wrong| Box::new(wrong.at(start, at, rest)))?;
        found.push((token, place(start, at, length)));
        at += length;
    }
    Ok(found)
}

/// Whether a name is read as itself where it stands without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    // Formulas stand on one line.
    let is_quoted = name.is_empty() || name.starts_with('"') || name.contains('\n');
    let is_name = |token| matches!(token, Token::Word(_) | Token::Name(_));
    !is_quoted && token(name).is_ok_and(|(token, length)| is_name(token) && length == name.len())
}

/// Whether a text is a word that needs quotes to be a name.
pub(super) fn is_reserved(text: &str) -> bool {
    reserved(text).is_some()
}

/// The span of some bytes of a text that begins at `start`.
pub(super) fn place(start: u32, at: usize, length: usize) -> Span {
    let offset = |at: usize| start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    Span { start: offset(at), end: offset(at + length) }
}

/// Why a text does not begin with a token.
enum Wrong {
    Sign,
    OpenQuote,
    Escape(usize),
    OpenValues(usize),
}

impl Wrong {
    fn at(&self, start: u32, at: usize, rest: &str) -> Diagnostic {
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        let (message, from, length, help) = match *self {
            Self::Sign => (
                format!("{} means nothing in a formula", quoted(&rest[..sign])),
                0,
                sign,
                "a name with other signs than letters, digits and `_` is written in double quotes",
            ),
            Self::OpenQuote => ("this name does not end".to_owned(), 0, 1, "end it with `\"`"),
            Self::Escape(from) => (
                "a name in quotes has a `\\` that stands for nothing".to_owned(),
                from,
                1,
                "write `\\\\` for the sign itself, `\\\"` for a quote and `\\n` for a line end",
            ),
            Self::OpenValues(from) => {
                ("this parenthesis is not closed".to_owned(), from, 1, "close it with `)`")
            }
        };
        Diagnostic::error(Qutl::CODE, message, place(start, at + from, length)).help(help)
    }
}

/// The token that a text begins with, and how long it is. The text is not empty.
fn token(text: &str) -> Result<(Token<'_>, usize), Wrong> {
    if text.starts_with('"') {
        let (name, length) = in_quotes(text)?;
        return Ok((Token::Name(Cow::Owned(name)), length));
    }
    let length = word_length(text);
    if length > 0 {
        let word = &text[..length];
        if let Some(token) = reserved(word) {
            return Ok((token, length));
        }
        if text[length..].starts_with('(') {
            let end = values_end(text, length).ok_or(Wrong::OpenValues(length))?;
            return Ok((Token::Name(Cow::Borrowed(&text[..end])), end));
        }
        return Ok((Token::Word(word), length));
    }
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)).ok_or(Wrong::Sign)?;
    Ok((sign.1.clone(), sign.0.len()))
}

fn reserved(word: &str) -> Option<Token<'static>> {
    RESERVED.iter().find(|(text, _)| *text == word).map(|(_, token)| token.clone())
}

/// How much of a text is a word: letters, digits and `_`, and single `.`, `-` and `'` between them.
fn word_length(text: &str) -> usize {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut length = 0;
    let mut joined = false;
    for (at, c) in text.char_indices() {
        if is_letter(c) {
            length = at + c.len_utf8();
            joined = false;
        } else if at > 0 && !joined && matches!(c, '.' | '-' | '\'') {
            joined = true;
        } else {
            break;
        }
    }
    length
}

/// The name in quotes that a text begins with, and how long it is with them.
fn in_quotes(text: &str) -> Result<(String, usize), Wrong> {
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((name, at + 1)),
            '\\' => match chars.next() {
                Some((_, c @ ('"' | '\\'))) => name.push(c),
                Some((_, 'n')) => name.push('\n'),
                _ => return Err(Wrong::Escape(at)),
            },
            _ => name.push(c),
        }
    }
    Err(Wrong::OpenQuote)
}

/// Where the values end that begin with the parenthesis at `open`.
fn values_end(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
