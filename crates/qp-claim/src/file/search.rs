//! Certificates of kind `search`, which have nothing but a number.

use serde::{Deserialize, Serialize};

use super::{CertificateFile, FileError, Head, SEARCH, read_body, write_body};
use crate::{CompleteSearch, Proof};

#[derive(Serialize, Deserialize)]
struct Body {
    configurations: u64,
}

pub(super) fn write(file: &CertificateFile, search: CompleteSearch) -> String {
    let raw = Body { configurations: search.configurations };
    write_body(file, SEARCH, &raw)
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let (head, raw): (Head, Body) = read_body(text)?;
    Ok(head.about(Proof::Search(CompleteSearch { configurations: raw.configurations })))
}
