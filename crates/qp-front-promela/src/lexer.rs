//! From a text to tokens. Comments, spaces and continued lines are left out; what stands first on its
//! line is marked, because both the preprocessor and the parser need to know.

use qp_base::Span;

use crate::token::{Kind, Token, Why};

/// Signs of two characters. They come before those of one.
const PAIRS: &[&str] = &[
    "::", "->", "--", "++", "<<", "<=", ">>", ">=", "==", "!=", "!!", "??", "&&", "||", "..", "##",
];
/// SPIN takes it for an arrow, even behind a variable.
const LONG_ARROW: &str = "-->";
const SINGLES: &str = "{}[]();,.:=+-*/%&|^~!?<>@#\\";

/// Splits a text into tokens. Its first byte is at `base`.
pub(crate) fn lex(text: &str, base: u32) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, base, new_line: true, tokens: Vec::new() };
    while lexer.skip_space() {
        lexer.token();
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    base: u32,
    new_line: bool,
    tokens: Vec<Token>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes to the next token; no if there is none.
    fn skip_space(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return false };
            match first {
                '\n' => {
                    self.new_line = true;
                    self.at += 1;
                }
                ' ' | '\t' | '\r' | '\x0c' | '\x0b' | '\u{feff}' => self.at += first.len_utf8(),
                '\\' if rest.starts_with("\\\n") => self.at += 2,
                '\\' if rest.starts_with("\\\r\n") => self.at += 3,
                // SPIN passes over what is left of a comment inside of a comment.
                '*' if rest.starts_with("*/") => self.at += 2,
                '/' if rest.starts_with("//") => self.skip_line_comment(),
                '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(end) => self.at += end + 4,
                    None => self.push(Kind::Garbled(Why::Comment), rest.len()),
                },
                _ => return true,
            }
        }
    }

    /// A comment to the end of the line, which a backslash continues.
    fn skip_line_comment(&mut self) {
        loop {
            let rest = self.rest();
            let line = rest.find('\n').unwrap_or(rest.len());
            let continued = rest[..line].trim_end_matches('\r').ends_with('\\');
            self.at += line;
            if !continued || self.at >= self.text.len() {
                return;
            }
            self.at += 1;
        }
    }

    fn token(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or(' ');
        let length = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        if first.is_ascii_alphabetic() || first == '_' {
            self.push(Kind::Name, length(|c| c.is_ascii_alphanumeric() || c == '_'));
        } else if first.is_ascii_digit() {
            self.push(Kind::Number, length(|c| c.is_ascii_digit()));
        } else if first == '"' {
            self.string();
        } else if first == '\'' {
            self.character();
        } else if rest.starts_with(LONG_ARROW) {
            self.push_as(Kind::Mark, "->", LONG_ARROW.len());
        } else if let Some(pair) = PAIRS.iter().find(|pair| rest.starts_with(**pair)) {
            self.push(Kind::Mark, pair.len());
        } else if SINGLES.contains(first) {
            self.push(Kind::Mark, 1);
        } else {
            self.push(Kind::Garbled(Why::Character), first.len_utf8());
        }
    }

    fn string(&mut self) {
        let rest = self.rest();
        let mut bytes = rest.bytes().enumerate().skip(1);
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => return self.push(Kind::Text, at + 1),
                b'\\' => {
                    bytes.next();
                }
                _ => {}
            }
        }
        // The lines after this one are most likely meant as model.
        let end = rest.find('\n').unwrap_or(rest.len());
        self.push(Kind::Garbled(Why::Text), end);
    }

    fn character(&mut self) {
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(1);
        let mut first = chars.next();
        if first.is_some_and(|(_, c)| c == '\\') {
            first = chars.next();
        }
        match (first, chars.next()) {
            (Some((_, c)), Some((end, '\''))) if c.is_ascii() && c != '\n' => {
                self.push(Kind::Char, end + 1);
            }
            _ => self.push(Kind::Garbled(Why::Quote), 1),
        }
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let text = &self.text[self.at..self.at + length];
        self.push_as(kind, text, length);
    }

    /// A token that means the same as another text.
    fn push_as(&mut self, kind: Kind, text: &str, length: usize) {
        let start = self.base + self.at as u32;
        let span = Span { start, end: start + length as u32 };
        let mut token = Token::new(kind, text, span);
        token.new_line = self.new_line;
        self.new_line = false;
        self.tokens.push(token);
        self.at += length;
    }
}
