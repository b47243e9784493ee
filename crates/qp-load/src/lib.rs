//! From names and contents of files to a model: picks the reader.
//!
//! Absent on purpose: reading of files. Whoever calls this has the bytes already, from a disk, an
//! archive or an editor, or lends a [`Disk`].

mod gather;
mod capacities;
mod demands;
mod invariants;
mod language;
mod possible;
mod promela;
mod progress;
mod switches;

use std::borrow::Cow;

use qp_base::{Code, Diagnostic, Severity, Source, Span};
use qp_machines::{Model, Qutl};

pub use gather::{Disk, GatherError, Models, gather, models, remarks};
pub use invariants::{Invariant, invariant, invariants, unknown_name};
pub use language::Language;
pub use qp_front_p::{Assume, Foreign, Range};
pub use qp_front_promela::KEYWORDS;
pub use qp_program::Dialect;
use qp_program::Reductions;
pub use qp_promela::{Channels, Granularity, trail};
pub use switches::{Switches, capacity, define, dialect_name};

/// The extensions that are known, for help texts and file dialogs.
pub const EXTENSIONS: &[&str] =
    &["cfsm", "scm", "fsa", "fsm", "p", "pproj", "pml", "promela", "prom"];

/// The kinds of messages of this crate. Each has a page in `docs/errors/`.
pub const CODES: &[Code] = &[
    NOT_TEXT,
    EXTENSION,
    OTHER_LANGUAGE,
    Qutl::CODE,
    invariants::NOTHING_NAMED,
    progress::NO_MARK,
    NO_SUCH_QUEUE,
    demands::CODE,
    possible::CODE,
    gather::NO_FOLDER,
];

const NOT_TEXT: Code = Code(114);
const EXTENSION: Code = Code(115);
const OTHER_LANGUAGE: Code = Code(116);
const NO_SUCH_QUEUE: Code = Code(117);
/// Shared with the reader of P programs.
const NO_SUCH_TEST: Code = Code(261);
/// Shared with the readers of single files.
const TOO_LARGE: Code = Code(103);
/// Shared with the readers of single files.
const MORE: Code = Code(119);

/// Places are 32-bit numbers; this leaves room for one past the end.
const TEXT_BYTES_MAX: usize = 1 << 31;

/// A file with its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The name under which the user knows it.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What was read.
pub struct Reading {
    /// The model; there is one exactly if no diagnostic is an error.
    pub model: Option<Model>,
    /// The text, which places in diagnostics refer to.
    pub source: Source,
    /// What the reader has to say.
    pub diagnostics: Vec<Diagnostic>,
    /// The test cases that can be chosen from.
    pub tests: Vec<String>,
    /// How the text was understood, where there is a choice.
    pub facts: Vec<Fact>,
    /// What limits the meaning of verdicts about the model.
    pub caveats: Vec<String>,
    /// What the text says about queues, in lines `//@ invariant NAME: FORMULA`.
    pub invariants: Vec<Invariant>,
    /// The switches that lead to this reading again.
    pub switches: Switches,
}

/// One respect in which a text could be understood in several ways, and how it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// For instance `dialect`.
    pub name: &'static str,
    /// For instance `2018`.
    pub value: String,
    /// Why it is so, in a few words for people.
    pub note: Option<&'static str>,
}

impl Fact {
    fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), note: None }
    }
}

