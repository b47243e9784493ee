//! Smaller models with the same problem, by leaving pieces of the text out.

/// More texts than this are not tried.
const TRIES_MAX: usize = 1_500;

/// Makes a model smaller as long as `fails` stays true.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    if !fails(&joined(&tokens)) {
        return text.to_owned();
    }
    let (mut tries, mut from) = (0, 0);
    loop {
        let cuts = cuts(&tokens);
        let mut progress = false;
        for number in 0..cuts.len() {
            let at = (number + from) % cuts.len();
            let smaller = cut(&tokens, &cuts[at]);
            tries += 1;
            if tries > TRIES_MAX {
                return joined(&tokens);
            }
            if smaller.len() < tokens.len() && fails(&joined(&smaller)) {
                (tokens, from, progress) = (smaller, at, true);
                break;
            }
        }
        if !progress {
            return joined(&tokens);
        }
    }
}

/// The words and signs of a text, without comments. A line for the preprocessor is one of them.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut fresh = true;
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first, fresh);
        let (token, behind) = rest.split_at(length);
        let is_gap = first.is_whitespace() || token.starts_with("/*") || token.starts_with("//");
        fresh = if is_gap { fresh || token.contains('\n') } else { token.ends_with('\n') };
        if !is_gap {
            found.push(token);
        }
        rest = behind;
    }
    found
}

fn length(rest: &str, first: char, fresh: bool) -> usize {
    let ends = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    let signs = [
        "::", "->", "..", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "!!", "??",
        "[]", "<>",
    ];
    if fresh && first == '#' {
        return line(rest);
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |at| at + 2);
    }
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if first == '"' {
        return rest[1..].find('"').map_or(rest.len(), |at| at + 2);
    }
    if first.is_whitespace() {
        ends(char::is_whitespace)
    } else if first.is_alphanumeric() || first == '_' {
        ends(|c| c.is_alphanumeric() || c == '_')
    } else if let Some(sign) = signs.iter().find(|sign| rest.starts_with(**sign)) {
        sign.len()
    } else {
        first.len_utf8()
    }
}

/// The length of a line that may go on behind a backslash.
fn line(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

/// The text of such words and signs, one statement or so to a line.
pub fn joined(tokens: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for token in tokens {
        let token = token.as_ref();
        if token.starts_with('#') && !text.ends_with('\n') {
            text.push('\n');
        }
        text += token;
        text.push(if matches!(token, ";" | "{" | "}") || token.ends_with('\n') {
            '\n'
        } else {
            ' '
        });
    }
    text
}

/// What may be left out, and what comes instead.
struct Cut {
    ranges: Vec<std::ops::Range<usize>>,
    instead: Option<&'static str>,
}

impl Cut {
    fn one(range: std::ops::Range<usize>, instead: Option<&'static str>) -> Self {
        Self { ranges: std::iter::once(range).collect(), instead }
    }
}

fn cut(tokens: &[String], cut: &Cut) -> Vec<String> {
    let mut left: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if cut.ranges.first().is_some_and(|range| range.start == at) {
            left.extend(cut.instead.map(str::to_owned));
        }
        if !cut.ranges.iter().any(|range| range.contains(&at)) {
            left.push(token.clone());
        }
    }
    left
}

/// Everything that may be left out, the longest pieces first.
fn cuts(tokens: &[String]) -> Vec<Cut> {
    let mut all = Vec::new();
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or(";", |it| tokens[it].as_str());
        let begins =
            matches!(before, ";" | "->" | "::" | "{" | "}" | "fi" | "od" | "if" | "do" | ":" | ",");
        if begins {
            let end = unit(tokens, at);
            if end > at {
                all.push(Cut::one(at..end, None));
                all.push(Cut::one(at..end, Some("skip ;")));
                all.push(Cut::one(at..end, Some("skip")));
            }
        }
        if let Some(close) = partner(tokens, at) {
            let word = usize::from(matches!(before, "atomic" | "d_step"));
            all.push(Cut { ranges: vec![at - word..at + 1, close..close + 1], instead: None });
            all.push(Cut::one(at..close + 1, Some("1")));
            let first_option = usize::from(tokens.get(at + 1).is_some_and(|it| it == "::"));
            all.push(Cut {
                ranges: vec![at..at + 1 + first_option, close..close + 1],
                instead: None,
            });
        }
    }
    all.sort_by_key(|cut| {
        std::cmp::Reverse(cut.ranges.iter().map(ExactSizeIterator::len).sum::<usize>())
    });
    all
}

/// The end of what begins here: behind a separator, or before the end of what is around it.
fn unit(tokens: &[String], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            ";" | "->" => return at + 1,
            "}" | "fi" | "od" | ")" | "]" => return at,
            "::" if at > start => return at,
            _ => {}
        }
        let Some(close) = partner(tokens, at) else {
            at += 1;
            continue;
        };
        at = close + 1;
        let goes_on = tokens.get(at).is_some_and(|it| matches!(it.as_str(), ";" | "unless" | "->"));
        if matches!(tokens[close].as_str(), "}" | "fi" | "od") && !goes_on {
            return at;
        }
    }
    at
}

/// What closes what is opened here.
fn partner(tokens: &[String], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (number, token) in tokens.iter().enumerate().skip(at) {
        match token.as_str() {
            "{" | "(" | "[" | "if" | "do" => depth += 1,
            "}" | ")" | "]" | "fi" | "od" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (number > at).then_some(number);
        }
    }
    None
}
