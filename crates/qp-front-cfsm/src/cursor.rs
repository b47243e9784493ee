//! A place in a stream of tokens, shared by the three parsers.

use std::collections::VecDeque;

use logos::{Lexer, Logos};
use qp_base::{Complaints, Diagnostic, Span};

use crate::codes;

/// Why a piece of text is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Garbled {
    /// No token begins with this character.
    #[default]
    Character,
    /// A comment does not end.
    Comment,
    /// A string does not end on its line.
    String,
}

/// A name or a number at its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

/// Skips a `/* ... */` comment whose beginning was just read.
pub(crate) fn skip_comment<'t, T>(lexer: &mut Lexer<'t, T>) -> logos::FilterResult<(), Garbled>
where
    T: Logos<'t, Source = str>,
{
    if let Some(end) = lexer.remainder().find("*/") {
        lexer.bump(end + 2);
        logos::FilterResult::Skip
    } else {
        lexer.bump(lexer.remainder().len());
        logos::FilterResult::Error(Garbled::Comment)
    }
}

/// Tokens one after the other, read from the text when they are needed: a text of any size takes no
/// memory until something is made of it.
pub(crate) struct Cursor<'t, T: Logos<'t>> {
    text: &'t str,
    lexer: Lexer<'t, T>,
    ahead: VecDeque<(T, Span)>,
    /// The token that was taken last.
    last: Span,
    /// What is wrong so far. When it is full, the text ends for the parser.
    pub(crate) complaints: Complaints,
}

impl<'t, T> Cursor<'t, T>
where
    T: Logos<'t, Source = str, Error = Garbled, Extras = ()> + Copy + PartialEq,
{
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            lexer: T::lexer(text),
            ahead: VecDeque::new(),
            last: Span::default(),
            complaints: Complaints::new(codes::MORE),
        }
    }

    /// The next token, if there is one.
    pub(crate) fn peek(&mut self) -> Option<T> {
        self.peek_at(0)
    }

    /// The token after `n` others.
    pub(crate) fn peek_at(&mut self, n: usize) -> Option<T> {
        if self.complaints.is_full() {
            return None;
        }
        while self.ahead.len() <= n {
            let token = self.read()?;
            self.ahead.push_back(token);
        }
        Some(self.ahead[n].0)
    }

    /// Where the next token is; the end of the text if there is none.
    pub(crate) fn here(&mut self) -> Span {
        match self.peek() {
            Some(_) => self.ahead[0].1,
            None => Span::new(self.text.len()..self.text.len()),
        }
    }

    /// Takes the next token.
    pub(crate) fn bump(&mut self) -> Option<(T, Span)> {
        self.peek()?;
        let taken = self.ahead.pop_front();
        self.last = taken.map_or(self.last, |(_, span)| span);
        taken
    }

    /// Takes the next token if it is this one.
    pub(crate) fn eat(&mut self, token: T) -> Option<Span> {
        if self.peek() == Some(token) { self.bump().map(|(_, span)| span) } else { None }
    }

    /// Where the token is that was taken last. Differs after every taken token.
    pub(crate) fn last(&self) -> Span {
        self.last
    }

    /// What is written there.
    pub(crate) fn text(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// What is written as the next token; nothing at the end.
    pub(crate) fn next_text(&mut self) -> &'t str {
        let span = self.here();
        self.text(span)
    }

    /// What is written as the token after `n` others; nothing at the end.
    pub(crate) fn text_at(&mut self, n: usize) -> &'t str {
        match self.peek_at(n) {
            Some(_) => self.text(self.ahead[n].1),
            None => "",
        }
    }

    /// Whether the next token stands on another line than the last one.
    pub(crate) fn on_new_line(&mut self) -> bool {
        let between = self.last.end as usize..self.here().start as usize;
        self.text.get(between).is_none_or(|gap| gap.contains('\n'))
    }

    /// Reports that something else should be here.
    pub(crate) fn unexpected(&mut self, wanted: &str, help: &str) {
        let (span, found) = (self.here(), self.next_text());
        let found = if found.is_empty() {
            "the end of the text".to_owned()
        } else {
            crate::names::quoted(found)
        };
        let message = format!("expected {wanted}, found {found}");
        let error = Diagnostic::error(codes::UNEXPECTED, message, span);
        self.complaints.push(error.label(format!("expected {wanted}")).help(help));
    }

    /// Reports that something else should be here, which cannot be read for that reason.
    pub(crate) fn missing<R>(&mut self, wanted: &str, help: &str) -> Option<R> {
        self.unexpected(wanted, help);
        None
    }

    fn read(&mut self) -> Option<(T, Span)> {
        let mut garbled: Option<(Garbled, Span)> = None;
        loop {
            let token = self.lexer.next();
            let span = Span::new(self.lexer.span());
            if let Some(Err(why)) = token {
                // One message for a whole run of garbage.
                garbled = match garbled {
                    Some((first, start)) if start.end == span.start => {
                        Some((first, start.to(span)))
                    }
                    Some((first, start)) => {
                        self.report(first, start);
                        Some((why, span))
                    }
                    None => Some((why, span)),
                };
                if self.complaints.is_full() {
                    return None;
                }
                continue;
            }
            if let Some((why, span)) = garbled {
                self.report(why, span);
            }
            return token.and_then(Result::ok).map(|token| (token, span));
        }
    }

    fn report(&mut self, why: Garbled, span: Span) {
        let text = crate::names::quoted(self.text(span).trim_end());
        let (message, help) = match why {
            Garbled::Character => {
                (format!("{text} means nothing here"), "remove it, or put it into a comment")
            }
            Garbled::Comment => ("this comment does not end".to_owned(), "end it with `*/`"),
            Garbled::String => {
                ("this string does not end on its line".to_owned(), "end it with `\"`")
            }
        };
        let span = match why {
            Garbled::Character => span,
            // Pointing at all the rest of the text would hide where it begins.
            Garbled::Comment => Span { end: span.start + 2, ..span },
            Garbled::String => Span { end: span.start + 1, ..span },
        };
        self.complaints.error(codes::GARBLED, message, span, help);
    }
}

/// What the parsers have in common: the tokens, how deep they are, and what was read.
pub(crate) struct Parser<'t, T: Logos<'t>, F> {
    pub(crate) cursor: Cursor<'t, T>,
    pub(crate) depth: usize,
    pub(crate) file: F,
}

impl<'t, T, F: Default> Parser<'t, T, F>
where
    T: Logos<'t, Source = str, Error = Garbled, Extras = ()> + Copy + PartialEq,
{
    pub(crate) fn new(text: &'t str) -> Self {
        Self { cursor: Cursor::new(text), depth: 0, file: F::default() }
    }

    pub(crate) fn expect(&mut self, token: T, wanted: &str, help: &str) -> Option<Span> {
        self.cursor.eat(token).or_else(|| self.cursor.missing(wanted, help))
    }

    /// One or more, with this token between them.
    pub(crate) fn list<R>(
        &mut self,
        between: T,
        mut one: impl FnMut(&mut Self) -> Option<R>,
    ) -> Option<Vec<R>> {
        let mut all = vec![one(self)?];
        while self.cursor.eat(between).is_some() {
            all.push(one(self)?);
        }
        Some(all)
    }
}
