//! What the user says about how a program is to be read, and how it is written down beside results.

use qp_front_p::{Assume, Foreign, Options, Range};
use qp_program::Dialect;
use qp_promela::{Channels, Granularity};

use crate::Language;

/// What the user says about how a program is to be read. Most switches are for one language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Switches {
    /// The language, if the end of the name does not say it.
    pub language: Option<Language>,
    /// The test case.
    pub test: Option<String>,
    /// The dialect, if it is not to be recognised.
    pub dialect: Option<Dialect>,
    /// What `assume` on events and machines means.
    pub assume: Assume,
    /// What foreign functions mean.
    pub foreign: Foreign,
    /// What single foreign functions return.
    pub ranges: Vec<Range>,
    /// Whether every spec of a P program watches everybody.
    pub all_specs: bool,
    /// Macros of a Promela model that are defined before its first line, in order, each with what it
    /// stands for.
    pub defines: Vec<(String, String)>,
    /// How much fits into the channels of a Promela model.
    pub channels: Option<Channels>,
    /// What is one step of a Promela model.
    pub granularity: Option<Granularity>,
    /// Whether only fair infinite runs count, in any language.
    pub fair: bool,
    /// What counts as progress in a P program: names of states and events, in order.
    pub progress_at: Vec<String>,
    /// Demands on what is sent, as formulas, in any language.
    pub ltl: Vec<String>,
    /// What is to remain possible: names of states and messages, in any language.
    pub possible: Vec<String>,
    /// How much fits into queues, whatever the text says, in any language.
    pub capacities: Vec<(String, u32)>,
}

impl Switches {
    /// As names and values, for files and reports. What is not set is left out.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let mut add = |name: &str, value: &str| pairs.push((name.to_owned(), value.to_owned()));
        if let Some(language) = self.language {
            add("language", language.word());
        }
        if let Some(test) = &self.test {
            add("test", test);
        }
        if let Some(dialect) = self.dialect {
            add("dialect", dialect_name(dialect));
        }
        if self.assume == Assume::Strip {
            add("assume", "strip");
        }
        if self.foreign == Foreign::Havoc {
            add("foreign", "havoc");
        }
        for range in &self.ranges {
            add("foreign", &range.to_string());
        }
        if self.all_specs {
            add("all-specs", "yes");
        }
        for (name, value) in &self.defines {
            add("define", &format!("{name}={value}"));
        }
        if let Some(channels) = self.channels {
            add("channels", channels_name(channels));
        }
        if let Some(granularity) = self.granularity {
            add("granularity", granularity_name(granularity));
        }
        if self.fair {
            add("fair", "yes");
        }
        for name in &self.progress_at {
            add("progress-at", name);
        }
        for formula in &self.ltl {
            add("ltl", formula);
        }
        for name in &self.possible {
            add("possible", name);
        }
        for (queue, messages) in &self.capacities {
            add("set", &format!("{queue}={messages}"));
        }
        pairs
    }

    /// The switches with these names and values, or the name or value that is not known.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<Self, String> {
        let mut switches = Self::default();
        for (name, value) in pairs {
            match (name.as_str(), value.as_str()) {
                ("language", word) if Language::named(word).is_some() => {
                    switches.language = Language::named(word);
                }
                ("test", _) => switches.test = Some(value.clone()),
                ("dialect", "2018") => switches.dialect = Some(Dialect::Y2018),
                ("dialect", "current") => switches.dialect = Some(Dialect::Current),
                ("assume", "honour") => switches.assume = Assume::Honour,
                ("assume", "strip") => switches.assume = Assume::Strip,
                ("foreign", "refuse") => switches.foreign = Foreign::Refuse,
                ("foreign", "havoc") => switches.foreign = Foreign::Havoc,
                ("foreign", _) if Range::read(value).is_some() => {
                    switches.ranges.extend(Range::read(value));
                }
                ("all-specs", "yes") => switches.all_specs = true,
                ("define", _) if define(value).is_some() => switches.defines.extend(define(value)),
                ("channels", "declared") => switches.channels = Some(Channels::Declared),
                ("channels", "unbounded") => switches.channels = Some(Channels::Unbounded),
                ("granularity", "statement") => {
                    switches.granularity = Some(Granularity::Statement);
                }
                ("granularity", "visible") => switches.granularity = Some(Granularity::Visible),
                ("fair", "yes") => switches.fair = true,
                ("fair", "no") => switches.fair = false,
                ("progress-at", _) => switches.progress_at.push(value.clone()),
                ("ltl", _) => switches.ltl.push(value.clone()),
                ("possible", _) => switches.possible.push(value.clone()),
                ("set", _) if capacity(value).is_some() => {
                    switches.capacities.extend(capacity(value));
                }
                _ => return Err(format!("{name} = {value} is not a known switch")),
            }
        }
        Ok(switches)
    }

    /// The options with which a command reads a program in this way.
    pub fn arguments(&self) -> Vec<String> {
        let argument = |(name, value): (String, String)| match name.as_str() {
            "define" => vec!["-D".to_owned(), quoted(&value)],
            "set" | "ltl" | "possible" => vec![format!("--{name}"), quoted(&value)],
            "fair" | "all-specs" => vec![format!("--{name}")],
            // Today's dialect is what a program has that is not recognised as an old one, so it need not
            // be asked for.
            "dialect" if value == "current" => Vec::new(),
            _ => vec![format!("--{name}"), value],
        };
        self.pairs().into_iter().flat_map(argument).collect()
    }

    /// The first switch that is set and is for Promela models only.
    pub(crate) fn only_promela(&self) -> Option<&'static str> {
        if !self.defines.is_empty() {
            return Some("-D");
        }
        let granularity = self.granularity.map(|_| "--granularity");
        self.channels.map(|_| "--channels").or(granularity)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            test: self.test.clone(),
            dialect: self.dialect,
            assume: self.assume,
            foreign: self.foreign,
            ranges: self.ranges.clone(),
            all_specs: self.all_specs,
        }
    }
}