/// Reads a model that is known to the user as `name` and consists of these files.
pub fn load_files(name: &str, files: &[File], switches: &Switches) -> Reading {
    let first = files.first().map_or(name, |file| file.name.as_str());
    let language = switches.language_of(first);
    let text = |file: &File| match language {
        Some(Language::Promela) => promela::text_of(&file.bytes).into_owned(),
        _ => text_of(&file.bytes).into_owned(),
    };
    let parts: Vec<(String, String)> =
        files.iter().map(|file| (file.name.clone(), text(file))).collect();
    let source = match &parts[..] {
        [(file, text)] if file == name => Source::new(name, text.as_str()),
        _ => Source::joined(name, &parts),
    };
    let mut reading = Reading {
        model: None,
        source,
        diagnostics: Vec::new(),
        tests: Vec::new(),
        facts: Vec::new(),
        caveats: Vec::new(),
        invariants: Vec::new(),
        switches: Switches::default(),
    };
    if reading.source.text.len() > TEXT_BYTES_MAX {
        reading.diagnostics.push(too_large());
        return reading;
    }
    if language != Some(Language::Promela)
        && let Some(error) = first_non_text(files, &reading.source)
    {
        reading.diagnostics.push(error);
        return reading;
    }
    match language {
        other if other != Some(Language::Promela) && switches.only_promela().is_some() => {
            reading.diagnostics.extend(switches.only_promela().map(only_promela));
        }
        other if other != Some(Language::P) && !switches.progress_at.is_empty() => {
            reading.diagnostics.push(only_p());
        }
        // A project without any file has no program either: the reader says so.
        Some(Language::P) => read_p(&mut reading, switches),
        other => {
            if let Some(test) = &switches.test {
                reading.diagnostics.push(no_test_cases(test));
            } else if other == Some(Language::Promela) {
                promela::read(&mut reading, &parts, switches);
            } else {
                let read = read_automata(first, other, &reading.source.text);
                (reading.model, reading.diagnostics) = read;
            }
        }
    }
    reading.switches.language = switches.language;
    if switches.fair {
        count_fair_runs(&mut reading);
    }
    capacities::give(&mut reading, &switches.capacities);
    demands::make(&mut reading, &switches.ltl);
    possible::ask(&mut reading, &switches.possible);
    let (stated, mut wrong) = invariants::in_model(&reading.source.text);
    if let Some(model) = &reading.model {
        wrong.extend(invariants::unknown_names(model.outline(), &stated));
    }
    reading.invariants = stated;
    reading.model = reading.model.filter(|_| wrong.is_empty());
    reading.diagnostics.extend(wrong);
    reading
}

/// Lets only fair infinite runs count.
fn count_fair_runs(reading: &mut Reading) {
    let Some(model) = &mut reading.model else { return };
    model.count_fair_runs();
    reading.facts.push(Fact::new("fairness", "weak"));
    reading.switches.fair = true;
}

fn read_automata(
    path_name: &str,
    language: Option<Language>,
    text: &str,
) -> (Option<Model>, Vec<Diagnostic>) {
    match language {
        Some(Language::Cfsm) => qp_front_cfsm::cfsm(text),
        Some(Language::Scm) => qp_front_cfsm::scm(text),
        Some(Language::Fsa) => qp_front_cfsm::fsa(text),
        Some(Language::P | Language::Promela) | None => (None, vec![unknown_extension(path_name)]),
    }
}

fn read_p(reading: &mut Reading, switches: &Switches) {
    let Reading { source, .. } = reading;
    let read = qp_front_p::read(&source.text, &source.starts(), &switches.options());
    let refused = read.diagnostics.iter().any(|it| it.severity == Severity::Error);
    debug_assert_eq!(refused, read.blueprint.is_none());
    reading.diagnostics = read.diagnostics;
    let (model, left_out) = read
        .blueprint
        .and_then(|blueprint| {
            let marks = progress::marks(&blueprint, &switches.progress_at);
            let marks = marks.map_err(|errors| reading.diagnostics.extend(errors)).ok()?;
            Some(qp_program::marked_model(blueprint, marks))
        })
        .unzip();
    reading.model = model;
    reading.tests = read.tests;
    reading.caveats = read.caveats;
    let how = if read.dialect_forced { "as asked for" } else { "recognised" };
    let assume = match switches.assume {
        Assume::Honour => "honour",
        Assume::Strip => "strip",
    };
    reading.facts.extend(read.test.clone().map(|test| Fact::new("test", test)));
    let dialect = Fact::new("dialect", dialect_name(read.dialect));
    reading.facts.push(Fact { note: Some(how), ..dialect });
    reading.facts.push(Fact::new("assume", assume));
    if !switches.progress_at.is_empty() {
        reading.facts.push(Fact::new("progress", switches.progress_at.join(", ")));
    }
    if let Some(Reductions { variables, payloads, .. }) = left_out {
        let payloads = payloads.iter().map(|event| format!("payload of {event}"));
        let names: Vec<String> = variables.into_iter().chain(payloads).collect();
        if !names.is_empty() {
            reading.facts.push(Fact::new("left out", names.join("; ")));
        }
    }
    // Where there is no choice, nothing needs to be remembered.
    let test = read.test.filter(|_| reading.tests.len() > 1);
    reading.switches = Switches { test, dialect: Some(read.dialect), ..switches.clone() };
}

