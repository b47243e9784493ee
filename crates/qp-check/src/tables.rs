//! The tables of evidence: texts to numbers of the system, and cells to what tables have.

use qp_claim::ABSENT;

use crate::languages::Checked;

/// What the texts of a table name.
pub(crate) fn read<T>(texts: &[String], mut of: impl FnMut(&str) -> Option<T>) -> Checked<Vec<T>> {
    let mut read = |text: &String| of(text).ok_or_else(|| format!("there is no {text:?}"));
    texts.iter().map(&mut read).collect()
}

/// What stands in a table at the place that a cell names.
pub(crate) fn value<T: Clone>(table: &[T], cell: u32) -> Checked<T> {
    let value = table.get(cell as usize).cloned();
    value.ok_or_else(|| format!("there is a cell or letter {cell}, which no table has"))
}

/// The cells of what exists: machines and queues come and go at the end of the list only.
pub(crate) fn present(cells: &[u32]) -> Checked<&[u32]> {
    let n = cells.iter().position(|&cell| cell == ABSENT).unwrap_or(cells.len());
    let (present, absent) = cells.split_at(n);
    if absent.iter().any(|&cell| cell != ABSENT) {
        return Err("a row has a gap".to_owned());
    }
    Ok(present)
}
