//! How words of the user and numbers appear in messages, and which one may have been meant.

/// A longer text is cut in messages and is not compared with others.
const CHARS_MAX: usize = 60;

/// More names than this are not compared: a suggestion is not worth the time.
const CANDIDATES_MAX: usize = 10_000;

/// A text of the user in quotes, on one line, cut if it is long.
pub fn quoted(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("`{}...`", &line[..end]),
        None if line.len() < text.len() => format!("`{line}...`"),
        None => format!("`{line}`"),
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let comma = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let with = |(at, digit): (usize, char)| comma(at).then_some(',').into_iter().chain([digit]);
    digits.chars().enumerate().flat_map(with).collect()
}

/// "did you mean `X`?" for the candidate that is nearest to `text`, if one is near; else `otherwise`.
///
/// A third of the letters may differ. So a short word must be right: programs are full of keywords, which are close
/// together, and of names of one letter.
pub fn did_you_mean<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    otherwise: impl Into<String>,
) -> String {
    let name = nearest(text, candidates, 0);
    name.map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// The same where one letter may differ in any case: names of automata often have one or two.
pub fn did_you_mean_nearly<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    otherwise: impl Into<String>,
) -> String {
    let name = nearest(text, candidates, 1);
    name.map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// The nearest candidate, the first of equals. A name that is written without the values behind it
/// counts as near.
fn nearest<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    least: usize,
) -> Option<&'c str> {
    let letters: Vec<char> = text.chars().take(CHARS_MAX + 1).collect();
    if letters.len() > CHARS_MAX {
        return None;
    }
    let allowed = (letters.len() / 3).max(least);
    let lacks_values =
        |candidate: &str| candidate.split_once('(').is_some_and(|(name, _)| name == text);
    let far = |candidate| if lacks_values(candidate) { 1 } else { distance(&letters, candidate) };
    candidates
        .into_iter()
        .take(CANDIDATES_MAX)
        .filter(|candidate| candidate.len() <= 4 * CHARS_MAX && *candidate != text)
        .map(|candidate| (far(candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour; upper and
/// lower case are the same.
fn distance(from: &[char], to: &str) -> usize {
    let from: Vec<char> = from.iter().map(char::to_ascii_lowercase).collect();
    let to: Vec<char> = to.chars().map(|c| c.to_ascii_lowercase()).collect();
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
    fn near_words_are_found() {
        let check = |text, candidates: &[&'static str], expect| {
            assert_eq!(nearest(text, candidates.iter().copied(), 0), expect, "{text}");
        };
        check("retrun", &["raise", "return"], Some("return"));
        check("machin", &["module", "machine"], Some("machine"));
        check("Machine", &["module", "machine"], Some("machine"));
        check("SERVER", &["Client", "Server"], Some("Server"));
        check("tok", &["ack", "tok(0)", "tok(1)"], Some("tok(0)"));
        check("on", &["in"], None);
        check("process", &["machine", "spec"], None);
        check("", &["abc"], None);
        check(&"x".repeat(1000), &["x"], None);
    }

    #[test]
    fn short_names_are_near_where_that_is_wanted() {
        assert_eq!(nearest("a", ["b", "c"], 1), Some("b"));
        assert_eq!(nearest("a", ["b", "c"], 0), None);
        assert_eq!(nearest("Printer", ["Client", "Server"], 1), None);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(quoted("abc"), "`abc`");
        assert_eq!(quoted("a\nb"), "`a...`");
        assert_eq!(quoted(&"é".repeat(70)), format!("`{}...`", "é".repeat(60)));
    }
}
