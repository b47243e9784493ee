//! The lines in the head of a corpus file.

/// What a corpus file says about itself.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Answers about properties, by id.
    pub properties: Vec<Expected<Answer>>,
    /// Answers about queues, by name.
    pub queues: Vec<Expected<QueueAnswer>>,
    /// The greatest queue length to explore.
    pub bound: Option<u32>,
    /// The most configurations to visit.
    pub states: Option<u64>,
    /// Whether only fair runs are asked about.
    pub fair: bool,
}

/// One expected answer.
#[derive(Clone, Debug)]
pub struct Expected<T> {
    /// The property's id or the queue's name.
    pub about: String,
    /// The answer.
    pub answer: T,
    /// The engines that must find it themselves.
    pub must: Vec<String>,
}

/// What is true about a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds.
    Proved {
        /// For `sync`: the least number of messages per round that is enough; for others the length of queues that
        /// the answer is about.
        bound: Option<u32>,
    },
    /// It holds on all runs, which end in a failure of something else, or not.
    ProvedUpToFailure,
    /// It does not.
    Violated {
        /// The length of a shortest run at the least bound.
        steps: Option<usize>,
        /// The least bound.
        bound: Option<u32>,
    },
    /// Nobody knows.
    Unknown,
    /// The model gives it nothing to look at.
    None,
}

/// What is true about a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueAnswer {
    /// The exact bound.
    Bounded(u32),
    /// It can grow for ever.
    Unbounded,
    /// Nobody knows.
    Unknown,
}

/// Reads the head of a file. A line that is not understood is an error.
pub fn read(text: &str) -> Result<Expectations, String> {
    let mut all = Expectations::default();
    for line in text.lines() {
        let Some(said) = content(line) else { continue };
        let not_understood = || format!("not understood: {line}");
        let (key, rest) = said.split_once(char::is_whitespace).ok_or_else(not_understood)?;
        match key {
            // The reader of models looks at invariants.
            "about:" | "source:" | "note:" | "invariant" => {}
            "expect" => expect(rest, &mut all).ok_or_else(not_understood)?,
            "limit" => limit(rest, &mut all).ok_or_else(not_understood)?,
            "option" if rest.trim() == "fair" => all.fair = true,
            _ => return Err(not_understood()),
        }
    }
    Ok(all)
}

/// The marks differ because comments do.
fn content(line: &str) -> Option<&str> {
    let line = line.trim();
    let scm = line.strip_prefix("/*@").map(|rest| rest.strip_suffix("*/").unwrap_or(rest));
    line.strip_prefix("//@").or_else(|| line.strip_prefix("--@")).or(scm).map(str::trim)
}

fn expect(rest: &str, all: &mut Expectations) -> Option<()> {
    // Names of properties contain colons; the one before the answer is followed by a space.
    let (about, answer) = rest.split_once(": ")?;
    let mut words: Vec<&str> = answer.split_whitespace().collect();
    let mut must = Vec::new();
    while let Some(engine) = words.last().and_then(|word| word.strip_prefix('!')) {
        must.push(engine.to_owned());
        words.pop();
    }
    if let Some(queue) = about.strip_prefix("queue ") {
        let answer = match words.as_slice() {
            ["bounded", "by", n] => QueueAnswer::Bounded(n.parse().ok()?),
            ["unbounded"] => QueueAnswer::Unbounded,
            ["unknown"] => QueueAnswer::Unknown,
            _ => return None,
        };
        all.queues.push(Expected { about: queue.to_owned(), answer, must });
        return Some(());
    }
    let answer = match words.as_slice() {
        ["proved"] => Answer::Proved { bound: None },
        ["proved", least] if about == "sync" => {
            Answer::Proved { bound: Some(least.strip_prefix("k=")?.parse().ok()?) }
        }
        ["proved", bound] => {
            Answer::Proved { bound: Some(bound.strip_prefix("bound=")?.parse().ok()?) }
        }
        ["proved_up_to_failure"] => Answer::ProvedUpToFailure,
        ["unknown"] => Answer::Unknown,
        ["none"] => Answer::None,
        ["violated", figures @ ..] => {
            let (mut steps, mut bound) = (None, None);
            for figure in figures {
                match figure.split_once('=')? {
                    ("steps", n) => steps = Some(n.parse().ok()?),
                    ("bound", n) => bound = Some(n.parse().ok()?),
                    _ => return None,
                }
            }
            Answer::Violated { steps, bound }
        }
        _ => return None,
    };
    all.properties.push(Expected { about: about.to_owned(), answer, must });
    Some(())
}

fn limit(rest: &str, all: &mut Expectations) -> Option<()> {
    for figure in rest.split_whitespace() {
        match figure.split_once('=')? {
            ("bound", n) => all.bound = Some(n.parse().ok()?),
            ("states", n) => all.states = Some(n.parse().ok()?),
            _ => return None,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn understands_the_three_marks() {
        let text = "//@ about: x\n--@ expect reach:A.B: violated steps=3 bound=1 !explore\n\
                    /*@ expect queue A->B: bounded by 2 */\n//@ limit bound=4 states=100\n";
        let all = read(text).unwrap();
        let violated = Answer::Violated { steps: Some(3), bound: Some(1) };
        assert_eq!(
            (all.properties[0].about.as_str(), all.properties[0].answer),
            ("reach:A.B", violated)
        );
        assert_eq!(all.properties[0].must, ["explore"]);
        assert_eq!(
            (all.queues[0].about.as_str(), all.queues[0].answer),
            ("A->B", QueueAnswer::Bounded(2))
        );
        assert_eq!((all.bound, all.states), (Some(4), Some(100)));
    }

    #[test]
    fn knows_how_many_messages_a_round_needs() {
        let all = read("//@ expect sync: proved k=2 !exchange").unwrap();
        assert_eq!(all.properties[0].answer, Answer::Proved { bound: Some(2) });
        assert_eq!(all.properties[0].must, ["exchange"]);
    }

    #[test]
    fn knows_which_runs_are_asked_about() {
        assert!(read("//@ option fair").unwrap().fair);
        assert!(!read("//@ about: x").unwrap().fair);
    }

    #[test]
    fn leaves_invariants_to_the_reader_of_models() {
        let all = read("//@ invariant A->B: at most 1 m\n--@ invariant (").unwrap();
        assert!(all.properties.is_empty() && all.queues.is_empty());
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        for line in [
            "//@ expects deadlock: proved",
            "//@ expect deadlock: safe",
            "//@ expect deadlock: violated in 3",
            "//@ expect deadlock: proved k=2",
            "//@ expect sync: violated k=2",
            "//@ expect queue A: bounded",
            "//@ limit time=3",
            "//@ option unfair",
            "//@ invariants A: m",
            "//@",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
