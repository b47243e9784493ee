//! From a file's name and content to a model: picks the reader.
//!
//! Absent on purpose: reading of files. Whoever calls this has the bytes already, from a disk, an
//! archive or an editor.

use std::borrow::Cow;

use qp_base::{Code, Diagnostic, Span};
use qp_machines::Model;

/// The extensions that are known, for help texts and file dialogs.
pub const EXTENSIONS: &[&str] = &["cfsm", "scm", "fsa", "fsm"];

/// The kinds of messages of this crate. Each has a page in `docs/errors/`.
pub const CODES: &[Code] = &[NOT_TEXT, EXTENSION];

const NOT_TEXT: Code = Code(114);
const EXTENSION: Code = Code(115);

/// Reads a model with the reader that belongs to the extension of its name. There is a model exactly
/// if no diagnostic is an error.
pub fn load(path_name: &str, text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let file_name = path_name.rsplit(['/', '\\']).next().unwrap_or(path_name);
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("cfsm") => qp_front_cfsm::cfsm(text),
        Some("scm") => qp_front_cfsm::scm(text),
        Some("fsa" | "fsm") => qp_front_cfsm::fsa(text),
        _ => (None, vec![unknown_extension(file_name)]),
    }
}

/// Reads a model from bytes. Places in diagnostics refer to [`text_of`] the bytes.
pub fn load_bytes(path_name: &str, bytes: &[u8]) -> (Option<Model>, Vec<Diagnostic>) {
    match std::str::from_utf8(without_mark(bytes)) {
        Ok(text) => load(path_name, text),
        Err(error) => (None, vec![not_text(error)]),
    }
}

/// The text that places in diagnostics refer to: without a byte order mark, and with a replacement
/// character for what is no text. Carriage returns stay; every reader takes them for spaces.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(without_mark(bytes))
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The text up to the first wrong byte is the same in [`text_of`], so its place is right there too.
fn not_text(error: std::str::Utf8Error) -> Diagnostic {
    let at = error.valid_up_to();
    let message = "this is not text in UTF-8";
    Diagnostic::error(NOT_TEXT, message, Span::new(at..at + 1))
        .label("the first byte that is not")
        .help("save the file as UTF-8; is it a model at all?")
}

fn unknown_extension(file_name: &str) -> Diagnostic {
    let shown: String = file_name.chars().take(60).collect();
    let message = format!("the name `{shown}` does not say which language this is");
    let known: Vec<String> = EXTENSIONS.iter().map(|known| format!("`.{known}`")).collect();
    let help = format!("name the file with one of {}", known.join(", "));
    Diagnostic::error(EXTENSION, message, Span::default()).help(help)
}

#[cfg(test)]
mod tests;
