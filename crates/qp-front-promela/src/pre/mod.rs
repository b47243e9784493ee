//! The preprocessor: included files, conditional parts and macros.
//!
//! It works on tokens, so that each keeps its place in what the user wrote. Line markers are read and left
//! out: places refer to the files that were given.

mod condition;
mod directive;
mod expand;
mod paste;

use std::sync::Arc;

use qp_base::{Code, Diagnostic, Map, Span};

use crate::at::{At, Expansions};
use crate::codes;
use crate::lexer::lex;
use crate::names::quoted;
use crate::read::{Includes, Options};
use crate::report::Report;
use crate::token::{Kind, Token, Why};

/// How deep files may include each other.
const INCLUDES_DEEP_MAX: usize = 40;
/// How many tokens macros, inlines and included files may make. A few nested ones can ask for any number.
pub(crate) const TOKENS_MAX: usize = 1_000_000;
/// How many bytes all files may have together. A token takes some fifty times its text.
const BYTES_MAX: usize = 1 << 24;

/// The name under which definitions of the command line are shown.
const COMMAND_LINE: &str = "<command line>";

/// A model after preprocessing.
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    /// Every file with its name and text.
    pub(crate) parts: Vec<(String, String)>,
    pub(crate) expansions: Expansions,
}

/// Reads the main file and all that it includes.
pub(crate) fn preprocess(
    name: &str,
    text: &str,
    includes: &dyn Includes,
    options: &Options,
    report: &mut Report,
) -> Preprocessed {
    let mut pre = Pre {
        includes,
        parts: Vec::new(),
        starts: Vec::new(),
        given: None,
        macros: Map::default(),
        out: Vec::new(),
        expansions: Expansions::default(),
        report,
        spent: 0,
        stopped: false,
    };
    let main = pre.add_part(name, text);
    if !options.defines.is_empty() {
        let define = |(name, value): &(String, String)| {
            let one_line = value.replace(['\n', '\r'], " ");
            format!("#define {name} {one_line}\n")
        };
        let text: String = options.defines.iter().map(define).collect();
        if let Some(part) = pre.add_part(COMMAND_LINE, &text) {
            let start = pre.starts[part];
            pre.given = Some((start, start + text.len() as u32));
            pre.file(part, 0);
        }
    }
    if let Some(main) = main {
        pre.file(main, 0);
    }
    // A text that ends anywhere would only give more messages.
    if pre.stopped {
        pre.out.clear();
    }
    let Pre { out, parts, expansions, .. } = pre;
    garbled(&out, &expansions, report);
    Preprocessed { tokens: out, parts, expansions }
}

/// A `#define`.
#[derive(Debug)]
struct Macro {
    name: Arc<str>,
    /// Its parameters, if it takes any.
    params: Option<Vec<Arc<str>>>,
    body: Vec<Token>,
    definition: Span,
}

struct Pre<'f, 'r> {
    includes: &'f dyn Includes,
    parts: Vec<(String, String)>,
    starts: Vec<u32>,
    /// Where the definitions of the command line stand.
    given: Option<(u32, u32)>,
    macros: Map<Arc<str>, Arc<Macro>>,
    out: Vec<Token>,
    expansions: Expansions,
    report: &'r mut Report,
    spent: usize,
    /// Whether there was so much that the rest is not looked at.
    stopped: bool,
}

impl Pre<'_, '_> {
    /// Adds a file to the whole text; nothing if that gets too long.
    fn add_part(&mut self, name: &str, text: &str) -> Option<usize> {
        let start = match (self.starts.last(), self.parts.last()) {
            (Some(&start), Some((_, last))) => {
                start as usize + last.len() + usize::from(!last.ends_with('\n'))
            }
            _ => 0,
        };
        if start + text.len() > BYTES_MAX {
            self.stopped = true;
            let message = "the files of this model are too large";
            let help = format!("they may have {BYTES_MAX} bytes together");
            let error = Diagnostic::error(codes::TOO_MUCH, message, Span::default());
            self.report.push(error.help(help));
            if self.parts.is_empty() {
                self.parts.push((name.to_owned(), String::new()));
            }
            return None;
        }
        self.starts.push(start as u32);
        self.parts.push((name.to_owned(), text.to_owned()));
        Some(self.parts.len() - 1)
    }

