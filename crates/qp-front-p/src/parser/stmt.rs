//! Bodies and statements.

use qp_base::{Diagnostic, Span};

use crate::ast::{Body, Expr, ExprKind, Stmt, StmtKind, Var};
use crate::codes;
use crate::lexer::Token;
use crate::names::did_you_mean;

use super::Parser;
use super::recovery::ends_body;

const SEMICOLON: &str = "statements end with `;`";

const UNKNOWN_HEAD: &str =
    "before a block stands `if (...)`, `else if (...)`, `while (...)` or `foreach (x in ...)`";

/// The words that statements begin with, for suggestions.
const WORDS: &[&str] = &[
    "announce", "assert", "assume", "break", "continue", "foreach", "goto", "if", "new", "pop",
    "print", "raise", "receive", "return", "send", "var", "while",
];

impl Parser<'_, '_> {
    /// Local variables and statements between braces. `wanted` says what should stand here.
    pub(super) fn body(&mut self, wanted: &str) -> Option<Body> {
        let open = self.open_brace(wanted, "a body is written `{ ... }`", Token::begins_stmt)?;
        let mut vars = Vec::new();
        while self.peek() == Some(Token::Var) {
            self.local(&mut vars);
        }
        let stmts = self.stmts(open, &mut vars);
        Some(Body { vars, stmts, span: self.since(open) })
    }

    /// `var x, y: T;`.
    pub(super) fn vars(&mut self, vars: &mut Vec<Var>) -> Option<()> {
        let help = "write `var x, y: int;`";
        self.bump();
        let names = self.list(|p| p.name("the name of a variable", help))?;
        self.expect(Token::Colon, "`:` and a type", help)?;
        let ty = self.ty()?;
        vars.extend(names.into_iter().map(|name| Var { name, ty: ty.clone() }));
        let help = match self.peek() {
            Some(Token::Assign) => "a declaration has no value: assign it in a statement",
            _ => "declarations of variables end with `;`",
        };
        self.semicolon(help)
    }

    fn local(&mut self, vars: &mut Vec<Var>) {
        if self.vars(vars).is_none() {
            self.skip_stmt();
        }
    }