/// The name of a dialect on the command line and in reports.
pub fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Y2018 => "2018",
        Dialect::Current => "current",
    }
}

/// The name and the text of a macro that is written `NAME`, `NAME=TEXT` or `NAME(PARAMETERS)=TEXT`. Without
/// a text it stands for 1.
pub fn define(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let word = name.split_once('(').map_or(name, |(word, _)| word);
    let first = word.chars().next()?;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = !first.is_ascii_digit() && word.chars().all(is_letter);
    let is_whole = name.len() == word.len() || name.ends_with(')');
    (is_name && is_whole && !text.contains(['\n', '\r']))
        .then(|| (name.to_owned(), value.to_owned()))
}

/// The queue and the capacity that are written `QUEUE=N`.
pub fn capacity(text: &str) -> Option<(String, u32)> {
    let (queue, messages) = text.rsplit_once('=')?;
    let messages = messages.parse().ok().filter(|&messages| messages > 0)?;
    (!queue.is_empty() && !queue.contains(['\n', '\r'])).then(|| (queue.to_owned(), messages))
}

/// A text as a shell takes it for one word.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_=.,+-/:".contains(c);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The name of a reading of channels on the command line and in reports.
pub(crate) fn channels_name(channels: Channels) -> &'static str {
    match channels {
        Channels::Declared => "declared",
        Channels::Unbounded => "unbounded",
    }
}

/// The name of a size of steps on the command line and in reports.
pub(crate) fn granularity_name(granularity: Granularity) -> &'static str {
    match granularity {
        Granularity::Visible => "visible",
        Granularity::Statement => "statement",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_lead_back_to_the_switches() {
        let define = |text| define(text).expect("it is a macro");
        let switches = Switches {
            language: Some(Language::Promela),
            defines: vec![define("N=3"), define("FAST"), define("max(a,b)=a > b")],
            channels: Some(Channels::Unbounded),
            granularity: Some(Granularity::Statement),
            fair: true,
            progress_at: vec!["Client.Idle".to_owned(), "ePong".to_owned()],
            possible: vec!["Client.Idle".to_owned()],
            ..Switches::default()
        };
        assert_eq!(Switches::from_pairs(&switches.pairs()), Ok(switches.clone()));
        let expected = "--language promela -D N=3 -D FAST=1 -D 'max(a,b)=a > b' --channels unbounded \
                        --granularity statement --fair --progress-at Client.Idle --progress-at ePong --possible \
                        Client.Idle";
        assert_eq!(switches.arguments().join(" "), expected);
        assert_eq!(Switches::default().pairs(), []);
    }

    #[test]
    fn macros_are_read_as_compilers_read_them() {
        let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(define("A"), pair("A", "1"));
        assert_eq!(define("A="), pair("A", ""));
        assert_eq!(define("A=B=C"), pair("A", "B=C"));
        assert_eq!(define("f(x)=x"), pair("f(x)", "x"));
        for wrong in ["", "=1", "1A", "A B", "f(x", "A=\n#define B"] {
            assert_eq!(define(wrong), None, "{wrong:?}");
        }
    }
}
