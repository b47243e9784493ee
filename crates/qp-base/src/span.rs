//! Places in a source text.

use std::ops::Range;

/// A range of bytes in one source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of these bytes.
    pub fn new(range: Range<usize>) -> Self {
        debug_assert!(range.start <= range.end);
        Self { start: range.start as u32, end: range.end as u32 }
    }
    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
    /// As a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text with the name under which the user knows it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the user typed: usually a path.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A line and column, both counted from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
}

impl Source {
    /// The line and column of a byte offset. Offsets past the end give the end.
    pub fn place(&self, offset: u32) -> Place {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place {
            line: before.bytes().filter(|&b| b == b'\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }
}
