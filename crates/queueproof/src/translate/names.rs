//! Names that Promela allows, each used once.

use std::collections::BTreeSet;

/// Words that mean something in Promela, or in the C that SPIN makes of it.
const RESERVED: &[&str] = &[
    "active",
    "always",
    "assert",
    "atomic",
    "auto",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "case",
    "chan",
    "char",
    "const",
    "continue",
    "d_step",
    "default",
    "do",
    "double",
    "else",
    "empty",
    "enabled",
    "enum",
    "eval",
    "eventually",
    "extern",
    "false",
    "fi",
    "float",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "implies",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "long",
    "ltl",
    "main",
    "mtype",
    "nempty",
    "never",
    "next",
    "nfull",
    "notrace",
    "now",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "register",
    "release",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "signed",
    "sizeof",
    "skip",
    "static",
    "stronguntil",
    "struct",
    "switch",
    "timeout",
    "trace",
    "true",
    "typedef",
    "uchar",
    "uint",
    "ulong",
    "union",
    "unless",
    "unsigned",
    "until",
    "ushort",
    "void",
    "volatile",
    "weakuntil",
    "while",
    "xr",
    "xs",
    "D_proctype",
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
        let free = |name: &String| !RESERVED.contains(&name.as_str()) && !self.taken.contains(name);
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
