//! Underlined messages about the user's text, drawn by `annotate-snippets`.
//!
//! The drawing library looks at every line of the text it is given, and a model may be of any size
//! and have lines of any length. So it only gets windows: a few lines around the places, each line
//! cut to a length that a person can look at.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use qp_base::{Diagnostic, Label, Severity, Source};

use crate::Style;
use crate::fit::clean;

/// Places that are at most this many lines apart share a window.
const NEAR_LINES: usize = 20;
/// A place over more lines than this is shown by its first line.
const SPAN_LINES_MAX: usize = 20;
/// More bytes of one line than this are not shown; the window starts `LEAD` before the place.
const LINE_BYTES_MAX: usize = 400;
const LEAD: usize = 60;

/// All messages, in lines that end with a line feed, with an empty line after each.
pub fn diagnostics(source: &Source, list: &[Diagnostic], style: &Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let decor = if style.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    let renderer = renderer.decor_style(decor).term_width(style.width.max(20));
    let lines = Lines::of(source);
    let mut out = String::new();
    for diagnostic in list {
        let windows = windows(&lines, diagnostic);
        let group = group(diagnostic, &windows);
        for line in renderer.render(&[group]).lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// A piece of the text with its places, as offsets into the piece.
struct Window {
    file: String,
    text: String,
    /// From one, in the file.
    first_line: usize,
    /// Set if a line was cut at its left: the true column of the first place.
    column: Option<usize>,
    marks: Vec<Mark>,
}

struct Mark {
    range: Range<usize>,
    primary: bool,
    text: String,
}

fn group<'a>(diagnostic: &Diagnostic, windows: &'a [Window]) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(clean(&diagnostic.message)).id(diagnostic.code.to_string());
    let mut group = Group::with_title(title);
    for window in windows {
        let marks = window.marks.iter().map(|mark| {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!mark.text.is_empty()).then(|| mark.text.clone());
            kind.span(mark.range.clone()).label(label)
        });
        let snippet = Snippet::source(&window.text).line_start(window.first_line).fold(true);
        let file = window.file.as_str();
        group = match window.column {
            Some(column) => group
                .element(Origin::path(file).line(window.first_line).char_column(column))
                .element(snippet.annotations(marks)),
            None => group.element(snippet.path(file).annotations(marks)),
        };
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    group
}

/// The windows of a diagnostic; the one of the primary place comes first.
fn windows(lines: &Lines<'_>, diagnostic: &Diagnostic) -> Vec<Window> {
    let mut places = vec![place(lines, &diagnostic.primary, true)];
    places.extend(diagnostic.secondary.iter().map(|label| place(lines, label, false)));
    places.sort_by_key(|place| (place.first_line, place.range.start));
    let mut windows: Vec<Window> =
        places.chunk_by(Place::near).map(|near| window(lines, near)).collect();
    windows.sort_by_key(|window| !window.marks.iter().any(|mark| mark.primary));
    windows
}

/// A label whose range was made to fit the text: inside it, on character boundaries, not too long.
struct Place {
    range: Range<usize>,
    /// Where its file begins.
    file: u32,
    first_line: usize,
    last_line: usize,
    /// Its line is too long to be shown from its beginning.
    long: bool,
    primary: bool,
    text: String,
}

impl Place {
    /// Whether both fit into one window; the other one begins later.
    fn near(&self, other: &Self) -> bool {
        self.file == other.file
            && other.first_line <= self.last_line + NEAR_LINES
            && !(self.long || other.long)
    }
}

fn place(lines: &Lines<'_>, label: &Label, primary: bool) -> Place {
    let file = lines.source.file(label.span.start);
    let file_end = file.start as usize + file.text.len();
    let start = lines.boundary((label.span.start as usize).min(file_end));
    let mut end = lines.boundary((label.span.end as usize).clamp(start, file_end));
    let first_line = lines.line_of(start);
    let mut last_line = lines.line_of(end.saturating_sub(1).max(start));
    let first = lines.range(first_line);
    if last_line - first_line > SPAN_LINES_MAX {
        last_line = first_line;
        end = end.min(first.end);
    }
    let longest = (first_line..=last_line).map(|line| lines.range(line).len()).max();
    let long = longest.is_some_and(|bytes| bytes > LINE_BYTES_MAX);
    if long {
        last_line = first_line;
        end = end.min(first.end).min(lines.boundary(start + LINE_BYTES_MAX / 2)).max(start);
    }
    let (file, text) = (file.start, clean(&label.text));
    Place { range: start..end, file, first_line, last_line, long, primary, text }
}

fn window(lines: &Lines<'_>, places: &[Place]) -> Window {
    let first = &places[0];
    let last_line = places.iter().map(|place| place.last_line).max().unwrap_or(first.last_line);
    let mut from = lines.range(first.first_line).start;
    let mut to = lines.range(last_line).end;
    let mut column = None;
    if first.long {
        let line = lines.range(first.first_line);
        from = line.start.max(lines.boundary(first.range.start.saturating_sub(LEAD)));
        to = line.end.min(lines.boundary(from + LINE_BYTES_MAX)).max(first.range.end);
        column = Some(lines.text()[line.start..first.range.start].chars().count() + 1);
    }
    let marks = places.iter().map(|place| Mark {
        range: place.range.start - from..place.range.end - from,
        primary: place.primary,
        text: place.text.clone(),
    });
    Window {
        file: clean(lines.source.file(first.file).name),
        text: lines.text()[from..to].to_owned(),
        first_line: first.first_line - lines.line_of(first.file as usize) + 1,
        column,
        marks: marks.collect(),
    }
}

/// Where the lines of a text begin; found once, since there may be many messages.
struct Lines<'a> {
    source: &'a Source,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(source: &'a Source) -> Self {
        let mut starts = vec![0];
        starts.extend(source.text.match_indices('\n').map(|(at, _)| at + 1));
        Self { source, starts }
    }

    fn text(&self) -> &'a str {
        &self.source.text
    }

    /// The last character boundary at or before an offset.
    fn boundary(&self, offset: usize) -> usize {
        self.text().floor_char_boundary(offset)
    }

    /// The line that holds an offset, from zero.
    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The bytes of a line, without its end.
    fn range(&self, line: usize) -> Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(self.text().len(), |next| next - 1);
        start..end
    }
}

#[cfg(test)]
mod tests;
