//! How names appear in messages, and which one the user may have meant.

/// A longer name is cut in messages and is not compared with others.
const NAME_CHARS_MAX: usize = 60;

/// More names than this are not compared: a suggestion is not worth the time.
const CANDIDATES_MAX: usize = 10_000;

/// A text of the user in quotes, cut if it is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(NAME_CHARS_MAX) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// "did you mean `X`?" for the candidate that is nearest to `text`, if one is near; else `otherwise`.
pub(crate) fn did_you_mean<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    otherwise: impl Into<String>,
) -> String {
    match nearest(text, candidates) {
        Some(name) => format!("did you mean `{name}`?"),
        None => otherwise.into(),
    }
}

/// The nearest candidate, the first of equals. A third of the letters may differ; a message that is
/// written without its values counts as near.
fn nearest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters: Vec<char> = text.chars().take(NAME_CHARS_MAX + 1).collect();
    if letters.len() > NAME_CHARS_MAX {
        return None;
    }
    let allowed = (letters.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(CANDIDATES_MAX) {
        if candidate.len() > 4 * NAME_CHARS_MAX {
            continue;
        }
        let without_values = candidate.split_once('(').map(|(name, _)| name);
        let distance = if without_values == Some(text) { 1 } else { distance(&letters, candidate) };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour. A change
/// between upper and lower case alone counts as one.
fn distance(from: &[char], to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let same = |a: char, b: char| a.to_lowercase().eq(b.to_lowercase());
    if from.len() == to.len() && from.iter().zip(&to).all(|(&a, &b)| same(a, b)) {
        return usize::from(from != to);
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (i, &a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in to.iter().enumerate() {
            let mut least = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == to[j - 1] && from[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let check = |text, candidates: &[&'static str], expect| {
            assert_eq!(nearest(text, candidates.iter().copied()), expect, "{text}");
        };
        check("Sever", &["Client", "Server"], Some("Server"));
        check("Sevrer", &["Client", "Server"], Some("Server"));
        check("SERVER", &["Client", "Server"], Some("Server"));
        check("tok", &["ack", "tok(0)", "tok(1)"], Some("tok(0)"));
        check("Printer", &["Client", "Server"], None);
        check("a", &["b", "c"], Some("b"));
        check("", &["abc"], None);
        check(&"x".repeat(1000), &["x"], None);
    }
}
