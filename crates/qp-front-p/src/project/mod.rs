//! Project files of P: which files belong to a program.

mod xml;

#[cfg(test)]
mod tests;

use qp_base::{Diagnostic, Span};

use crate::codes;
use crate::names::quoted;

use xml::{Piece, Reader};

/// What a `.pproj` file says. Paths are as written: relative to the file, with `/` or `\`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    /// The name of the project.
    pub name: String,
    /// Files and folders with the program, in order, and where each is named.
    pub inputs: Vec<(String, Span)>,
    /// Other project files whose programs belong to it, in order.
    pub includes: Vec<String>,
}

/// Reads a project file.
pub fn project(text: &str) -> Result<Project, Diagnostic> {
    let mut reader = Reader::new(text);
    let mut found = Found::default();
    let mut open: Vec<(&str, Span)> = Vec::new();
    let mut content = String::new();
    while let Some((piece, span)) = reader.next()? {
        match piece {
            Piece::Open(name) => {
                if open.is_empty() && found.root.is_some() {
                    let message = format!("`<{name}>` stands after the end of the project");
                    return Err(wrong(message, span, "a project file has one outermost element"));
                }
                found.root.get_or_insert(span);
                open.push((name, span));
                content.clear();
            }
            Piece::Text(text) if open.is_empty() => {
                let message = format!("{} stands outside of the project", quoted(text.trim()));
                return Err(wrong(message, span, "put it into an element, or remove it"));
            }
            Piece::Text(text) => content.push_str(&text),
            Piece::Close(name) => {
                // Deeper elements mean nothing here.
                let path: Vec<&str> = open.iter().take(4).map(|(name, _)| *name).collect();
                let opened = open.pop();
                close(opened, name, span)?;
                let whole = opened.map_or(span, |(_, start)| start.to(span));
                found.add(&path, content.trim(), whole);
                content.clear();
            }
        }
    }
    if let Some((name, span)) = open.pop() {
        let message = format!("`<{name}>` is never closed");
        return Err(wrong(message, span, &format!("add `</{name}>`")));
    }
    found.project()
}

/// What was found so far.
#[derive(Default)]
struct Found {
    root: Option<Span>,
    name: Option<String>,
    inputs: Vec<(String, Span)>,
    includes: Vec<String>,
}

impl Found {
    /// Takes an element with the names of those around it.
    fn add(&mut self, path: &[&str], content: &str, span: Span) {
        match path {
            [_, "ProjectName"] if !content.is_empty() => {
                self.name.get_or_insert_with(|| content.to_owned());
            }
            [_, "InputFiles", "PFile"] if !content.is_empty() => {
                self.inputs.push((content.to_owned(), span));
            }
            [_, "IncludeProject"] if !content.is_empty() => self.includes.push(content.to_owned()),
            _ => {}
        }
    }

    fn project(self) -> Result<Project, Diagnostic> {
        let span = self.root.unwrap_or_default();
        let Some(name) = self.name else {
            let help = "add `<ProjectName>Name</ProjectName>` inside `<Project>`";
            return Err(wrong("the project has no name".to_owned(), span, help));
        };
        if self.inputs.is_empty() && self.includes.is_empty() {
            let help = "add `<InputFiles><PFile>./PSrc/</PFile></InputFiles>` inside `<Project>`";
            return Err(wrong("the project names no files".to_owned(), span, help));
        }
        Ok(Project { name, inputs: self.inputs, includes: self.includes })
    }
}

/// Whether the last element that was opened is the one that is closed.
fn close(open: Option<(&str, Span)>, name: &str, span: Span) -> Result<(), Diagnostic> {
    let Some((opened, place)) = open else {
        let message = format!("`</{name}>` closes nothing");
        return Err(wrong(message, span, "remove it"));
    };
    if opened == name {
        return Ok(());
    }
    let message = format!("`</{name}>` stands where `</{opened}>` is expected");
    Err(wrong(message, span, "elements are closed in the opposite order")
        .also(place, "opened here"))
}

fn wrong(message: String, span: Span, help: &str) -> Diagnostic {
    Diagnostic::error(codes::PROJECT, message, span).help(help)
}
