//! As much of XML as project files need: elements, texts, comments. Attributes are skipped.

use qp_base::{Diagnostic, Span};

use super::wrong;
use crate::names::quoted;

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece<'t> {
    /// `<name>`. An element without content is opened and closed.
    Open(&'t str),
    /// `</name>`.
    Close(&'t str),
    /// What stands between, with entities resolved. Never only blank.
    Text(String),
}

/// Pieces one after the other.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The end of an element without content.
    pending: Option<(Piece<'t>, Span)>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, pending: None }
    }

    /// The next piece, none at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Piece<'t>, Span)>, Diagnostic> {
        if let Some(pending) = self.pending.take() {
            return Ok(Some(pending));
        }
        loop {
            let rest = &self.text[self.at..];
            let start = self.at;
            if rest.is_empty() {
                return Ok(None);
            }
            if rest.starts_with("<!--") {
                self.skip_past("-->", 4, "this comment does not end")?;
            } else if let Some(data) = rest.strip_prefix("<![CDATA[") {
                let len = data.find("]]>");
                self.skip_past("]]>", 9, "this text does not end")?;
                let data = &data[..len.unwrap_or_default()];
                if !data.trim().is_empty() {
                    return Ok(Some((Piece::Text(data.to_owned()), self.since(start))));
                }
            } else if rest.starts_with("<?") {
                self.skip_past("?>", 2, "this instruction does not end")?;
            } else if rest.starts_with("<!") {
                self.skip_past(">", 2, "this declaration does not end")?;
            } else if rest.starts_with('<') {
                return self.tag().map(Some);
            } else {
                self.at += rest.find('<').unwrap_or(rest.len());
                let raw = &self.text[start..self.at];
                if !raw.trim().is_empty() {
                    let text = unescaped(raw, start)?;
                    return Ok(Some((Piece::Text(text), self.since(start))));
                }
            }
        }
    }

    fn since(&self, start: usize) -> Span {
        Span::new(start..self.at)
    }

    /// Skips the opening of this length and all up to and including `end`.
    fn skip_past(&mut self, end: &str, opening: usize, message: &str) -> Result<(), Diagnostic> {
        let inside = self.at + opening;
        let Some(len) = self.text[inside..].find(end) else {
            let span = Span::new(self.at..inside);
            return Err(wrong(message.to_owned(), span, &format!("end it with `{end}`")));
        };
        self.at = inside + len + end.len();
        Ok(())
    }

    /// `<name …>`, `<name …/>` or `</name>`.
    fn tag(&mut self) -> Result<(Piece<'t>, Span), Diagnostic> {
        let start = self.at;
        let closing = self.text[start..].starts_with("</");
        let name_at = start + if closing { 2 } else { 1 };
        let rest = &self.text[name_at..];
        let ends_name = |c: char| c.is_whitespace() || "/><=\"'&".contains(c);
        let name = &rest[..rest.find(ends_name).unwrap_or(rest.len())];
        if name.is_empty() {
            let span = Span::new(start..name_at);
            let help = "write `&lt;` for the sign itself";
            return Err(wrong("`<` begins no element".to_owned(), span, help));
        }
        let Some(len) = tag_end(&rest[name.len()..]) else {
            let span = Span::new(start..name_at + name.len());
            return Err(wrong(
                format!("{} does not end", quoted(self.text(span))),
                span,
                "end it with `>`",
            ));
        };
        let end = name_at + name.len() + len;
        self.at = end + 1;
        let span = self.since(start);
        if closing {
            return Ok((Piece::Close(name), span));
        }
        if self.text[..end].ends_with('/') {
            self.pending = Some((Piece::Close(name), span));
        }
        Ok((Piece::Open(name), span))
    }

    fn text(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }
}

/// Where a tag ends. The values of attributes may have the sign in them.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '<') => return None,
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The text with its entities resolved. It begins at that place.
fn unescaped(raw: &str, start: usize) -> Result<String, Diagnostic> {
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(found) = raw[at..].find('&') {
        text.push_str(&raw[at..at + found]);
        at += found;
        let end = raw[at..].find(';');
        let letter = end.and_then(|end| entity(&raw[at + 1..at + end]));
        let (Some(end), Some(letter)) = (end, letter) else {
            let span = Span::new(start + at..start + at + 1);
            let help = "write `&amp;` for the sign itself";
            return Err(wrong("`&` begins no entity that is known".to_owned(), span, help));
        };
        text.push(letter);
        at += end + 1;
    }
    text.push_str(&raw[at..]);
    Ok(text)
}

/// The letter that an entity stands for.
fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}
