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

/// What the user wrote: one file, or several files of one project, as one text.
///
/// A [`Span`] is a place in the whole text; [`Source::file`] says which file that is.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the user typed: usually a path.
    pub name: String,
    /// The whole text: all files, one after the other.
    pub text: String,
    /// Invariant: sorted by start, and the first starts at 0.
    files: Vec<FileStart>,
}

#[derive(Clone, Debug)]
struct FileStart {
    name: String,
    start: u32,
}

/// One file of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceFile<'a> {
    /// The name under which the user knows it.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Where it begins in the whole text.
    pub start: u32,
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
    /// One file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let name = name.into();
        let files = vec![FileStart { name: name.clone(), start: 0 }];
        Self { name, text: text.into(), files }
    }

    /// Several files that belong together, known to the user under one name. Each ends with a line
    /// feed, so that no word reaches into the next file.
    pub fn joined(name: impl Into<String>, parts: &[(String, String)]) -> Self {
        let mut source = Self { name: name.into(), text: String::new(), files: Vec::new() };
        for (name, text) in parts {
            source.files.push(FileStart { name: name.clone(), start: source.text.len() as u32 });
            source.text.push_str(text);
            if !text.ends_with('\n') {
                source.text.push('\n');
            }
        }
        if parts.is_empty() {
            source.files.push(FileStart { name: source.name.clone(), start: 0 });
        }
        source
    }

    /// Where each file begins.
    pub fn starts(&self) -> Vec<u32> {
        self.files.iter().map(|file| file.start).collect()
    }

    /// The file that has this byte.
    pub fn file(&self, offset: u32) -> SourceFile<'_> {
        let number = self.files.partition_point(|file| file.start <= offset).saturating_sub(1);
        let FileStart { name, start } = &self.files[number];
        let end = self.files.get(number + 1).map_or(self.text.len(), |next| next.start as usize);
        SourceFile { name, text: &self.text[*start as usize..end], start: *start }
    }

    /// The line and column of a byte offset, in its file. Offsets past the end give the end.
    pub fn place(&self, offset: u32) -> Place {
        let file = self.file(offset);
        let offset = file.text.floor_char_boundary((offset - file.start) as usize);
        let before = &file.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place {
            line: before.bytes().filter(|&b| b == b'\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_their_own_file() {
        let parts = [("a.p", "one\ntwo"), ("empty.p", ""), ("b.p", "drei\nvier\n")];
        let parts = parts.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let source = Source::joined("both", &parts);
        assert_eq!(source.text, "one\ntwo\n\ndrei\nvier\n");
        let at = |offset| {
            let Place { line, column } = source.place(offset);
            (source.file(offset).name, line, column)
        };
        assert_eq!(at(0), ("a.p", 1, 1));
        assert_eq!(at(5), ("a.p", 2, 2));
        assert_eq!(at(9), ("b.p", 1, 1));
        assert_eq!(at(15), ("b.p", 2, 2));
        assert_eq!(at(999), ("b.p", 3, 1));
    }
}
