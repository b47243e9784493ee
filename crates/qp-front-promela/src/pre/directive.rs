//! Lines that begin with `#`.

use std::sync::Arc;

use qp_base::{Diagnostic, Span};

use crate::at::At;
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::token::{Kind, Token};

use super::{Macro, Pre};

const DIRECTIVES: &[&str] = &[
    "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "line",
    "error", "warning", "pragma",
];

/// One directive.
pub(super) struct Line<'t> {
    pub(super) hash: &'t Token,
    /// What follows the `#` on its line.
    pub(super) words: &'t [Token],
}

/// The `#if`s that are open in a file.
#[derive(Default)]
pub(super) struct Conditions {
    stack: Vec<Condition>,
}

struct Condition {
    /// Where it began.
    span: Span,
    part: Part,
    seen_else: bool,
}

/// What becomes of the present part of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What surrounds it is not read.
    Outside,
    /// It is not read, and neither was one before it.
    Waiting,
    /// It is read.
    Read,
    /// It is not read, because one before it was.
    Done,
}

impl Conditions {
    /// Whether text here is read.
    pub(super) fn active(&self) -> bool {
        self.stack.last().is_none_or(|condition| condition.part == Part::Read)
    }

    /// The innermost one that has no end.
    pub(super) fn open(&self) -> Option<Span> {
        self.stack.last().map(|condition| condition.span)
    }

    fn push(&mut self, span: Span, holds: bool) {
        let part = match (self.active(), holds) {
            (false, _) => Part::Outside,
            (true, true) => Part::Read,
            (true, false) => Part::Waiting,
        };
        self.stack.push(Condition { span, part, seen_else: false });
    }
}

impl Line<'_> {
    fn span(&self) -> Span {
        let end = self.words.last().map_or(self.hash.span, |last| last.span);
        self.hash.span.to(end)
    }

    /// What follows the first word.
    fn rest(&self) -> &[Token] {
        self.words.get(1..).unwrap_or_default()
    }
}

impl Pre<'_, '_> {
    pub(super) fn directive(
        &mut self,
        line: &Line,
        conditions: &mut Conditions,
        file: &str,
        depth: usize,
    ) {
        let Some(word) = line.words.first() else { return };
        match &*word.text {
            "if" | "ifdef" | "ifndef" => {
                let holds = conditions.active() && self.holds(line, &word.text);
                conditions.push(line.span(), holds);
            }
            "elif" | "else" | "endif" => self.branch(line, &word.text, conditions),
            _ if !conditions.active() => {}
            "define" => self.define(line),
            "undef" => {
                if let Some(name) = self.macro_name(line) {
                    self.macros.remove(&name.text);
                }
            }
            "include" => self.include_line(line, file, depth),
            "error" => {
                let text: Vec<&str> = line.rest().iter().map(|token| &*token.text).collect();
                let message = format!("the model says: {}", text.join(" "));
                self.error(codes::DIRECTIVE, message, At::from(line.span())).push(self);
            }
            "line" | "pragma" | "warning" | "ident" => {}
            _ if word.kind == Kind::Number => {}
            other => {
                let message = format!("there is no directive {}", quoted(&format!("#{other}")));
                let known = DIRECTIVES.iter().copied();
                let help = did_you_mean(other, known, "see the manual for those that there are");
                self.error(codes::DIRECTIVE, message, At::from(line.span())).help(help).push(self);
            }
        }
    }

    fn branch(&mut self, line: &Line, word: &str, conditions: &mut Conditions) {
        let Some(last) = conditions.stack.last_mut() else {
            let message = format!("`#{word}` has no `#if`");
            return self.error(codes::DIRECTIVE, message, At::from(line.span())).push(self);
        };
        if word == "endif" {
            conditions.stack.pop();
            return;
        }
        if last.seen_else {
            let message = format!("`#{word}` stands behind `#else`");
            return self.error(codes::DIRECTIVE, message, At::from(line.span())).push(self);
        }
        last.seen_else = word == "else";
        last.part = match last.part {
            Part::Read | Part::Done => Part::Done,
            Part::Waiting if word == "else" || self.holds(line, "if") => Part::Read,
            Part::Waiting => Part::Waiting,
            Part::Outside => Part::Outside,
        };
    }

