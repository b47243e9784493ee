//! `##` makes one word of two.

use crate::codes;
use crate::lexer::lex;
use crate::names::quoted;
use crate::token::{Kind, Token};

use super::Pre;

impl Pre<'_, '_> {
    /// Joins the last token of `out` with the first one of `right`.
    pub(super) fn paste(&mut self, out: &mut Vec<Token>, right: Vec<Token>, name: &Token) {
        let mut right = right.into_iter();
        let Some(second) = right.next() else { return };
        let Some(first) = out.pop() else {
            out.push(second);
            out.extend(right);
            return;
        };
        let text = format!("{}{}", first.text, second.text);
        match lex(&text, 0).as_slice() {
            [one] if matches!(one.kind, Kind::Name | Kind::Number) => {
                out.push(Token { kind: one.kind, text: one.text.clone(), ..first });
            }
            _ => {
                let message = format!("`##` cannot make one word of {}", quoted(&text));
                self.error(codes::MACRO, message, name.at())
                    .help("the two sides must give a name or a number together")
                    .push(self);
            }
        }
        out.extend(right);
    }
}
