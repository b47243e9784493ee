//! Inlines: the text of a definition is read again at each call, with arguments in place of parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Ident, Stmt, StmtKind};
use crate::at::{At, Expansion, ExpansionId, ExpansionKind};
use crate::codes;
use crate::names::quoted;
use crate::pre::TOKENS_MAX;
use crate::token::{Kind, Token};

use super::{Behind, Parser};

/// An `inline`.
pub(super) struct Inline {
    name: Ident,
    params: Vec<Arc<str>>,
    /// Its text, with the braces.
    body: Vec<Token>,
}

/// An inline that is being read.
pub(super) struct Call {
    name: Arc<str>,
    /// The tokens that what is returned is assigned to.
    result: Option<Vec<Token>>,
}

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Option<()> {
        self.bump();
        let help = "write `inline name(a, b) { … }`";
        let name = self.name("the name of an inline", help)?;
        self.expect("(", help)?;
        let mut params = Vec::new();
        while self.at_name() {
            params.push(self.name("a parameter", help)?.text);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", help)?;
        if !self.at("{") {
            return self.missing("`{`", help);
        }
        let mut body = Vec::new();
        let mut open = 0_usize;
        while let Some(token) = self.bump() {
            open += usize::from(token.is("{"));
            open -= usize::from(token.is("}"));
            body.push(token);
            if open == 0 {
                break;
            }
        }
        if open > 0 {
            return self.missing("`}`", "every `{` needs a `}`");
        }
        if let Some(before) = self.inlines.get(&name.text) {
            let (text, first) = (quoted(&name.text), before.name.at);
            let error = qp_base::Diagnostic::error(
                codes::DUPLICATE,
                format!("there are two inlines {text}"),
                name.at.span,
            );
            let error = error.also(first.span, "the first one");
            self.report.push_at(error, name.at, &self.expansions);
        }
        self.inlines.insert(name.text.clone(), Arc::new(Inline { name, params, body }));
        Some(())
    }

    /// Whether an inline is called here.
    pub(super) fn at_call(&self, n: usize) -> bool {
        let called = self.peek_at(n).is_some_and(|token| {
            token.kind == Kind::Name && self.inlines.contains_key(&token.text)
        });
        called && self.peek_at(n + 1).is_some_and(|token| token.is("("))
    }

    /// A call, whose result is assigned to `result` if there is one. Its text becomes a block.
    pub(super) fn call(&mut self, result: Option<Vec<Token>>) -> Option<Stmt> {
        let name = self.bump()?;
        let inline = self.inlines.get(&name.text)?.clone();
        let args = self.call_args()?;
        let at = self.since(name.at());
        if self.calls.iter().any(|call| call.name == name.text) {
            let message = format!("the inline {} calls itself", quoted(&name.text));
            self.report_at(codes::INLINE, message, at, "use a `do` loop, or a process with `run`");
            return None;
        }
        if args.len() != inline.params.len() {
            let wanted = inline.params.len();
            let plural = if wanted == 1 { "" } else { "s" };
            let text = quoted(&name.text);
            let message = format!(
                "the inline {text} takes {wanted} argument{plural}, but there are {}",
                args.len()
            );
            let error = qp_base::Diagnostic::error(codes::ARGUMENTS, message, at.span)
                .also(inline.name.at.span, "it is defined here");
            self.report.push_at(error, at, &self.expansions);
            return None;
        }
        let body = self.expanded(&inline, &args, &name)?;
        self.read_body(body, Call { name: name.text.clone(), result })
    }

    /// Reads the text of a call as a block.
    fn read_body(&mut self, body: Vec<Token>, call: Call) -> Option<Stmt> {
        let (last, open) = (self.last, self.open);
        let was = self.in_sequence;
        let after = self.rest.len();
        self.rest.extend(body.into_iter().rev());
        self.in_sequence = true;
        self.behind = Behind::Operator;
        self.calls.push(call);
        let start = self.here();
        let block = self.nested(Self::block);
        self.calls.pop();
        // After an error some of the body may be left, and the call is over all the same.
        self.rest.truncate(after);
        self.in_sequence = was;
        // The text of a call ends with a brace, so nothing need separate it from what follows.
        (self.last, self.behind, self.open) = (last, Behind::Closed, open);
        let block = block?;
        Some(Stmt { labels: Vec::new(), kind: StmtKind::Block(block), at: start })
    }

    /// The arguments of a call as tokens.
    fn call_args(&mut self) -> Option<Vec<Vec<Token>>> {
        self.expect("(", "arguments stand in parentheses")?;
        let mut args: Vec<Vec<Token>> = Vec::new();
        let mut arg: Vec<Token> = Vec::new();
        let mut open = 1_usize;
        while let Some(token) = self.bump() {
            open += usize::from(token.is("(") || token.is("["));
            open -= usize::from(token.is(")") || token.is("]")).min(open);
            if open == 0 {
                if !arg.is_empty() || !args.is_empty() {
                    args.push(arg);
                }
                return Some(args);
            }
            if open == 1 && token.is(",") {
                args.push(std::mem::take(&mut arg));
            } else {
                arg.push(token);
            }
        }
        self.missing("`)`", "every `(` needs a `)`")
    }

    /// The body with arguments in place of parameters.
    fn expanded(
        &mut self,
        inline: &Inline,
        args: &[Vec<Token>],
        name: &Token,
    ) -> Option<Vec<Token>> {
        let call = Expansion {
            kind: ExpansionKind::Inline,
            name: name.text.clone(),
            call: name.span,
            definition: inline.name.at.span,
            parent: name.expansion,
        };
        let call = self.expansions.push(call);
        let mut macros = BTreeMap::new();
        let mut out = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            let param = inline
                .params
                .iter()
                .position(|param| token.kind == Kind::Name && *param == token.text);
            if let Some(param) = param {
                for (number, arg) in args[param].iter().enumerate() {
                    let new_line = number == 0 && token.new_line;
                    out.push(Token { new_line, ..arg.clone() });
                }
            } else {
                let expansion = Some(self.inside(token.expansion, call, &mut macros));
                out.push(Token { expansion, ..token.clone() });
            }
        }
        self.made += out.len() + 1;
        if self.made > TOKENS_MAX {
            let message = format!("inlines make more than {TOKENS_MAX} words out of this");
            self.report_at(codes::TOO_MUCH, message, name.at(), "nothing after this was read");
            self.stop();
            return None;
        }
        Some(out)
    }

    /// The expansion of a token in the body of a call: the call, or a macro inside of it.
    fn inside(
        &mut self,
        of: Option<ExpansionId>,
        call: ExpansionId,
        known: &mut BTreeMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let Some(of) = of else { return call };
        if let Some(&id) = known.get(&of) {
            return id;
        }
        let inner = self.expansions.list[of].clone();
        let parent = match inner.parent {
            None => call,
            Some(parent) => self.inside(Some(parent), call, known),
        };
        let id = self.expansions.push(Expansion { parent: Some(parent), ..inner });
        known.insert(of, id);
        id
    }

    /// `return e`: assigns to what the call is assigned to.
    pub(super) fn return_statement(&mut self, start: At) -> Option<StmtKind> {
        self.bump();
        let value = self.expr()?;
        let result = self.calls.last().and_then(|call| call.result.clone());
        let Some(result) = result else {
            let help = "use it in an inline that is called as in `x = f(a)`";
            let at = self.since(start);
            self.report_at(codes::INLINE, "nobody takes what this returns", at, help);
            return None;
        };
        // The place is read once for every `return`, from the tokens before the call's `=`. Where the call
        // stands at the start of a line, that line is not one to end the statement here.
        let after = self.rest.len();
        let (last, behind) = (self.last, self.behind);
        self.rest.extend(result.into_iter().rev().map(|it| Token { new_line: false, ..it }));
        let target = self.reference();
        self.rest.truncate(after);
        (self.last, self.behind) = (last, behind);
        Some(StmtKind::Assign(target?, value))
    }
}
