//! Why there is no report.

use serde::Serialize;

use super::{Tool, pretty};

/// Why a command has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ErrorReport {
    /// `unreadable`, `refused`, `usage` or `internal`.
    pub kind: &'static str,
    /// The exit code that such an error gives.
    pub exit: u8,
    /// One line for people.
    pub message: String,
}

/// An object of schema `queueproof.error/1`: nothing could be said about any model.
pub fn error(error: &ErrorReport) -> String {
    #[derive(Serialize)]
    struct JsonError<'a> {
        schema: &'static str,
        tool: Tool,
        error: &'a ErrorReport,
    }
    pretty(&JsonError { schema: "queueproof.error/1", tool: Tool::this(), error })
}
