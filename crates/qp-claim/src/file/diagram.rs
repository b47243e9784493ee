//! Certificates of kind `diagram`, which have levels and nodes instead of rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClosedSet, DiagramSet, Level, Proof};

use super::{
    CertificateFile, DIAGRAM, FileError, Head, QUEUES_MAX, RawContent, cell, content, raw_cell,
    raw_content, read_body, write_body,
};

#[derive(Serialize, Deserialize)]
struct Body {
    locals: Vec<Vec<String>>,
    messages: Vec<String>,
    contents: Vec<RawContent>,
    stores: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<i32>,
    queues: usize,
    levels: Vec<RawLevel>,
}

#[derive(Serialize, Deserialize)]
struct RawLevel {
    columns: Vec<u32>,
    values: Vec<Vec<i64>>,
    nodes: Vec<Vec<(u32, u32)>>,
}

pub(super) fn write(file: &CertificateFile, diagram: &DiagramSet) -> String {
    let set = &diagram.set;
    let level = |level: &Level| {
        let Level { columns, values, nodes } = level.clone();
        let value = |value: Vec<u32>| value.into_iter().map(raw_cell).collect();
        RawLevel { columns, values: values.into_iter().map(value).collect(), nodes }
    };
    let raw = Body {
        locals: set.locals.clone(),
        messages: set.messages.clone(),
        contents: set.contents.iter().map(raw_content).collect(),
        stores: set.stores.clone(),
        numbers: diagram.numbers.clone(),
        queues: set.n_queues,
        levels: diagram.levels.iter().map(level).collect(),
    };
    write_body(file, DIAGRAM, &raw)
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let (head, raw): (Head, Body) = read_body(text)?;
    if raw.queues > QUEUES_MAX {
        return Err(FileError(format!("rows with more than {QUEUES_MAX} cells are not read")));
    }
    let set = ClosedSet {
        locals: raw.locals,
        messages: raw.messages,
        contents: raw.contents.into_iter().map(content).collect(),
        stores: raw.stores,
        n_queues: raw.queues,
        cells: Vec::new(),
    };
    let mut levels = Vec::new();
    for RawLevel { columns, values, nodes } in raw.levels {
        let value = |value: Vec<i64>| value.into_iter().map(cell).collect();
        let values: Option<Vec<Vec<u32>>> = values.into_iter().map(value).collect();
        let values =
            values.ok_or_else(|| FileError("a cell is no number of a table".to_owned()))?;
        levels.push(Level { columns, values, nodes });
    }
    let proof = Proof::Diagram(Arc::new(DiagramSet { set, numbers: raw.numbers, levels }));
    Ok(head.about(proof))
}
