//! Where to go on after an error.

use qp_base::{Diagnostic, Span};

use crate::codes;
use crate::lexer::Token;

use super::Parser;

impl Parser<'_, '_> {
    /// Skips the rest of a statement. A block is read as the next statement, so that what is wrong in
    /// it is found too.
    pub(super) fn skip_stmt(&mut self) {
        while let Some(token) = self.peek() {
            let next_one = token.begins_stmt() || ends_body(token);
            match token {
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::OpenBrace | Token::CloseBrace => return,
                _ if next_one && self.on_new_line() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips the rest of a line of a state or of a member of a machine, with its body, and all that
    /// cannot be the next one: after a brace too many there are statements here.
    pub(super) fn skip_item(&mut self) {
        while let Some(token) = self.peek() {
            match token {
                Token::CloseBrace => return,
                _ if (ends_body(token) || token == Token::Var) && self.on_new_line() => return,
                _ => self.skip_one(),
            }
            if matches!(token, Token::Semicolon | Token::OpenBrace) && self.at_item() {
                return;
            }
        }
    }

    /// Skips the rest of a declaration, with its body, and all that cannot be the next one.
    pub(super) fn skip_decl(&mut self) {
        while let Some(token) = self.peek() {
            if token.begins_decl() && self.on_new_line() {
                return;
            }
            self.skip_one();
            let over = matches!(token, Token::Semicolon | Token::OpenBrace);
            if over && (self.at_two_names() || self.peek().is_some_and(Token::begins_decl)) {
                return;
            }
        }
    }

    /// Whether the next token may begin a line of a state or a member of a machine.
    fn at_item(&self) -> bool {
        let follows = matches!(self.peek_at(1), Some(Token::OpenBrace | Token::Fun));
        let misspelt = self.peek() == Some(Token::Name) && follows;
        let begins = |token: Token| ends_body(token) || token == Token::Var;
        misspelt || self.at_two_names() || self.peek().is_some_and(begins)
    }

    /// No statement begins with two names: the first of them is a misspelt keyword, or one that is no
    /// keyword elsewhere.
    fn at_two_names(&self) -> bool {
        self.peek() == Some(Token::Name) && self.peek_at(1) == Some(Token::Name)
    }

    /// Skips a token or a block.
    fn skip_one(&mut self) {
        if self.peek() == Some(Token::OpenBrace) {
            self.skip_block();
        } else {
            self.bump();
        }
    }

    /// Skips from a brace to the one that closes it; whether there is one.
    pub(super) fn skip_block(&mut self) -> bool {
        let mut open = 0_usize;
        while let Some((token, _)) = self.bump() {
            match token {
                Token::OpenBrace => open += 1,
                Token::CloseBrace => open -= 1,
                _ => {}
            }
            if open == 0 {
                return true;
            }
        }
        false
    }

    /// Skips to the end of a parenthesis whose beginning was read; whether there is one before the
    /// statement ends.
    pub(super) fn skip_parenthesis(&mut self) -> bool {
        let mut open = 1_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                Token::Semicolon | Token::OpenBrace | Token::CloseBrace => return false,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return true;
            }
        }
        false
    }

    /// The brace before something that begins like this. If it is missing and that follows, reading goes
    /// on as if it were there.
    pub(super) fn open_brace(
        &mut self,
        wanted: &str,
        help: &str,
        inside: impl Fn(Token) -> bool,
    ) -> Option<Span> {
        let open = self.expect(Token::OpenBrace, wanted, help);
        open.or_else(|| self.peek().is_some_and(inside).then(|| self.last()))
    }

    /// The brace at the end of what was opened there. If it is missing, reading goes on as if it were
    /// there.
    pub(super) fn close_brace(&mut self, open: Span, wanted: &str) {
        if self.eat(Token::CloseBrace).is_some() {
            return;
        }
        let message = format!("expected {wanted}, found {}", self.found());
        let error = Diagnostic::error(codes::UNEXPECTED, message, self.here())
            .label(format!("expected {wanted}"))
            .also(open, "opened here")
            .help("every `{` needs a `}`");
        self.report(error);
    }
}

/// Whether a body of statements must be over where this stands.
pub(super) fn ends_body(token: Token) -> bool {
    let member = token.begins_member() && token != Token::Var;
    member || token.begins_item() || token.begins_decl()
}
