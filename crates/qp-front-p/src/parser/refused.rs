//! What old versions of P had and this reader refuses by name. Reading goes on as if it were not there.

use qp_base::{Diagnostic, Span};

use crate::codes;
use crate::lexer::Token;

use super::Parser;

impl Parser<'_, '_> {
    /// A declaration of before 2018, if one is here: whether it was one.
    pub(super) fn refuse_decl(&mut self) -> bool {
        let before_decl = self.peek_at(1).is_some_and(Token::begins_decl);
        match (self.name_at(0), self.peek_at(1)) {
            ("main", _) if before_decl => self.refuse_word(
                "`main machine` is no longer P",
                "name the machine `Main`, or write `test Name [main = Machine]: { Machine };`",
            ),
            ("model" | "ghost" | "static", _) if before_decl => {
                self.refuse_word("this word is no longer P", "remove it");
            }
            ("include", Some(Token::Text)) => {
                self.refuse_word(
                    "`include` is no longer P",
                    "name all files on the command line or in a project file",
                );
                self.bump();
                self.eat(Token::Semicolon);
            }
            ("monitor", Some(Token::Name)) => {
                let help = "write `spec Name observes E, F { ... }`";
                self.refuse("`monitor` is no longer P", self.here(), help);
                self.skip_decl();
            }
            _ => return self.refuse_annotation("a file"),
        }
        true
    }

    /// A member of a machine of before 2022, if one is here: whether it was one.
    pub(super) fn refuse_member(&mut self) -> bool {
        match (self.name_at(0), self.peek_at(1)) {
            ("group", Some(Token::Name)) => {
                let help = "take the states out of the group and give them names of their own";
                self.refuse("groups of states are not supported", self.here(), help);
                self.skip_item();
            }
            ("model" | "ghost" | "static", Some(Token::Fun)) => {
                self.refuse_word("this word is no longer P", "remove it");
            }
            _ => return self.refuse_annotation("a machine"),
        }
        true
    }

    /// `monitor e, v;`, a statement of before 2018.
    pub(super) fn refuse_statement(&mut self) -> Option<()> {
        if self.at_word("monitor") && self.peek_at(1) == Some(Token::Name) {
            self.refuse("`monitor` is no longer P", self.here(), "write `announce e, v;`");
            return None;
        }
        Some(())
    }

    /// `[key = value]`, if it is here: whether it was. `of` says what it is about.
    pub(super) fn refuse_annotation(&mut self, of: &str) -> bool {
        if self.peek() != Some(Token::OpenBracket) {
            return false;
        }
        let what = format!("annotations of {of} are no longer P");
        self.refuse_word(&what, "remove the brackets and what is between them");
        while let Some(token) = self.peek() {
            match token {
                Token::CloseBracket => {
                    self.bump();
                    break;
                }
                Token::Semicolon | Token::OpenBrace | Token::CloseBrace => break,
                _ => {
                    self.bump();
                }
            }
        }
        true
    }

    /// `x swap` and `x move`.
    pub(super) fn refuse_linear(&mut self) {
        let what = match self.name_at(0) {
            "swap" => "`swap` is not supported",
            "move" => "`move` is not supported",
            _ => return,
        };
        self.refuse_word(what, "remove the word: values are copied when they are handed over");
    }

    /// `Group.State`, of which the group was read.
    pub(super) fn refuse_group(&mut self, group: Span) {
        let help = "take the states out of the group and write the name of the state alone";
        self.refuse("groups of states are not supported", group, help);
    }

    /// `machine M : I, J`.
    pub(super) fn refuse_interfaces(&mut self) -> Option<()> {
        if self.peek() != Some(Token::Colon) {
            return Some(());
        }
        let help = "bind the machine to its interface in a module: `{ Machine -> Interface }`";
        self.refuse_word("interfaces after the name of a machine are no longer P", help);
        self.list(|p| p.name("the name of an interface", help)).map(|_| ())
    }

    /// Refuses the next token and takes it.
    fn refuse_word(&mut self, what: &str, help: &str) {
        self.refuse(what, self.here(), help);
        self.bump();
    }

    fn refuse(&mut self, what: &str, span: Span, help: &str) {
        let error = Diagnostic::error(codes::UNSUPPORTED, what, span);
        self.report(error.help(help));
    }
}
