//! Tables of plain cells: aligned text, Markdown, comma-separated values and JSON.

use crate::fit::{clean, columns, pad};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Aligned columns.
    Text,
    /// GitHub's Markdown.
    Markdown,
    /// Comma-separated values.
    Csv,
    /// A list of objects.
    Json,
}

/// A table in one of the forms.
pub fn written(form: Form, headers: &[&str], rows: &[Vec<String>]) -> String {
    match form {
        Form::Text => table(headers, rows),
        Form::Markdown => markdown(headers, rows),
        Form::Csv => csv(headers, rows),
        Form::Json => json(headers, rows),
    }
}

/// Aligned text, two blanks between columns. Columns of numbers are aligned to the right.
pub fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let cells = cleaned(headers, rows);
    let widths = widths(&cells);
    let mut out = String::new();
    for (i, row) in cells.iter().enumerate() {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            if is_numeric(&cells[1..], column) {
                line.push_str(&" ".repeat(width - columns(cell)));
                line.push_str(cell);
            } else {
                line.push_str(&pad(cell, width));
            }
            line.push_str("  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
        if i == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            out.push_str(&rules.join("  "));
            out.push('\n');
        }
    }
    out
}

/// A table of GitHub's Markdown.
fn markdown(headers: &[&str], rows: &[Vec<String>]) -> String {
    let cells = cleaned(headers, rows);
    let mut out = String::new();
    for (i, row) in cells.iter().enumerate() {
        let escaped: Vec<String> =
            row.iter().map(|cell| cell.replace('\\', "\\\\").replace('|', "\\|")).collect();
        out += &pipes(&escaped);
        if i == 0 {
            let rule = |column| if is_numeric(&cells[1..], column) { "---:" } else { "---" };
            let rules: Vec<String> = (0..row.len()).map(|column| rule(column).to_owned()).collect();
            out += &pipes(&rules);
        }
    }
    out
}

fn pipes(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Comma-separated values, quoted where needed, lines ended by a line feed.
fn csv(headers: &[&str], rows: &[Vec<String>]) -> String {
    let headers: Vec<String> = headers.iter().map(|header| (*header).to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&headers).chain(rows) {
        let quoted: Vec<String> = row.iter().map(|cell| quote(cell)).collect();
        out.push_str(&quoted.join(","));
        out.push('\n');
    }
    out
}

/// A list of objects whose keys are the headers and whose values are the cells as texts, with a final
/// line feed.
fn json(headers: &[&str], rows: &[Vec<String>]) -> String {
    let object = |row: &Vec<String>| {
        let pairs = headers.iter().map(|header| (*header).to_owned());
        let values = row.iter().map(|cell| serde_json::Value::String(cell.clone()));
        serde_json::Value::Object(pairs.zip(values).collect())
    };
    crate::json::pretty(&rows.iter().map(object).collect::<Vec<_>>())
}

fn quote(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// Headers and rows, all of the same length.
fn cleaned(headers: &[&str], rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let length = rows.iter().map(Vec::len).max().unwrap_or(0).max(headers.len());
    let mut cells: Vec<Vec<String>> = vec![headers.iter().map(|cell| clean(cell)).collect()];
    cells.extend(rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect()));
    for row in &mut cells {
        row.resize(length, String::new());
    }
    cells
}

fn widths(cells: &[Vec<String>]) -> Vec<usize> {
    let length = cells.first().map_or(0, Vec::len);
    let width = |column: usize| cells.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    (0..length).map(width).collect()
}

/// Numbers, perhaps with a unit: `12`, `0.3 s`, `-`. A column of nothing is text.
fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
    let digit_first = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
    let cells = || rows.iter().map(|row| row[column].as_str());
    cells().any(digit_first) && cells().all(|c| digit_first(c) || c.is_empty() || c == "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        vec![vec!["a|b.cfsm".into(), "9".into()], vec!["é,\"".into(), "1234".into()]]
    }

    #[test]
    fn text_is_aligned() {
        let text = table(&["model", "states"], &rows());
        let expected = "model     states\n--------  ------\na|b.cfsm       9\né,\"         1234\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn special_characters_are_escaped() {
        let text = markdown(&["model", "states"], &rows());
        assert!(text.starts_with("| model | states |\n| --- | ---: |\n| a\\|b.cfsm | 9 |\n"));
        let text = csv(&["model", "states"], &rows());
        assert_eq!(text, "model,states\na|b.cfsm,9\n\"é,\"\"\",1234\n");
        let value: serde_json::Value =
            serde_json::from_str(&json(&["model", "states"], &rows())).unwrap();
        assert_eq!(value[1]["model"], "é,\"");
        assert_eq!(value[0]["states"], "9");
    }
}
