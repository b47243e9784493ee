//! Where to go on after an error, and what is refused by name.

use crate::codes;
use crate::token::Kind;

use super::Parser;

/// Words with which a declaration of a model begins.
const UNITS: &[&str] =
    &["active", "proctype", "init", "never", "trace", "notrace", "ltl", "inline", "typedef"];

/// Words with which a statement begins that are never part of another one.
const STATEMENTS: &[&str] =
    &["if", "do", "atomic", "d_step", "goto", "break", "assert", "printf", "for", "select"];

impl Parser<'_> {
    /// Whether a declaration of the model begins here, at the beginning of a line.
    pub(super) fn at_unit(&self) -> bool {
        let next = self.peek_at(0);
        next.is_some_and(|token| {
            token.new_line && token.kind == Kind::Name && UNITS.contains(&&*token.text)
        })
    }

    /// Skips the rest of a declaration, with its body.
    pub(super) fn skip_unit(&mut self) {
        self.in_sequence = false;
        self.open = 0;
        while self.peek().is_some() && !self.at_unit() {
            if self.at("{") {
                self.skip_braces();
                return;
            }
            if self.eat(";") {
                return;
            }
            self.bump();
        }
    }

    /// Skips the rest of a statement. What is inside of braces is read as statements.
    pub(super) fn skip_statement(&mut self) {
        self.open = 0;
        while let Some(token) = self.peek() {
            let ends = token.is(";") || token.is("->") || token.is("}") || token.is("{");
            let option = token.is("::") || token.is("fi") || token.is("od");
            let begins = token.new_line && STATEMENTS.contains(&&*token.text);
            if ends || option || begins || self.at_unit() {
                return;
            }
            self.bump();
        }
        self.open = 0;
    }

    /// Skips a part in braces.
    pub(super) fn skip_braces(&mut self) {
        let mut open = 0_usize;
        while let Some(token) = self.bump() {
            open += usize::from(token.is("{"));
            if token.is("}") {
                open = open.saturating_sub(1);
                if open == 0 {
                    return;
                }
            }
        }
    }

    /// Refuses what is not supported, by name, and skips it.
    pub(super) fn refused(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        if token.kind != Kind::Name {
            return false;
        }
        let word = token.text.clone();
        let help = match &*word {
            "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track" => {
                "what C code does cannot be known; express it in Promela"
            }
            "STDIN" => "a model that reads what a user types has no fixed behaviour; use `select`",
            "D_proctype" => "write `proctype` and put its body into `d_step`",
            _ => return false,
        };
        self.report_here(codes::REFUSED, format!("`{word}` is not supported"), "", help);
        self.bump();
        match &*word {
            "c_code" | "c_decl" | "c_expr" => {
                let was = self.in_sequence;
                self.in_sequence = false;
                while self.peek().is_some_and(|t| !t.is("{") && !t.is(";") && !t.is("}")) {
                    self.bump();
                }
                if self.at("{") {
                    self.skip_braces();
                }
                self.in_sequence = was;
            }
            "c_state" | "c_track" => {
                while self.at_kind(Kind::Text) {
                    self.bump();
                }
            }
            _ => {}
        }
        self.reported = Some(self.rest.len());
        true
    }
}
