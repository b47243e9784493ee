//! Making text fit: cleaning, measuring, wrapping and shortening.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns a text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The text without what could move the cursor or reorder the line: a model may come from anywhere,
/// and its names end up on a terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c.width() {
            None => Some(if c.is_whitespace() { ' ' } else { '?' }),
            Some(0) => None,
            Some(_) => Some(c),
        })
        .collect()
}

/// The text, and blanks up to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text in lines of at most `width` columns. Words that are longer are broken.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        for (i, piece) in pieces(word, width).into_iter().enumerate() {
            let line = lines.last_mut().expect("there is always a line");
            let gap = usize::from(!line.is_empty());
            if i == 0 && columns(line) + gap + columns(&piece) <= width {
                line.push_str(&" ".repeat(gap));
                line.push_str(&piece);
            } else {
                lines.push(piece);
            }
        }
    }
    // A first word that had to be broken leaves the line before it empty.
    if lines.len() > 1 && lines[0].is_empty() {
        lines.remove(0);
    }
    lines
}

fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in word.chars() {
        let c_width = c.width().unwrap_or(0);
        if used + c_width > width {
            pieces.push(String::new());
            used = 0;
        }
        pieces.last_mut().expect("there is always a piece").push(c);
        used += c_width;
    }
    pieces
}

/// A shell command in lines of at most `width` columns, still one command: lines end in ` \`.
/// Words are never broken, since a broken path cannot be pasted.
pub(crate) fn wrap_command(command: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in command.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if columns(line) + 1 + columns(word) + 2 <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            line.push_str(" \\");
            lines.push(format!("  {word}"));
        }
    }
    lines
}

/// The text in at most `width` columns; what is cut out in the middle is marked.
pub(crate) fn shorten(text: &str, width: usize, mark: char) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let tail_room = room / 2;
    let head = take_columns(text.chars(), room - tail_room);
    let tail: String = take_columns(text.chars().rev(), tail_room).chars().rev().collect();
    if width == 0 { String::new() } else { format!("{head}{mark}{tail}") }
}

fn take_columns(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

/// Short names for long ones, each used for one name only, with a legend.
pub(crate) struct ShortNames {
    width: usize,
    mark: char,
    /// Full and short, in the order of first use: a chart has few names, and the legend is ordered.
    known: Vec<(String, String)>,
}

impl ShortNames {
    pub(crate) const fn new(width: usize, mark: char) -> Self {
        Self { width, mark, known: Vec::new() }
    }

    pub(crate) fn of(&mut self, full: &str) -> String {
        let full = clean(full);
        if let Some((_, short)) = self.known.iter().find(|(known, _)| *known == full) {
            return short.clone();
        }
        let mut short = shorten(&full, self.width, self.mark);
        let mut number = 2;
        while self.known.iter().any(|(_, taken)| *taken == short) {
            let suffix = format!("{}{number}", self.mark);
            let room = self.width.saturating_sub(columns(&suffix)).max(1);
            short = format!("{}{suffix}", take_columns(full.chars(), room));
            number += 1;
        }
        self.known.push((full, short.clone()));
        short
    }

    /// The names that were shortened, as `short = full`.
    pub(crate) fn legend(&self) -> Vec<String> {
        let shortened = self.known.iter().filter(|(full, short)| full != short);
        shortened.map(|(full, short)| format!("{short} = {full}")).collect()
    }
}

/// `1 machine`, `2 machines`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_words_and_width() {
        assert_eq!(wrap("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        assert_eq!(wrap("", 8), [""]);
        let lines = wrap_command("queueproof replay a.cfsm --trace 0.0 1.0", 24);
        assert_eq!(lines, ["queueproof replay \\", "  a.cfsm --trace 0.0 \\", "  1.0"]);
    }

    #[test]
    fn names_are_shortened_in_the_middle_and_stay_distinct() {
        assert_eq!(shorten("eObjectDetected", 8, '~'), "eObj~ted");
        let mut names = ShortNames::new(6, '~');
        let first = names.of("abcXXXXXde");
        let second = names.of("abcYYYYYde");
        assert_eq!(first, "abc~de");
        assert_ne!(first, second);
        assert!(columns(&second) <= 6);
        assert_eq!(names.of("abcXXXXXde"), first);
        assert_eq!(names.legend(), ["abc~de = abcXXXXXde", "abcY~2 = abcYYYYYde"]);
    }

    #[test]
    fn names_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb\nc\u{202e}d"), "a?[31mb cd");
    }
}
