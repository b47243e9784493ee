//! Macros are replaced by what they stand for.

use std::sync::Arc;

use crate::at::{Expansion, ExpansionId, ExpansionKind};
use crate::codes;
use crate::names::quoted;
use crate::token::{Hidden, Kind, Token};

use super::{Macro, Pre};

/// How many macros may be inside of each other.
const MACROS_DEEP_MAX: usize = 200;
/// How deep uses of macros may be nested in arguments. This one is a depth of recursion.
const ARGUMENTS_DEEP_MAX: usize = 60;

impl Pre<'_, '_> {
    /// Replaces every use of a macro. A macro is not replaced inside of itself.
    pub(super) fn expand(&mut self, tokens: &[Token], depth: usize) -> Vec<Token> {
        let mut work: Vec<Token> = tokens.iter().rev().cloned().collect();
        let mut out = Vec::with_capacity(tokens.len());
        while let Some(token) = work.pop() {
            if self.stopped {
                break;
            }
            let found = self.macros.get(&token.text).filter(|_| token.kind == Kind::Name).cloned();
            let Some(definition) = found else {
                out.push(token);
                continue;
            };
            let called = definition.params.is_none() || work.last().is_some_and(|t| t.is("("));
            if !called || is_hidden(&token, &definition.name) {
                out.push(token);
                continue;
            }
            if let Some(mut body) = self.use_of(&definition, &token, &mut work, depth) {
                // What follows must not seem to stand on the line of the macro.
                if let Some(first) = body.first_mut() {
                    first.new_line = token.new_line;
                } else if let Some(next) = work.last_mut() {
                    next.new_line |= token.new_line;
                }
                work.extend(body.into_iter().rev());
            } else {
                // What is wrong was reported; something must stand here, or more would seem wrong.
                out.push(Token { kind: Kind::Number, text: Arc::from("1"), ..token });
            }
        }
        out
    }

    /// What one use stands for. Arguments are taken from `work`.
    fn use_of(
        &mut self,
        definition: &Arc<Macro>,
        name: &Token,
        work: &mut Vec<Token>,
        depth: usize,
    ) -> Option<Vec<Token>> {
        let levels = name.hidden.as_ref().map_or(0, |hidden| hidden.depth);
        if levels >= MACROS_DEEP_MAX || depth >= ARGUMENTS_DEEP_MAX {
            self.stopped = true;
            let message = format!("uses of macros are nested too deep at {}", quoted(&name.text));
            self.error(codes::TOO_DEEP, message, name.at())
                .help("nothing after this was read; use fewer levels")
                .push(self);
            return None;
        }
        let args = match &definition.params {
            None => Vec::new(),
            Some(params) => self.arguments(params.len(), name, work)?,
        };
        let expansion = self.expansions.push(Expansion {
            kind: ExpansionKind::Macro,
            name: definition.name.clone(),
            call: name.span,
            definition: definition.definition,
            parent: name.expansion,
        });
        let hidden = Arc::new(Hidden {
            name: definition.name.clone(),
            next: name.hidden.clone(),
            depth: levels + 1,
        });
        let mut body = self.substitute(definition, &args, name, expansion, depth);
        for token in &mut body {
            token.new_line = false;
            // Tokens of arguments come from other macros, which stay hidden in them too.
            token.hidden = Some(match token.hidden.take() {
                None => hidden.clone(),
                Some(own) => Arc::new(Hidden {
                    name: definition.name.clone(),
                    depth: own.depth.max(levels) + 1,
                    next: Some(own),
                }),
            });
        }
        self.spend(body.len() + 1, name.at());
        Some(body)
    }

    /// The arguments in parentheses, which are taken from `work`.
    fn arguments(
        &mut self,
        wanted: usize,
        name: &Token,
        work: &mut Vec<Token>,
    ) -> Option<Vec<Vec<Token>>> {
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut open = 0;
        loop {
            let Some(token) = work.pop() else {
                let message = format!("the arguments of {} do not end", quoted(&name.text));
                self.error(codes::MACRO, message, name.at())
                    .help("every `(` needs a `)`")
                    .push(self);
                return None;
            };
            let before = open;
            open += usize::from(token.is("("));
            open -= usize::from(token.is(")"));
            match args.last_mut() {
                _ if open == 0 => break,
                _ if before == 1 && token.is(",") => args.push(Vec::new()),
                Some(last) if before > 0 => last.push(token),
                _ => {}
            }
        }
        if wanted == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if args.len() == wanted {
            return Some(args);
        }
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!(
            "the macro {} takes {wanted} argument{plural}, but there are {}",
            quoted(&name.text),
            args.len()
        );
        self.error(codes::MACRO, message, name.at())
            .help("an argument with commas needs parentheses around it")
            .push(self);
        None
    }

    /// The body with arguments in place of parameters.
    fn substitute(
        &mut self,
        definition: &Macro,
        args: &[Vec<Token>],
        name: &Token,
        expansion: ExpansionId,
        depth: usize,
    ) -> Vec<Token> {
        let place = |token: &Token| Token {
            span: name.span,
            expansion: Some(expansion),
            hidden: None,
            ..token.clone()
        };
        let params = definition.params.as_deref().unwrap_or_default();
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; args.len()];
        let mut out: Vec<Token> = Vec::new();
        let mut tokens = definition.body.iter().peekable();
        while let Some(token) = tokens.next() {
            if token.is("##") {
                let right = tokens.next().map(|next| match parameter(params, next) {
                    Some(param) => args[param].clone(),
                    None => vec![place(next)],
                });
                self.paste(&mut out, right.unwrap_or_default(), name);
            } else if token.is("#")
                && let Some(param) = tokens.peek().and_then(|next| parameter(params, next))
            {
                tokens.next();
                out.push(place(&stringised(&args[param], token)));
            } else if let Some(param) = parameter(params, token) {
                let raw = tokens.peek().is_some_and(|next| next.is("##"));
                if raw {
                    out.extend(args[param].iter().cloned());
                } else {
                    let arg = match &expanded[param] {
                        Some(done) => done.clone(),
                        None => self.expand(&args[param], depth + 1),
                    };
                    out.extend(arg.iter().cloned());
                    expanded[param] = Some(arg);
                }
            } else {
                out.push(place(token));
            }
            if self.stopped {
                break;
            }
        }
        out
    }
}

fn is_hidden(token: &Token, name: &str) -> bool {
    let mut now = &token.hidden;
    while let Some(hidden) = now {
        if &*hidden.name == name {
            return true;
        }
        now = &hidden.next;
    }
    false
}

fn parameter(params: &[Arc<str>], token: &Token) -> Option<usize> {
    let is_name = token.kind == Kind::Name;
    params.iter().position(|param| is_name && *param == token.text)
}

/// The tokens of an argument as a string.
fn stringised(arg: &[Token], at: &Token) -> Token {
    let mut text = String::from("\"");
    for (number, token) in arg.iter().enumerate() {
        let apart = number > 0 && arg[number - 1].span.end != token.span.start;
        text.push_str(if apart { " " } else { "" });
        text.push_str(&token.text.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('"');
    Token::new(Kind::Text, &text, at.span)
}
