//! Models that were changed in one place or more.

use super::shrink::{joined, tokens};
use crate::rng::Rng;

/// What a word or sign may become.
const WORDS: &str = "
    active assert atomic bit bool break byte c_code c_expr chan d_step do else empty enabled end eval fi for
    full get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od
    of pc_value pid printf printm priority proctype provided return run select set_priority short show skip
    timeout trace typedef true false unless unsigned xr xs _ _pid _nr_pr _last always eventually until
    ! !! ? ?? [ ] [] <> ( ) { } :: : ; , . .. -> = == != < <= > >= + ++ - -- * / % & && | || ^ ~ << >> @
    0 1 2 255 256 65536 2147483647 4294967296 99999999999999999999 'a' \" ' # \\ \u{e9} $ `";

/// Numbers that numbers become.
const NUMBERS: [&str; 6] = ["0", "1", "2", "3", "4", "255"];

/// Signs that stand where others of their row stand.
const ROWS: [&[&str]; 8] = [
    &["==", "!=", "<", "<=", ">", ">="],
    &["+", "-", "*", "&", "|", "^"],
    &["&&", "||"],
    &["!", "!!"],
    &["?", "??"],
    &["++", "--"],
    &["atomic", "d_step"],
    &["empty", "full", "nempty", "nfull", "len"],
];

/// A model that differs from another in something that keeps it a model, mostly.
pub fn altered(text: &str, rng: &mut Rng) -> String {
    let mut new: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    let changes = 1 + rng.below(2);
    for _ in 0..changes {
        for _ in 0..50 {
            if alter(&mut new, rng) {
                break;
            }
        }
    }
    joined(&new)
}

fn alter(tokens: &mut Vec<String>, rng: &mut Rng) -> bool {
    if tokens.is_empty() {
        return false;
    }
    let at = rng.below(tokens.len());
    let token = tokens[at].clone();
    if let Some(row) = ROWS.iter().find(|row| row.contains(&token.as_str())) {
        row[rng.below(row.len())].clone_into(&mut tokens[at]);
        return tokens[at] != token;
    }
    if token.parse::<u64>().is_ok() {
        NUMBERS[rng.below(NUMBERS.len())].clone_into(&mut tokens[at]);
        return tokens[at] != token;
    }
    match token.as_str() {
        ";" | "->" => remove_stmt(tokens, at),
        "::" if rng.percent(50) => swap_options(tokens, at),
        _ if is_name(&token) => {
            let other = tokens[rng.below(tokens.len())].clone();
            if !is_name(&other) || other == token || rng.percent(50) {
                return false;
            }
            tokens[at] = other;
            true
        }
        _ => false,
    }
}

fn is_name(token: &str) -> bool {
    let is_word = token.starts_with(|c: char| c.is_alphabetic());
    is_word && !WORDS.split_whitespace().any(|word| word == token)
}

/// Leaves out what stands before a separator.
fn remove_stmt(tokens: &mut Vec<String>, at: usize) -> bool {
    let start = tokens[..at]
        .iter()
        .rposition(|it| matches!(it.as_str(), ";" | "->" | "::" | "{" | "}" | "fi" | "od"))
        .map_or(0, |it| it + 1);
    tokens.drain(start..=at);
    start < at
}

/// What stands before the first separator of this option and of the next change places.
fn swap_options(tokens: &mut [String], at: usize) -> bool {
    let Some(next) = (at + 1..tokens.len()).find(|&it| tokens[it] == "::") else { return false };
    if at + 1 >= next || next + 1 >= tokens.len() {
        return false;
    }
    let (one, other) = tokens.split_at_mut(next);
    std::mem::swap(&mut one[at + 1], &mut other[1]);
    true
}

/// Texts that are broken in one way each, from bytes up to lines.
pub fn broken(text: &str, rng: &mut Rng) -> Vec<String> {
    vec![
        with_bytes(text, rng),
        with_lines(text, rng),
        with_words(text, rng),
        without_piece(text, rng),
        altered(text, rng),
    ]
}

fn with_bytes(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        if !bytes.is_empty() {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn with_lines(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    for _ in 0..=rng.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (rng.below(lines.len()), rng.below(lines.len()));
        match rng.below(3) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at]),
            _ => lines.swap(at, other),
        }
    }
    lines.concat()
}

fn with_words(text: &str, rng: &mut Rng) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut new = tokens(text);
    for _ in 0..=rng.below(3) {
        if new.is_empty() {
            break;
        }
        let (at, other) = (rng.below(new.len()), rng.below(new.len()));
        match rng.below(5) {
            0 => drop(new.remove(at)),
            1 => new.insert(at, new[other]),
            2 => new.swap(at, other),
            3 => new[at] = new[other],
            _ => new[at] = words[rng.below(words.len())],
        }
    }
    joined(&new)
}

fn without_piece(text: &str, rng: &mut Rng) -> String {
    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if boundaries.is_empty() {
        return String::new();
    }
    let start = rng.below(boundaries.len());
    let end = (start + rng.below(40)).min(boundaries.len() - 1);
    format!("{}{}", &text[..boundaries[start]], &text[boundaries[end]..])
}
