//! Expressions: operators with their strength, and operands.

use crate::ast::{Binary, Expr, ExprKind, Ref, Unary};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{BinaryOp, Probe, UnaryOp};
use crate::token::{Kind, Token};

use super::Parser;
use super::formula::temporal_operator;

/// How tightly operators bind: from `->` of formulas to the signs. All of them group to the left.
pub(super) type Strength = u8;

const LOOSEST: Strength = 0;
const SIGN: Strength = 20;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Option<Expr> {
        self.operation(None, LOOSEST)
    }

    /// The expression that begins with a variable that was read already.
    pub(super) fn expr_from(&mut self, first: Ref) -> Option<Expr> {
        let first = self.behind_reference(first)?;
        self.operation(Some(first), LOOSEST)
    }

    fn operation(&mut self, first: Option<Expr>, least: Strength) -> Option<Expr> {
        let outside = std::mem::take(&mut self.height);
        let expr = self.nested(|p| p.operators(first, least));
        self.height = outside.max(self.height + 1);
        expr
    }

    /// An operand with every operator that binds at least this tightly.
    fn operators(&mut self, first: Option<Expr>, least: Strength) -> Option<Expr> {
        let mut left = match first {
            Some(first) => first,
            None => self.prefix()?,
        };
        while let Some((op, strength, tokens)) = self.operator() {
            if strength < least {
                break;
            }
            for _ in 0..tokens {
                self.bump();
            }
            let start = left.at;
            let right = self.operation(None, strength + 1)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = Expr { kind, at: self.since(start) };
            self.grow()?;
        }
        Some(left)
    }

    /// Counts a node that was put on top of what was read at this depth: a long chain of operators is
    /// a deep tree although nothing is nested.
    fn grow(&mut self) -> Option<()> {
        self.height += 1;
        self.check_depth(self.height)
    }

    /// The operator that stands here, with the number of its tokens.
    fn operator(&self) -> Option<(Binary, Strength, usize)> {
        let token = self.peek()?;
        if self.in_formula
            && let Some(found) = temporal_operator(token, self.peek_at(1))
        {
            return Some(found);
        }
        let mark = Some(token).filter(|token| token.kind == Kind::Mark)?;
        let (op, strength) = BinaryOp::with_sign(&mark.text)?;
        Some((Binary::Value(op), strength, 1))
    }

    fn prefix(&mut self) -> Option<Expr> {
        let start = self.here();
        let op = if self.in_formula { self.temporal_prefix() } else { None };
        let op = match op {
            Some(op) => op,
            None if self.eat("!") => Unary::Value(UnaryOp::Not),
            None if self.eat("~") => Unary::Value(UnaryOp::Complement),
            None if self.eat("-") => Unary::Value(UnaryOp::Negate),
            None => return self.operand(),
        };
        let operand = self.operation(None, SIGN)?;
        let kind = ExprKind::Unary(op, Box::new(operand));
        Some(Expr { kind, at: self.since(start) })
    }

    fn operand(&mut self) -> Option<Expr> {
        let start = self.here();
        if self.at("(") {
            return self.parenthesised();
        }
        if self.at_number() {
            return self.number();
        }
        if self.refused() {
            return None;
        }
        if self.at_name() {
            let is_proc = self.peek().is_some_and(|token| self.procs.contains(&token.text));
            if is_proc {
                return self.remote(start);
            }
            let reference = self.reference()?;
            return self.behind_reference(reference);
        }
        let word = self.peek().map(|token| token.text.clone());
        let kind = match word.as_deref() {
            Some("run") => return self.run(start),
            Some("timeout") => {
                self.bump();
                ExprKind::Timeout
            }
            Some("np_") => {
                self.bump();
                ExprKind::NonProgress
            }
            Some("len") => {
                self.bump();
                self.in_parentheses(Self::reference).map(ExprKind::Len)?
            }
            Some(word) => match (Probe::named(word), function(word)) {
                (Some(probe), _) => {
                    self.bump();
                    let channel = self.in_parentheses(Self::reference)?;
                    ExprKind::Probe(probe, channel)
                }
                (_, Some(wrap)) => {
                    self.bump();
                    wrap(Box::new(self.in_parentheses(Self::expr)?))
                }
                (None, None) => return self.no_value(),
            },
            None => return self.no_value(),
        };
        Some(Expr { kind, at: self.since(start) })
    }

    fn no_value(&mut self) -> Option<Expr> {
        self.missing("a value", "")
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesised(&mut self) -> Option<Expr> {
        let start = self.here();
        self.bump();
        let inside = self.expr()?;
        if self.eat("->") {
            let yes = self.expr()?;
            self.expect(":", "write `(condition -> value : other value)`")?;
            let no = self.expr()?;
            self.expect(")", "every `(` needs a `)`")?;
            let kind = ExprKind::Conditional(Box::new(inside), Box::new(yes), Box::new(no));
            return Some(Expr { kind, at: self.since(start) });
        }
        self.expect(")", "every `(` needs a `)`")?;
        Some(Expr { at: self.since(start), ..inside })
    }

    /// A variable, or a poll of the channel that it is.
    fn behind_reference(&mut self, reference: Ref) -> Option<Expr> {
        let at = reference.at;
        let polls = (self.at("?") || self.at("??")) && self.peek_at(1).is_some_and(|t| t.is("["));
        if polls {
            return self.poll(reference, at);
        }
        Some(Expr { kind: ExprKind::Ref(reference), at })
    }

    /// `p@label`, `p[pid]@label`, `p:x` and `p[pid]:x`.
    fn remote(&mut self, start: At) -> Option<Expr> {
        let proc = self.name("a process", "")?;
        let mut pid = None;
        if self.eat("[") {
            pid = Some(Box::new(self.expr()?));
            self.expect("]", "every `[` needs a `]`")?;
        }
        let kind = if self.eat("@") {
            let label = self.name("a label", "write `process[pid]@label`")?;
            ExprKind::RemoteLabel { proc, pid, label }
        } else if self.eat(":") {
            ExprKind::RemoteVar { proc, pid, var: self.part()? }
        } else {
            let message = format!("the process {} is not a value", quoted(&proc.text));
            let help = "write `p[pid]@label` or `p[pid]:variable`, or `run p()` to start one";
            self.report_at(codes::WRONG_KIND, message, proc.at, help);
            return None;
        };
        Some(Expr { kind, at: self.since(start) })
    }

    fn run(&mut self, start: At) -> Option<Expr> {
        self.bump();
        let help = "write `run process(arguments)`";
        let name = self.name("the name of a process", help)?;
        self.expect("(", help)?;
        let args = if self.at(")") { Vec::new() } else { self.list(Self::expr)? };
        self.expect(")", help)?;
        let priority = self.priority().ok()?.map(Box::new);
        Some(Expr { kind: ExprKind::Run { name, args, priority }, at: self.since(start) })
    }

    pub(super) fn at_number(&self) -> bool {
        let word = self.at("true") || self.at("false") || self.at("skip");
        word || self.at_kind(Kind::Number) || self.at_kind(Kind::Char)
    }

    /// A number, a character, `true`, `false` or `skip`.
    pub(super) fn number(&mut self) -> Option<Expr> {
        if !self.at_number() {
            return self.missing("a number", "");
        }
        let token = self.bump()?;
        let value = match token.kind {
            Kind::Number => self.digits(&token),
            Kind::Char => character(&token.text),
            _ => i32::from(!token.is("false")),
        };
        Some(Expr { kind: ExprKind::Number(value), at: token.at() })
    }

    fn digits(&mut self, token: &Token) -> i32 {
        // Numbers are machine words in SPIN, and what is cut off is cut off here too.
        if let Ok(value) = token.text.parse::<i64>() {
            return value as i32;
        }
        let message = format!("the number {} is too large", quoted(&token.text));
        let help = format!("the largest number is {}", i32::MAX);
        self.report_at(codes::NUMBER, message, token.at(), &help);
        0
    }
}

/// What a function of a process makes of its argument.
fn function(word: &str) -> Option<fn(Box<Expr>) -> ExprKind> {
    Some(match word {
        "enabled" => ExprKind::Enabled,
        "pc_value" => ExprKind::PcValue,
        "get_priority" => ExprKind::GetPriority,
        _ => return None,
    })
}

/// The value of a character in quotes.
pub(crate) fn character(text: &str) -> i32 {
    let inside = text.trim_start_matches('\'');
    let mut chars = inside.chars();
    let value = match (chars.next(), chars.next()) {
        (Some('\\'), Some('n')) => '\n',
        (Some('\\'), Some('r')) => '\r',
        (Some('\\'), Some('t')) => '\t',
        (Some('\\'), Some('f')) => '\x0c',
        (Some('\\'), Some(other)) | (Some(other), _) => other,
        (None, _) => '\'',
    };
    i32::try_from(u32::from(value)).unwrap_or(0)
}
