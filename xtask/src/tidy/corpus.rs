//! The lines in the heads of corpus files that say what to expect.
//!
//! ```text
//! //@ about: TEXT          //@ source: TEXT          //@ note: TEXT
//! //@ expect PROPERTY: VERDICT [steps=N] [bound=K] [!ENGINE]
//! //@ expect sync: proved [k=K] [!ENGINE]
//! //@ expect queue NAME: bounded by N [!ENGINE]      (or: unbounded, unknown)
//! //@ limit bound=K states=N
//! //@ option fair
//! //@ invariant NAME: FORMULA
//! ```
//!
//! Languages whose comments look different write `--@ ...` or `/*@ ... */`.

use super::{File, Finding};

const PROPERTIES: [&str; 12] = [
    "assert",
    "unhandled",
    "deadlock",
    "divergence",
    "stuck",
    "orphan",
    "bounded",
    "livelock",
    "accept",
    "live",
    "sync",
    "sendlang",
];
const VERDICTS: [&str; 5] = ["proved", "proved_up_to_failure", "violated", "unknown", "none"];
const ENGINES: [&str; 8] =
    ["explore", "roam", "converge", "flow", "exchange", "sendlang", "regular", "progress"];

pub(super) fn expectations(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The page that explains the lines shows what they look like.
    let is_model =
        |file: &&File| file.path.starts_with("corpus/") && file.path != "corpus/README.md";
    for file in files.iter().filter(is_model) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(Err(problem)) = marked(line).map(understand) {
                let message = format!(
                    "{problem}: a line that the corpus runner does not understand would be an \
                     expectation that nobody checks"
                );
                findings.push(Finding::new(&file.path, index + 1, message));
            }
        }
    }
    findings
}

/// The text behind the marker, if the line has one.
fn marked(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = ["//@", "--@"]
        .iter()
        .find_map(|marker| line.strip_prefix(marker))
        .or_else(|| line.strip_prefix("/*@").map(|rest| rest.strip_suffix("*/").unwrap_or(rest)))?;
    Some(line.trim())
}

fn understand(line: &str) -> Result<(), String> {
    if let Some((_, text)) =
        line.split_once(": ").filter(|(key, _)| ["about", "source", "note"].contains(key))
    {
        return if text.trim().is_empty() { Err("the text is missing".to_owned()) } else { Ok(()) };
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["expect", "queue", name, "bounded", "by", n, rest @ ..] if is_number(n) => {
            queue_name(name)?;
            options(rest, &[])
        }
        ["expect", "queue", name, "unbounded" | "unknown", rest @ ..] => {
            queue_name(name)?;
            options(rest, &[])
        }
        ["expect", "queue", ..] => {
            Err("a queue is `bounded by N`, `unbounded` or `unknown`".to_owned())
        }
        ["expect", "sync:", "proved", rest @ ..] => options(rest, &["k"]),
        ["expect", name, verdict, rest @ ..] => {
            property(name)?;
            if !VERDICTS.contains(verdict) {
                return Err(format!("{verdict} is no verdict"));
            }
            options(rest, &["steps", "bound"])
        }
        ["limit", rest @ ..] if !rest.is_empty() && !rest.iter().any(|w| w.starts_with('!')) => {
            options(rest, &["bound", "states"])
        }
        ["option", "fair"] => Ok(()),
        // The formula is read with the model.
        ["invariant", rest @ ..] if rest.iter().any(|word| word.ends_with(':')) => Ok(()),
        _ => Err(format!("`{line}` is not understood")),
    }
}

fn property(word: &str) -> Result<(), String> {
    let name = word.strip_suffix(':').ok_or(format!("no colon after {word}"))?;
    let named = ["live:", "ltl:", "reach:"].iter().find_map(|kind| name.strip_prefix(kind));
    if PROPERTIES.contains(&name) || named.is_some_and(|name| !name.is_empty()) {
        Ok(())
    } else {
        Err(format!("{name} is no property"))
    }
}

fn queue_name(word: &str) -> Result<(), String> {
    let name = word.strip_suffix(':').filter(|name| !name.is_empty());
    name.map(|_| ()).ok_or(format!("no colon after {word}"))
}

/// `KEY=NUMBER` for the given keys and `!ENGINE`, each at most once.
fn options(words: &[&str], keys: &[&str]) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for word in words {
        let key = match word.split_once('=') {
            Some((key, value)) if keys.contains(&key) && is_number(value) => key,
            None if word.strip_prefix('!').is_some_and(|name| ENGINES.contains(&name)) => "!",
            _ => return Err(format!("`{word}` is not understood")),
        };
        if seen.contains(&key) {
            return Err(format!("`{word}` comes too late, {key} was given"));
        }
        seen.push(key);
    }
    Ok(())
}

fn is_number(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_the_documented_one() {
        let right = [
            "about: a grant and a cancel cross",
            "expect unhandled: violated steps=4 bound=1 !explore",
            "expect ltl:asked: proved",
            "expect live:Asked: proved",
            "expect sync: proved k=2 !exchange",
            "expect reach:Server.Lost: none",
            "expect queue P0->P2: bounded by 2 !flow",
            "expect queue Server: unbounded",
            "expect accept: violated",
            "limit bound=3 states=1000",
            "option fair",
            "invariant P0->P2: G (done => G !work)",
        ];
        let wrong = [
            "about:",
            "expect: violated",
            "expect safety: proved",
            "expect ltl:: proved",
            "expect deadlock: failed",
            "expect deadlock: violated steps=x",
            "expect deadlock: violated !spin",
            "expect deadlock: proved k=2",
            "expect deadlock: violated steps=1 steps=2",
            "expect queue Server: bounded",
            "limit",
            "option",
            "option unfair",
            "bound=3",
            "invariant G a",
        ];
        for line in right {
            assert_eq!(understand(line), Ok(()), "{line}");
        }
        for line in wrong {
            assert!(understand(line).is_err(), "{line}");
        }
        assert_eq!(marked("  /*@ limit bound=2 */"), Some("limit bound=2"));
    }
}
