//! Names that Promela allows, each used once.

use std::collections::BTreeSet;

use qp_load::KEYWORDS;

/// Words beside the keywords that mean something in Promela, or in the C that SPIN makes of it.
const RESERVED: &[&str] = &[
    "always",
    "auto",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "double",
    "enum",
    "eventually",
    "extern",
    "float",
    "implies",
    "in",
    "long",
    "main",
    "next",
    "now",
    "register",
    "release",
    "signed",
    "sizeof",
    "static",
    "stronguntil",
    "struct",
    "switch",
    "uchar",
    "uint",
    "ulong",
    "union",
    "until",
    "ushort",
    "void",
    "volatile",
    "weakuntil",
    "while",
    "STDIN",
    "U",
    "V",
    "W",
    "X",
];

/// Gives out names.
#[derive(Clone, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name like this one that nothing else has.
    pub(super) fn fresh(&mut self, like: &str) -> String {
        let base = plain(like);
        let is_word = |name: &str| KEYWORDS.contains(&name) || RESERVED.contains(&name);
        let free = |name: &String| !is_word(name) && !self.taken.contains(name);
        let mut candidates =
            (1..).map(|n| if n == 1 { base.clone() } else { format!("{base}_{n}") });
        let name = candidates.find(free).expect("some number is free");
        self.taken.insert(name.clone());
        name
    }
}

/// The text with everything replaced that cannot be in a name.
fn plain(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    // Labels that begin with these words mean something.
    let marked = ["end", "progress", "accept"].iter().any(|word| name.starts_with(word));
    match name.chars().next() {
        None => "x".to_owned(),
        Some(first) if first.is_ascii_digit() || marked => format!("x{name}"),
        Some(_) => name.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_different() {
        let mut names = Names::default();
        let mut check = |like: &str, expect: &str| assert_eq!(names.fresh(like), expect, "{like}");
        check("tok(0)", "tok_0");
        check("tok_0", "tok_0_2");
        check("S0/1", "S0_1");
        check("2nd", "x2nd");
        check("endless", "xendless");
        check("do", "do_2");
        check("", "x");
        check("\u{fc}", "x_2");
        check("to_A->B", "to_A_B");
    }
}
