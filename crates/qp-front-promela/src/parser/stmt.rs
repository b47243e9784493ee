//! Statements and sequences of them.

use crate::ast::{Expr, ExprKind, Ident, Ref, Stmt, StmtKind};
use crate::at::At;
use crate::codes;
use crate::token::{Kind, Token};

use super::{Behind, Parser};

/// How far the `=` of a call may be from the beginning of its statement.
const TARGET_TOKENS_MAX: usize = 64;

impl Parser<'_> {
    /// Statements in braces.
    pub(super) fn block(&mut self) -> Option<Vec<Stmt>> {
        self.expect("{", "statements stand in braces")?;
        let open = std::mem::take(&mut self.open);
        let statements = self.sequence();
        self.open = open;
        self.expect("}", "every `{` needs a `}`")?;
        Some(statements)
    }

    /// Statements up to what ends a sequence. `skip` stands for those that cannot be read.
    fn sequence(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        if self.at_separator() {
            self.unexpected("a statement", "a separator stands between two statements");
        }
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.at_end() || self.at_unit() {
                return statements;
            }
            let before = self.rest.len();
            let start = self.here();
            let step = self.nested(Self::step);
            if step.is_none() {
                self.skip_statement();
            }
            statements.push(step.unwrap_or_else(|| skip(start)));
            if self.rest.len() == before {
                if self.at_end() {
                    return statements;
                }
                if self.at("{") {
                    self.skip_braces();
                } else {
                    self.bump();
                }
            }
            self.separated();
        }
    }

    /// Checks that what was read is apart from what follows.
    fn separated(&mut self) {
        let behind = self.behind == Behind::Closed;
        if self.at_separator() || self.at_end() || behind || self.at_unit() {
            return;
        }
        self.unexpected("`;` or `->`", "statements are separated by `;` or `->`");
        self.skip_statement();
    }

    fn at_separator(&self) -> bool {
        self.at(";") || self.at("->")
    }

    /// Whether a sequence ends here.
    fn at_end(&self) -> bool {
        self.peek().is_none() || ["}", "::", "fi", "od"].iter().any(|end| self.at(end))
    }

    /// A statement, a declaration, or a statement with its escape.
    fn step(&mut self) -> Option<Stmt> {
        let start = self.here();
        if self.at_type() {
            let vars = self.vars()?;
            let at = vars.at;
            return Some(Stmt { labels: Vec::new(), kind: StmtKind::Vars(vars), at });
        }
        if self.at("xr") || self.at("xs") {
            let sends = self.at("xs");
            self.bump();
            let channels = self.list(Self::reference)?;
            let kind = StmtKind::Exclusive { sends, channels };
            return Some(Stmt { labels: Vec::new(), kind, at: self.since(start) });
        }
        let statement = self.statement()?;
        if !self.eat("unless") {
            return Some(statement);
        }
        let escape = self.statement()?;
        let kind = StmtKind::Unless(Box::new(statement), Box::new(escape));
        Some(Stmt { labels: Vec::new(), kind, at: self.since(start) })
    }

    fn statement(&mut self) -> Option<Stmt> {
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(self.name("a label", "")?);
            self.bump();
        }
        let start = self.here();
        if !labels.is_empty() && (self.at_separator() || self.at_end()) {
            let at = labels.last().map_or(start, |label: &Ident| label.at);
            return Some(Stmt { labels, ..skip(at) });
        }
        if !labels.is_empty() && self.at_type() {
            let help = "put the label behind the declaration, or `skip` between them";
            self.report_here(codes::LABEL, "a declaration has no label".to_owned(), "", help);
            return None;
        }
        if self.at_call(0) {
            let call = self.call(None)?;
            return Some(Stmt { labels, ..call });
        }
        if let Some(target) = self.call_target() {
            while !self.eat("=") {
                self.bump();
            }
            let call = self.call(Some(target))?;
            return Some(Stmt { labels, ..call });
        }
        let kind = self.statement_kind(start)?;
        Some(Stmt { labels, kind, at: self.since(start) })
    }

    /// Whether a label stands here. The name of a process cannot be one: `p:x` is a variable of it.
    fn at_label(&self) -> bool {
        let colon = self.peek_at(1).is_some_and(|next| next.is(":"));
        let name = self.peek().filter(|token| token.is_name());
        colon && name.is_some_and(|name| !self.procs.contains(&name.text))
    }

    /// The tokens before `=` in `x = f(a)`, if `f` is an inline.
    fn call_target(&self) -> Option<Vec<Token>> {
        if self.inlines.is_empty() || !self.at_name() {
            return None;
        }
        let mut target = Vec::new();
        for n in 0..TARGET_TOKENS_MAX {
            let token = self.peek_at(n)?;
            if token.is("=") {
                return self.at_call(n + 1).then_some(target);
            }
            if token.is(";") || token.is("->") || token.is("::") || token.is("}") {
                return None;
            }
            target.push(token.clone());
        }
        None
    }

    fn statement_kind(&mut self, start: At) -> Option<StmtKind> {
        let Some(token) = self.peek() else {
            return self.missing("a statement", "");
        };
        if token.kind != Kind::Name && !token.is("{") {
            return self.condition();
        }
        let word = token.text.clone();
        match &*word {
            "if" => self.options("fi").map(StmtKind::If),
            "do" => self.options("od").map(StmtKind::Do),
            "atomic" | "d_step" => {
                self.bump();
                let body = self.filled_block()?;
                let atomic = &*word == "atomic";
                Some(if atomic { StmtKind::Atomic(body) } else { StmtKind::DStep(body) })
            }
            "{" => self.filled_block().map(StmtKind::Block),
            "goto" => {
                self.bump();
                self.name("a label", "write `goto label`").map(StmtKind::Goto)
            }
            "break" | "else" => {
                self.bump();
                Some(if &*word == "break" { StmtKind::Break } else { StmtKind::Else })
            }
            "assert" => {
                self.bump();
                self.expr().map(StmtKind::Assert)
            }
            "printf" => self.printf(),
            "printm" => {
                self.bump();
                self.in_parentheses(Self::expr).map(StmtKind::Printm)
            }
            "for" => self.for_loop(),
            "select" => self.select(),
            "set_priority" => self.set_priority(),
            "return" => self.return_statement(start),
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                self.refused();
                None
            }
            _ if token.is_name() && !self.procs.contains(&word) => self.simple(),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> Option<StmtKind> {
        self.expr().map(StmtKind::Condition)
    }

    /// What begins with a variable: assignment, send, receive, or a condition.
    fn simple(&mut self) -> Option<StmtKind> {
        if self.at("STDIN") {
            self.refused();
            return None;
        }
        let target = self.reference()?;
        match self.peek().map(|token| token.text.clone()).as_deref() {
            Some("=") => {
                self.bump();
                Some(StmtKind::Assign(target, self.expr()?))
            }
            Some("++") => {
                self.bump();
                Some(StmtKind::Increment(target))
            }
            Some("--") => {
                self.bump();
                Some(StmtKind::Decrement(target))
            }
            Some("!" | "!!") => self.send(target),
            Some("?" | "??") if !self.peek_at(1).is_some_and(|next| next.is("[")) => {
                self.receive(target)
            }
            _ => self.expr_from(target).map(StmtKind::Condition),
        }
    }

    /// A block that has something in it.
    fn filled_block(&mut self) -> Option<Vec<Stmt>> {
        let start = self.here();
        let body = self.block()?;
        if body.is_empty() && self.reported != Some(self.rest.len()) {
            let at = self.since(start);
            self.report_at(codes::EMPTY, "there is no statement in this block", at, "write `skip`");
        }
        Some(body)
    }

    /// `if :: … fi` and `do :: … od`.
    fn options(&mut self, end: &str) -> Option<Vec<Vec<Stmt>>> {
        self.bump();
        let open = std::mem::take(&mut self.open);
        let mut options = Vec::new();
        while self.at("::") || options.is_empty() {
            let start = self.here();
            if !self.eat("::") {
                self.unexpected("`::`", "every option begins with `::`");
            }
            let option = self.sequence();
            if option.is_empty() && self.reported != Some(self.rest.len()) {
                self.report_at(
                    codes::EMPTY,
                    "there is no statement in this option",
                    start,
                    "write `skip`",
                );
            }
            options.push(option);
        }
        self.open = open;
        let begins = if end == "fi" { "if" } else { "do" };
        self.expect(end, &format!("every `{begins}` needs `{end}`"))?;
        Some(options)
    }

    fn printf(&mut self) -> Option<StmtKind> {
        self.bump();
        let help = "write `printf(\"text\\n\", values)`";
        self.expect("(", help)?;
        if !self.at_kind(Kind::Text) {
            return self.missing("a string", help);
        }
        let text = self.bump()?.text;
        let mut args = Vec::new();
        while self.eat(",") {
            args.push(self.expr()?);
        }
        self.expect(")", help)?;
        Some(StmtKind::Printf(text, args))
    }

    pub(super) fn in_parentheses<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.expect("(", "the argument stands in parentheses")?;
        let value = inside(self)?;
        self.expect(")", "every `(` needs a `)`")?;
        Some(value)
    }

    fn for_loop(&mut self) -> Option<StmtKind> {
        self.bump();
        let help = "write `for (i : 1 .. 9) { … }` or `for (i in array) { … }`";
        self.expect("(", help)?;
        let index = self.reference()?;
        if self.eat("in") {
            let of = self.reference()?;
            self.expect(")", help)?;
            let body = self.loop_body()?;
            return Some(StmtKind::ForIn { index, of, body });
        }
        let (from, to) = self.range(help)?;
        let body = self.loop_body()?;
        Some(StmtKind::For { index, from, to, body })
    }

    fn loop_body(&mut self) -> Option<Vec<Stmt>> {
        // The end of the line behind the parenthesis may have become one.
        self.eat(";");
        self.filled_block()
    }

    fn select(&mut self) -> Option<StmtKind> {
        self.bump();
        let help = "write `select (i : 1 .. 9)`";
        self.expect("(", help)?;
        let index = self.reference()?;
        let (from, to) = self.range(help)?;
        Some(StmtKind::Select { index, from, to })
    }

    /// `: from .. to)`.
    fn range(&mut self, help: &str) -> Option<(Expr, Expr)> {
        self.expect(":", help)?;
        let from = self.expr()?;
        self.expect("..", help)?;
        let to = self.expr()?;
        self.expect(")", help)?;
        Some((from, to))
    }

    fn set_priority(&mut self) -> Option<StmtKind> {
        self.bump();
        let (pid, value) = self.in_parentheses(|p| {
            let pid = p.expr()?;
            p.expect(",", "write `set_priority(process, priority)`")?;
            Some((pid, p.expr()?))
        })?;
        Some(StmtKind::SetPriority(pid, value))
    }

    /// `x`, `x[i]`, `x.y[i].z`.
    pub(super) fn reference(&mut self) -> Option<Ref> {
        let start = self.here();
        let mut parts = Vec::new();
        loop {
            parts.push(self.part()?);
            self.check_depth(parts.len())?;
            if !self.eat(".") {
                return Some(Ref { parts, at: self.since(start) });
            }
        }
    }

    /// `x` or `x[i]`.
    pub(super) fn part(&mut self) -> Option<crate::ast::Part> {
        let name = self.name("the name of a variable", "")?;
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.expr()?));
            self.expect("]", "every `[` needs a `]`")?;
        }
        Some(crate::ast::Part { name, index })
    }
}

fn skip(at: At) -> Stmt {
    let kind = StmtKind::Condition(Expr { kind: ExprKind::Number(1), at });
    Stmt { labels: Vec::new(), kind, at }
}