    /// Whether a condition holds.
    fn holds(&mut self, line: &Line, word: &str) -> bool {
        if word == "if" {
            return self.condition(line.rest(), line.span());
        }
        let defined = self.macro_name(line).map(|name| self.macros.contains_key(&name.text));
        defined.is_some_and(|defined| defined == (word == "ifdef"))
    }

    fn macro_name<'t>(&mut self, line: &'t Line) -> Option<&'t Token> {
        let name = line.rest().first().filter(|token| token.kind == Kind::Name);
        if name.is_none() {
            let word = line.words.first().map_or("", |word| &word.text);
            let message = format!("`#{word}` needs the name of a macro");
            self.error(codes::DIRECTIVE, message, At::from(line.span())).push(self);
        }
        name
    }

    fn define(&mut self, line: &Line) {
        let Some(name) = self.macro_name(line) else { return };
        let mut rest = &line.rest()[1..];
        let mut params = None;
        // Only a parenthesis that touches the name opens parameters.
        if let Some(open) = rest.first()
            && open.is("(")
            && open.span.start == name.span.end
        {
            let Some(close) = rest.iter().position(|token| token.is(")")) else {
                return self.bad_params(line);
            };
            let Some(names) = names(&rest[1..close]) else { return self.bad_params(line) };
            params = Some(names);
            rest = &rest[close + 1..];
        }
        let (name, definition) = (name.text.clone(), name.span);
        let body = rest.to_vec();
        self.note_overruled(&name, &body, definition);
        self.macros.insert(name.clone(), Arc::new(Macro { name, params, body, definition }));
    }

    /// A definition of the command line that the model does away with is not what the user asked for.
    fn note_overruled(&mut self, name: &str, body: &[Token], place: Span) {
        let Some(known) = self.macros.get(name) else { return };
        let is_given = self.given.is_some_and(|(start, end)| {
            (start..end).contains(&known.definition.start) && !(start..end).contains(&place.start)
        });
        let texts = |tokens: &[Token]| tokens.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
        if !is_given || texts(&known.body) == texts(body) {
            return;
        }
        let given = texts(&known.body).join(" ");
        let message = format!("this overrules the definition of {} by `-D`", quoted(name));
        let help = format!(
            "the model has its own value, and `{given}` is not used: put `#ifndef {name}` before \
             this line and `#endif` behind it"
        );
        let warning = Diagnostic::warning(codes::OVERRULED, message, place).help(help);
        self.report.push_at(warning, At::from(place), &self.expansions);
    }

    fn bad_params(&mut self, line: &Line) {
        self.error(
            codes::DIRECTIVE,
            "the parameters of this macro are no names",
            line.span().into(),
        )
        .help("write them as in `#define max(a, b) …`; their number must be fixed")
        .push(self);
    }

    fn include_line(&mut self, line: &Line, file: &str, depth: usize) {
        let expanded;
        let mut rest = line.rest();
        if rest.first().is_some_and(|token| token.kind == Kind::Name) {
            expanded = self.expand(rest, 0);
            rest = &expanded;
        }
        let wanted = match rest {
            [text] if text.kind == Kind::Text => text.text.trim_matches('"').to_owned(),
            [open, inside @ .., close] if open.is("<") && close.is(">") => {
                inside.iter().map(|token| &*token.text).collect()
            }
            _ => {
                return self
                    .error(
                        codes::DIRECTIVE,
                        "`#include` needs the name of a file",
                        line.span().into(),
                    )
                    .help("write `#include \"file\"`")
                    .push(self);
            }
        };
        self.include(file, &wanted, line.span(), depth);
    }
}

/// Names with commas between them.
fn names(tokens: &[Token]) -> Option<Vec<Arc<str>>> {
    if tokens.is_empty() {
        return Some(Vec::new());
    }
    let parts = tokens.split(|token| token.is(","));
    parts
        .map(|part| match part {
            [name] if name.kind == Kind::Name => Some(name.text.clone()),
            _ => None,
        })
        .collect()
}
