//! Automata as pictures in the language of Graphviz, and the texts at their edges.

use std::fmt::Write as _;

use super::{Letter, Letters, Nfa};

/// How many letters of an edge are named; the others are counted.
const NAMED_MAX: usize = 4;

impl Nfa {
    /// A text for `dot`, with names for letters. States are named by their numbers.
    pub fn dot(&self, name: &dyn Fn(Letter) -> String) -> String {
        let mut text = "digraph {\n  rankdir=LR;\n  node [shape=circle];\n".to_owned();
        let mut line = |content: String| {
            text.push_str("  ");
            text.push_str(&content);
            text.push_str(";\n");
        };
        for (i, start) in self.starts().iter().enumerate() {
            line(format!("begin{i} [shape=point]"));
            line(format!("begin{i} -> {start:?}"));
        }
        for (id, _) in self.states().iter_enumerated().filter(|(_, state)| state.accepting) {
            line(format!("{id:?} [shape=doublecircle]"));
        }
        for (id, state) in self.states().iter_enumerated() {
            for edge in &state.edges {
                let label = label(&edge.letters, name).replace('\\', "\\\\").replace('"', "\\\"");
                line(format!("{id:?} -> {:?} [label=\"{label}\"]", edge.to));
            }
        }
        text.push_str("}\n");
        text
    }
}

/// What an edge reads.
pub(super) fn label(letters: &Letters, name: &dyn Fn(Letter) -> String) -> String {
    let listed = letters.listed();
    let named: Vec<String> = listed.iter().take(NAMED_MAX).map(|&letter| name(letter)).collect();
    let mut text = match (letters.is_finite(), listed.is_empty()) {
        (true, _) => String::new(),
        (false, true) => "any".to_owned(),
        (false, false) => "all but ".to_owned(),
    };
    text.push_str(&named.join(", "));
    if listed.len() > NAMED_MAX {
        let _ = write!(text, " and {} more", listed.len() - NAMED_MAX);
    }
    text
}
