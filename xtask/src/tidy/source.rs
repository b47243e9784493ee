//! Rust text seen three ways: code, string literals, comments.

use super::File;

/// Three views of a Rust file. All have the same length: what does not belong to a view is a space, and
/// so is every character beyond ASCII. Line breaks are in all of them.
pub(super) struct Source {
    pub(super) code: String,
    pub(super) literals: String,
    pub(super) comments: String,
}

#[derive(Clone, Copy, PartialEq)]
enum View {
    Code,
    Literal,
    Comment,
}

impl Source {
    pub(super) fn of(file: &File) -> Self {
        let text: Vec<char> = file.text.chars().collect();
        let mut source =
            Self { code: String::new(), literals: String::new(), comments: String::new() };
        let mut at = 0;
        while at < text.len() {
            let (view, end) = token(&text, at);
            for &c in &text[at..end] {
                source.push(view, c);
            }
            at = end;
        }
        source
    }

    /// The same without code that only tests see: files in `tests/`, and items behind `#[cfg(test)]`, be
    /// they in this file or this file itself.
    pub(super) fn outside_tests(files: &[File], file: &File) -> Self {
        let mut source = Self::of(file);
        if is_test_file(files, &file.path) {
            source.blank(0, source.code.len());
        }
        while let Some(start) = source.code.find("#[cfg(test)]") {
            let end = item_end(&source.code, start);
            source.blank(start, end);
        }
        source
    }

    fn push(&mut self, view: View, c: char) {
        let shown = if c.is_ascii() { c } else { ' ' };
        let other = if c == '\n' { '\n' } else { ' ' };
        self.code.push(if view == View::Code { shown } else { other });
        self.literals.push(if view == View::Literal { shown } else { other });
        self.comments.push(if view == View::Comment { shown } else { other });
    }

    fn blank(&mut self, start: usize, end: usize) {
        for view in [&mut self.code, &mut self.literals, &mut self.comments] {
            let blank: String =
                view[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            view.replace_range(start..end, &blank);
        }
    }
}

/// Whether a file is compiled for tests only, because of its folder or of how its parent declares it.
fn is_test_file(files: &[File], path: &str) -> bool {
    let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let Some((folder, name)) = module.rsplit_once('/') else { return false };
    let parents = ["/lib.rs", "/main.rs", "/mod.rs", ".rs"].map(|end| format!("{folder}{end}"));
    let mut parents = files.iter().filter(|file| parents.contains(&file.path));
    let declaration = format!("#[cfg(test)] mod {name};");
    path.contains("/tests/")
        || path.contains("/benches/")
        || parents.any(|file| {
            let words: Vec<&str> = file.text.split_whitespace().collect();
            words.join(" ").contains(&declaration)
        })
}

/// The line, from 1, of a position in a view.
pub(super) fn line_of(view: &str, position: usize) -> usize {
    1 + view[..position].matches('\n').count()
}

/// Where `needle` stands in `code` as whole words: neither side continues a name.
pub(super) fn words<'a>(code: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(needle).map(|(at, _)| at).filter(move |&at| {
        let before = code[..at].chars().next_back();
        let after = code[at + needle.len()..].chars().next();
        let joins = |edge: Option<char>, next: Option<char>| {
            edge.is_some_and(is_name) && next.is_some_and(is_name)
        };
        !joins(needle.chars().next(), before) && !joins(needle.chars().next_back(), after)
    })
}

/// The first name of each path that follows `prefix` (such as `std::`), also inside `prefix{a, b::c}`,
/// with its position.
pub(super) fn imported<'a>(code: &'a str, prefix: &'a str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for at in words(code, prefix) {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => found.push((at, leading_name(rest))),
            Some(group) => {
                let group = &group[..closing(group, 0) - 1];
                let mut depth = 0;
                for part in group.split_inclusive([',', '{', '}']) {
                    if depth == 0 {
                        found.push((at, leading_name(part.trim_start())));
                    }
                    depth += part.matches('{').count();
                    depth -= part.matches('}').count().min(depth);
                }
            }
        }
    }
    found.retain(|(_, name)| !name.is_empty());
    found
}

pub(super) fn leading_name(text: &str) -> &str {
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

/// The position after the brace that closes the block into which `start` points.
pub(super) fn closing(code: &str, start: usize) -> usize {
    let mut depth = 1;
    for (offset, c) in code[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return start + offset + 1;
        }
    }
    code.len()
}