    /// Reads one file, up to its end or to where everything stops.
    fn file(&mut self, part: usize, depth: usize) {
        let tokens = lex(&self.parts[part].1, self.starts[part]);
        let name = self.parts[part].0.clone();
        let start = self.starts[part];
        if depth > 0 {
            self.spend(tokens.len(), At::from(Span { start, end: start }));
        }
        let mut conditions = directive::Conditions::default();
        let mut at = 0;
        while at < tokens.len() && !self.stopped && !self.report.is_full() {
            let begins = |token: &Token| token.new_line && token.is("#");
            let rest = &tokens[at + 1..];
            if begins(&tokens[at]) {
                let end = rest.iter().position(|token| token.new_line).unwrap_or(rest.len());
                let line = directive::Line { hash: &tokens[at], words: &rest[..end] };
                self.directive(&line, &mut conditions, &name, depth);
                at += 1 + end;
            } else {
                let end = rest.iter().position(begins).unwrap_or(rest.len());
                if conditions.active() {
                    let expanded = self.expand(&tokens[at..=at + end], 0);
                    self.out.extend(expanded);
                }
                at += 1 + end;
            }
        }
        if let Some(span) = conditions.open()
            && !self.stopped
        {
            self.error(codes::DIRECTIVE, "this condition does not end", At::from(span))
                .help("end it with `#endif`")
                .push(self);
        }
    }

    /// Reads an included file.
    fn include(&mut self, from: &str, wanted: &str, span: Span, depth: usize) {
        if depth >= INCLUDES_DEEP_MAX {
            let message =
                format!("files include each other more than {INCLUDES_DEEP_MAX} levels deep");
            self.stopped = true;
            return self
                .error(codes::INCLUDE, message, At::from(span))
                .help("a file may not include itself, unless an `#ifndef` around it ends that")
                .push(self);
        }
        let Some(file) = self.includes.open(from, wanted) else {
            let message = format!("the included file {} cannot be read", quoted(wanted));
            return self
                .error(codes::INCLUDE, message, At::from(span))
                .help("names are looked up beside the file that includes them")
                .push(self);
        };
        let known =
            self.parts.iter().position(|(name, text)| *name == file.name && *text == file.text);
        let part = known.or_else(|| self.add_part(&file.name, &file.text));
        if let Some(part) = part {
            self.file(part, depth + 1);
        }
    }

    /// Counts tokens that were made. If there are too many, everything stops.
    fn spend(&mut self, tokens: usize, at: At) {
        self.spent += tokens;
        if self.spent > TOKENS_MAX && !self.stopped {
            self.stopped = true;
            let message = format!("macros and included files make more than {TOKENS_MAX} words");
            self.error(codes::TOO_MUCH, message, at)
                .help("nothing after this was read; let them expand to less")
                .push(self);
        }
    }

    fn error(&self, code: Code, message: impl Into<String>, at: At) -> Trouble {
        let _ = self;
        Trouble { diagnostic: Diagnostic::error(code, message, at.span), at }
    }
}

/// A message that is being put together.
struct Trouble {
    diagnostic: Diagnostic,
    at: At,
}

impl Trouble {
    fn help(mut self, text: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.help(text);
        self
    }

    fn push(self, pre: &mut Pre) {
        pre.report.push_at(self.diagnostic, self.at, &pre.expansions);
    }
}

impl From<Span> for At {
    fn from(span: Span) -> Self {
        At { span, expansion: None }
    }
}

/// Reports what is no token. It stays in the stream, so that what follows from it is not reported again.
fn garbled(tokens: &[Token], expansions: &Expansions, report: &mut Report) {
    let mut last_end = None;
    for token in tokens {
        let Kind::Garbled(why) = token.kind else { continue };
        let mut span = token.span;
        // One message for a whole run of garbage.
        let continues = why == Why::Character && last_end == Some(span.start);
        last_end = Some(span.end);
        if continues {
            continue;
        }
        let (message, help) = match why {
            Why::Character => {
                (format!("{} means nothing in Promela", quoted(&token.text)), "remove it")
            }
            Why::Comment => ("this comment does not end".to_owned(), "end it with `*/`"),
            Why::Text => ("this string does not end".to_owned(), "end it with `\"`"),
            Why::Quote => {
                ("this quote is not around one character".to_owned(), "write `'a'` or `'\\n'`")
            }
        };
        // Pointing at all the rest of the text would hide where it begins.
        span.end = span.end.min(span.start + 2);
        report.push_at(
            Diagnostic::error(codes::GARBLED, message, span).help(help),
            token.at(),
            expansions,
        );
    }
}