/// Reads a model of one file with the reader that belongs to the extension of its name. There is a model
/// exactly if no diagnostic is an error.
pub fn load(path_name: &str, text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    load_bytes(path_name, text.as_bytes())
}

/// Reads a model of one file from bytes. Places in diagnostics refer to [`text_of`] the bytes.
pub fn load_bytes(path_name: &str, bytes: &[u8]) -> (Option<Model>, Vec<Diagnostic>) {
    let file = File { name: path_name.to_owned(), bytes: bytes.to_vec() };
    let reading = load_files(path_name, &[file], &Switches::default());
    (reading.model, reading.diagnostics)
}

/// The text that places in diagnostics refer to: without a byte order mark, and with a replacement
/// character for what is no text. Carriage returns stay; every reader takes them for spaces.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(without_mark(bytes))
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn extension(path_name: &str) -> String {
    let file_name = path_name.rsplit(['/', '\\']).next().unwrap_or(path_name);
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// The text of a file up to its first wrong byte is the same in [`text_of`], so the place is right.
fn first_non_text(files: &[File], source: &Source) -> Option<Diagnostic> {
    files.iter().zip(source.starts()).find_map(|(file, start)| {
        let error = std::str::from_utf8(without_mark(&file.bytes)).err()?;
        Some(not_text(start as usize + error.valid_up_to()))
    })
}

fn too_large() -> Diagnostic {
    let error = Diagnostic::error(TOO_LARGE, "the text is too large", Span::default());
    error.help("at most 2 GB can be read")
}

fn no_test_cases(test: &str) -> Diagnostic {
    let message = format!("there is no test case `{test}`");
    Diagnostic::error(NO_SUCH_TEST, message, Span::default())
        .help("only P programs have test cases; leave `--test` out")
}

fn only_promela(option: &str) -> Diagnostic {
    let message = format!("`{option}` is for Promela models, and this is none");
    Diagnostic::error(OTHER_LANGUAGE, message, Span::default()).help(format!(
        "leave `{option}` out; Promela models end in `.pml`, `.promela` or `.prom`, or are read \
             with `--language promela`"
    ))
}

fn only_p() -> Diagnostic {
    let message = "`--progress-at` is for P programs, and this is none";
    Diagnostic::error(OTHER_LANGUAGE, message, Span::default()).help(
        "mark progress in the model: with `progress` in front of a state or in the name of a label",
    )
}

fn not_text(at: usize) -> Diagnostic {
    let message = "this is not text in UTF-8";
    Diagnostic::error(NOT_TEXT, message, Span::new(at..at + 1))
        .label("the first byte that is not")
        .help("save the file as UTF-8; is it a model at all?")
}

fn unknown_extension(path_name: &str) -> Diagnostic {
    let file_name = path_name.rsplit(['/', '\\']).next().unwrap_or(path_name);
    let shown: String = file_name.chars().take(60).collect();
    let message = format!("the name `{shown}` does not say which language this is");
    let known: Vec<String> = EXTENSIONS.iter().map(|known| format!("`.{known}`")).collect();
    let help =
        format!("say it with `--language`, or name the file with one of {}", known.join(", "));
    Diagnostic::error(EXTENSION, message, Span::default()).help(help)
}

#[cfg(test)]
mod tests;