/// The position after the item that starts at `start`: after its block, or after a `;` outside brackets.
pub(super) fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0;
    for (offset, c) in code[start..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ';' if depth == 0 => return start + offset + 1,
            '{' if depth == 0 => return closing(code, start + offset + 1),
            _ => {}
        }
    }
    code.len()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What starts at `at`, and where it ends.
fn token(text: &[char], at: usize) -> (View, usize) {
    let next = text.get(at + 1).copied();
    let (view, end) = match text[at] {
        '/' if next == Some('/') => (View::Comment, find(text, at, &['\n'])),
        '/' if next == Some('*') => (View::Comment, block_comment_end(text, at)),
        '"' => (View::Literal, string_end(text, at)),
        '\'' if next == Some('\\') => (View::Literal, find(text, at + 3, &['\'']) + 1),
        '\'' if text.get(at + 2) == Some(&'\'') => (View::Literal, at + 3),
        'r' if at == 0 || !is_name(text[at - 1]) || matches!(text[at - 1], 'b' | 'c') => {
            raw_string_end(text, at).map_or((View::Code, at + 1), |end| (View::Literal, end))
        }
        _ => (View::Code, at + 1),
    };
    (view, end.min(text.len()))
}

fn find(text: &[char], from: usize, needle: &[char]) -> usize {
    let from = from.min(text.len());
    let found = text[from..].windows(needle.len()).position(|window| window == needle);
    found.map_or(text.len(), |offset| from + offset)
}

fn block_comment_end(text: &[char], at: usize) -> usize {
    let mut depth = 1;
    let mut position = at + 2;
    while depth > 0 && position < text.len() {
        match (text[position], text.get(position + 1)) {
            ('/', Some('*')) => (depth, position) = (depth + 1, position + 2),
            ('*', Some('/')) => (depth, position) = (depth - 1, position + 2),
            _ => position += 1,
        }
    }
    position
}

fn string_end(text: &[char], at: usize) -> usize {
    let mut position = at + 1;
    while position < text.len() && text[position] != '"' {
        position += if text[position] == '\\' { 2 } else { 1 };
    }
    position + 1
}

/// The end of the raw string whose `r` stands at `at`, if it is one.
fn raw_string_end(text: &[char], at: usize) -> Option<usize> {
    let hashes = text[at + 1..].iter().take_while(|&&c| c == '#').count();
    let quote = at + 1 + hashes;
    (text.get(quote) == Some(&'"')).then(|| {
        let mut close = vec!['"'];
        close.extend(std::iter::repeat_n('#', hashes));
        find(text, quote + 1, &close) + close.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::of(&File { path: "a.rs".to_owned(), text: text.to_owned() })
    }

    #[test]
    fn views_tell_code_from_text() {
        let source =
            source("let a = \"x // \\\" y\"; // z\nlet b: &'a str = r#\"q\"w\"#; '\"' /* { */");
        assert!(source.code.contains("let a =") && source.code.contains("&'a str"));
        assert!(!source.code.contains('{') && !source.code.contains('x'));
        assert!(source.literals.contains("x // \\\" y") && source.literals.contains("q\"w"));
        assert!(source.comments.contains("// z") && source.comments.contains("{ */"));
        assert_eq!(source.code.len(), source.literals.len());
    }

    #[test]
    fn tests_are_blanked() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { } }\nfn c() {}";
        let file = File { path: "a.rs".to_owned(), text: text.to_owned() };
        let code = Source::outside_tests(&[], &file).code;
        assert!(code.contains("fn a") && !code.contains("fn b") && code.contains("fn c"));
    }

    #[test]
    fn test_modules_are_blanked() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [
            file("crates/a/src/lib.rs", "#[cfg(test)]\nmod samples;\nmod real;"),
            file("crates/a/src/samples.rs", "fn b() {}"),
            file("crates/a/src/real.rs", "fn c() {}"),
        ];
        assert!(!Source::outside_tests(&files, &files[1]).code.contains('b'));
        assert!(Source::outside_tests(&files, &files[2]).code.contains('c'));
    }

    #[test]
    fn groups_are_opened() {
        let names = imported("use std::{env, io::{fs, net}, thread}; std::fs::read", "std::");
        let names: Vec<&str> = names.into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["env", "io", "thread", "fs"]);
    }
}