    /// Statements up to and including the brace that closes what was opened there.
    fn stmts(&mut self, open: Span, vars: &mut Vec<Var>) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while let Some(token) = self.peek() {
            let before = self.next;
            if token == Token::CloseBrace || ends_body(token) {
                break;
            }
            if token == Token::Var {
                let error = Diagnostic::error(
                    codes::UNEXPECTED,
                    "variables are declared before the first statement of a body",
                    self.here(),
                );
                self.report(error.help("move the declaration to the beginning of the body"));
                self.local(vars);
                continue;
            }
            match self.nested(|p| p.stmt(vars)) {
                Some(stmt) => stmts.push(stmt),
                None => self.skip_stmt(),
            }
            if self.next == before {
                self.bump();
            }
        }
        self.close_brace(open, "a statement or `}`");
        stmts
    }

    fn stmt(&mut self, vars: &mut Vec<Var>) -> Option<Stmt> {
        let start = self.here();
        let kind = self.stmt_kind(vars)?;
        Some(Stmt { kind, span: self.since(start) })
    }

    /// A statement in a statement.
    pub(super) fn inner(&mut self, vars: &mut Vec<Var>) -> Option<Box<Stmt>> {
        self.nested(|p| p.stmt(vars)).map(Box::new)
    }

    fn stmt_kind(&mut self, vars: &mut Vec<Var>) -> Option<StmtKind> {
        match self.peek() {
            Some(Token::OpenBrace) => {
                let (_, open) = self.bump()?;
                Some(StmtKind::Block(self.stmts(open, vars)))
            }
            Some(Token::While) => {
                let condition = self.condition("while (condition) { ... }")?;
                Some(StmtKind::While { condition, body: self.inner(vars)? })
            }
            Some(Token::If) => self.branch(vars),
            Some(Token::Foreach) => self.foreach(vars),
            Some(Token::Receive) => self.receive(),
            Some(Token::Semicolon) => {
                self.bump();
                Some(StmtKind::Nothing)
            }
            _ => {
                let kind = self.simple()?;
                let call = matches!(kind, StmtKind::Call { .. });
                let head = call && self.peek() == Some(Token::OpenBrace);
                self.semicolon(if head { UNKNOWN_HEAD } else { SEMICOLON })?;
                Some(kind)
            }
        }
    }

    /// A statement that ends with a semicolon.
    fn simple(&mut self) -> Option<StmtKind> {
        match self.peek() {
            Some(Token::Assert) => {
                let (condition, message) = self.claim()?;
                Some(StmtKind::Assert { condition, message })
            }
            Some(Token::Print) => self.print(),
            Some(Token::Return) => self.returns(),
            Some(Token::Break) => self.bump().map(|_| StmtKind::Break),
            Some(Token::Continue) => self.bump().map(|_| StmtKind::Continue),
            Some(Token::New) => {
                self.bump();
                let (interface, args) = self.creation()?;
                Some(StmtKind::New { interface, args })
            }
            Some(Token::Raise) => {
                self.bump();
                Some(StmtKind::Raise { event: self.expr()?, args: self.more_args()? })
            }
            Some(Token::Send) => self.send(),
            Some(Token::Announce) => {
                self.bump();
                Some(StmtKind::Announce { event: self.expr()?, args: self.more_args()? })
            }
            Some(Token::Goto) => {
                self.bump();
                let state = self.state_name()?;
                Some(StmtKind::Goto { state, args: self.more_args()? })
            }
            Some(Token::Name) => self.begins_with_name(),
            _ => {
                let help = match self.peek() {
                    Some(token) if token.begins_type() => {
                        "variables are declared at the beginning of a body: `var x: int;`"
                    }
                    _ => "statements assign, call, `send`, `raise`, `goto`, `assert`, and so on",
                };
                self.missing("a statement", help)
            }
        }
    }

    fn begins_with_name(&mut self) -> Option<StmtKind> {
        let used_as_name = matches!(
            self.peek_at(1),
            Some(Token::Assign | Token::Insert | Token::Remove | Token::Dot | Token::OpenBracket)
        );
        if self.at_word("pop") && self.peek_at(1) == Some(Token::Semicolon) {
            self.bump();
            return Some(StmtKind::Pop);
        }
        if self.at_word("assume") && !used_as_name {
            let (condition, message) = self.claim()?;
            return Some(StmtKind::Assume { condition, message });
        }
        if !used_as_name {
            self.refuse_statement()?;
            self.check_counting_loop()?;
        }
        if self.peek_at(1) == Some(Token::Open) {
            let function = self.name("the name of a function", "write `f(x)`")?;
            self.bump();
            return Some(StmtKind::Call { function, args: self.args()? });
        }
        self.assignment()
    }

    /// Other languages have `for (i = 0; i < n; i = i + 1)`.
    fn check_counting_loop(&mut self) -> Option<()> {
        let counts = self.peek_at(2) == Some(Token::Var) || self.peek_at(3) == Some(Token::Assign);
        if !self.at_word("for") || self.peek_at(1) != Some(Token::Open) || !counts {
            return Some(());
        }
        let message = "P has no `for` with a counter";
        let error = Diagnostic::error(codes::UNEXPECTED, message, self.here());
        self.report(error.help("write `while (...) { ... }` or `foreach (x in ...) { ... }`"));
        while !matches!(self.peek(), None | Some(Token::OpenBrace | Token::CloseBrace)) {
            self.bump();
        }
        None
    }

    fn assignment(&mut self) -> Option<StmtKind> {
        let word = self.name_at(0);
        let place = self.place()?;
        match self.peek() {
            Some(Token::Assign) => {
                self.bump();
                Some(StmtKind::Assign { place, value: self.argument()? })
            }
            Some(Token::Insert) => self.insertion(place),
            Some(Token::Remove) => {
                self.bump();
                Some(StmtKind::Remove { place, key: self.expr()? })
            }
            _ => {
                let otherwise = "a statement that begins with a name assigns to it or calls it";
                let word = if matches!(place.kind, ExprKind::Name(_)) { word } else { "" };
                let counts = matches!(self.peek(), Some(Token::Plus | Token::Minus));
                let help = if counts && self.peek() == self.peek_at(1) {
                    "write `x = x + 1;` or `x = x - 1;`".to_owned()
                } else {
                    did_you_mean(word, WORDS.iter().copied(), otherwise)
                };
                self.missing("`=`, `+=`, `-=` or `(`", &help)
            }
        }
    }

    /// `+= (k, e)` or `+= (e)`.
    fn insertion(&mut self, place: Expr) -> Option<StmtKind> {
        let help = "`+=` puts something into a collection: `s += (x);` or `m += (key, x);`; for numbers write `x = x + 1;`";
        self.bump();
        self.expect(Token::Open, "`(`", help)?;
        let first = self.argument()?;
        if self.eat(Token::Close).is_some() {
            return Some(StmtKind::Add { place, value: first });
        }
        let help = match self.peek() {
            Some(Token::Assign) => {
                "a tuple needs its own parentheses here: `s += ((x = 1, y = 2));`"
            }
            _ => help,
        };
        self.expect(Token::Comma, "`,` or `)`", help)?;
        let value = self.argument()?;
        self.expect(Token::Close, "`)`", help)?;
        Some(StmtKind::Insert { place, key: first, value })
    }

    /// The condition and the message of `assert` and `assume`.
    fn claim(&mut self) -> Option<(Expr, Option<Expr>)> {
        self.bump();
        let condition = self.expr()?;
        let message = self.after(Token::Comma, Self::expr).ok()?;
        Some((condition, message))
    }

    /// `print e`, in 2018 also `print "{0}", e`.
    fn print(&mut self) -> Option<StmtKind> {
        self.bump();
        let start = self.here();
        let shown = self.expr()?;
        if self.peek() != Some(Token::Comma) {
            return Some(StmtKind::Print(shown));
        }
        let ExprKind::Text(text) = shown.kind else {
            let help = "write `print format(\"{0} {1}\", a, b);`";
            return self.missing("`;`", help);
        };
        let args = self.more_args()?;
        let kind = ExprKind::Format { text, args };
        Some(StmtKind::Print(Expr { kind, span: self.since(start) }))
    }

    fn returns(&mut self) -> Option<StmtKind> {
        self.bump();
        // A missing semicolon must not swallow the next line.
        let nothing = match self.peek() {
            None | Some(Token::Semicolon | Token::CloseBrace) => true,
            Some(token) => token.begins_stmt() && token != Token::New,
        };
        let value = if nothing { None } else { Some(self.argument()?) };
        Some(StmtKind::Return(value))
    }

    fn send(&mut self) -> Option<StmtKind> {
        let help = "write `send machine, event;` or `send machine, event, payload;`";
        self.bump();
        let target = self.expr()?;
        self.expect(Token::Comma, "`,` and an event", help)?;
        Some(StmtKind::Send { target, event: self.expr()?, args: self.more_args()? })
    }
}
