//! Certificates of kind `sends`, which have two sets of rows and pairs of them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Proof, SendPairs};

use super::{
    CertificateFile, FileError, Head, RawSet, SENDS, raw_set, read_body, set_of, write_body,
};

#[derive(Serialize, Deserialize)]
struct Body {
    bound: u32,
    prefix: u32,
    outer: RawSet,
    inner: RawSet,
    sets: Vec<Vec<u32>>,
    pairs: Vec<(u32, u32)>,
}

pub(super) fn write(file: &CertificateFile, pairs: &SendPairs) -> String {
    let raw = Body {
        bound: pairs.bound,
        prefix: pairs.prefix,
        outer: raw_set(&pairs.outer),
        inner: raw_set(&pairs.inner),
        sets: pairs.sets.clone(),
        pairs: pairs.pairs.clone(),
    };
    write_body(file, SENDS, &raw)
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let (head, raw): (Head, Body) = read_body(text)?;
    let pairs = SendPairs {
        bound: raw.bound,
        prefix: raw.prefix,
        outer: set_of(raw.outer)?,
        inner: set_of(raw.inner)?,
        sets: raw.sets,
        pairs: raw.pairs,
    };
    Ok(head.about(Proof::Sends(Arc::new(pairs))))
}
