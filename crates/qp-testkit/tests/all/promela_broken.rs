//! Broken Promela models: the reader never panics, it gives a model exactly if it complains about nothing,
//! its places lie inside of the text, and what it still takes for a model can run.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use qp_base::Severity;
use qp_front_promela::{Included, Includes, Options, read};
use qp_machines::{Event, Model};
use qp_promela::{Channels, Granularity};
use qp_testkit::promela::broken::broken;
use qp_testkit::rng::Rng;

/// Of each model there are so many rounds of broken ones.
const ROUNDS: usize = 3;

const CONFIGURATIONS_MAX: usize = 200;
/// Of crowds not all steps are taken.
const OUTCOMES_MAX: usize = 3_000;

/// No text of the usual size may take longer, not even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A file that includes itself.
struct Mirror(String);

impl Includes for Mirror {
    fn open(&self, _: &str, name: &str) -> Option<Included> {
        Some(Included { name: name.to_owned(), text: self.0.clone() })
    }
}

/// Reads a text and takes the first steps. Whether it is a model; the error says what is wrong with us.
fn examine(text: &str, granularity: Granularity, channels: Channels) -> Result<bool, String> {
    let start = Instant::now();
    let examined = catch_unwind(AssertUnwindSafe(|| try_out(text, granularity, channels)));
    let examined = examined.map_err(|_| "somebody panics".to_owned())?;
    if start.elapsed() > PATIENCE {
        return Err("it takes too long".to_owned());
    }
    examined
}

fn try_out(text: &str, granularity: Granularity, channels: Channels) -> Result<bool, String> {
    let reading = read("model.pml", text, &Mirror(text.to_owned()), &Options::default());
    let end = reading.source.text.len();
    let spec = reading.spec;
    let mut said = reading.diagnostics;
    let complains =
        |said: &[qp_base::Diagnostic]| said.iter().any(|it| it.severity == Severity::Error);
    if spec.is_some() == complains(&said) {
        return Err("there is a specification exactly if there is no error".to_owned());
    }
    let mut model = None;
    if let Some(spec) = spec {
        let options = qp_promela::Options { channels, granularity, fair: false };
        let (made, more) = qp_promela::model(spec, options);
        said.extend(more);
        if made.is_some() == complains(&said) {
            return Err("there is a model exactly if there is no error".to_owned());
        }
        model = made;
    }
    for diagnostic in &said {
        let spans = diagnostic.secondary.iter().chain([&diagnostic.primary]).map(|it| it.span);
        for span in spans {
            if span.start > span.end || span.end as usize > end {
                return Err(format!("a place is not inside of the text: {diagnostic:?}"));
            }
        }
    }
    if let Some(model) = &model {
        run(model);
    }
    Ok(model.is_some())
}

/// Visits the first configurations, breadth first.
fn run(model: &Model) {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    let mut n_outcomes = 0;
    while let Some(config) = todo.pop_front() {
        if n_outcomes > OUTCOMES_MAX {
            return;
        }
        for outcome in system.successors(&config) {
            n_outcomes += 1;
            if let Event::Failed { failure } | Event::GaveUp { why: failure } = outcome.event {
                let _ = system.program().failure(failure);
            } else if seen.len() < CONFIGURATIONS_MAX && seen.insert(outcome.config.clone()) {
                todo.push_back(outcome.config);
            }
        }
    }
}

fn check(what: &str, text: &str) -> bool {
    let examined = examine(text, Granularity::Statement, Channels::Declared);
    let shown: String = text.chars().take(4_000).collect();
    examined.unwrap_or_else(|problem| panic!("{problem}: {what}\n{shown}"))
}

fn models() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let mut found = Vec::new();
    for folder in [corpus.join("features"), corpus] {
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        found.extend(entries.map(|entry| entry.expect("the corpus can be listed").path()));
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "pml"));
    found.sort();
    found
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the corpus is text")
}

#[test]
fn no_broken_model_is_too_much() {
    let rounds =
        std::env::var("QP_PROMELA_ROUNDS").map_or(ROUNDS, |it| it.parse().expect("a number"));
    let mut rng = Rng::new(rounds as u64);
    let (mut n_broken, mut n_models) = (0, 0);
    for path in models() {
        let text = text_of(&path);
        for _ in 0..rounds {
            for broken in broken(&text, &mut rng) {
                let granularity =
                    if rng.percent(50) { Granularity::Statement } else { Granularity::Visible };
                let channels =
                    if rng.percent(30) { Channels::Unbounded } else { Channels::Declared };
                let examined = examine(&broken, granularity, channels);
                let is_model = examined.unwrap_or_else(|problem| {
                    panic!(
                        "{problem}: {} ({granularity:?}, {channels:?})\n{broken}",
                        path.display()
                    )
                });
                n_broken += 1;
                n_models += usize::from(is_model);
            }
        }
    }
    println!("{n_broken} texts, {n_models} models");
    assert!(n_broken >= 500, "{n_broken} texts say little");
    assert!(n_models >= n_broken / 10, "{n_models} models of {n_broken} say little");
}

#[test]
fn models_that_end_too_early() {
    for name in ["flow", "records", "channels_in_messages"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
        let text = text_of(&path.join(format!("{name}.pml")));
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            check(name, &text[..end]);
        }
    }
}

#[test]
fn texts_that_grow() {
    let doubling: String =
        (1..60).map(|n| format!("#define m{n} m{0} m{0}\n", n - 1)).collect::<Vec<_>>().concat();
    let inlines: String = (1..40)
        .map(|n| format!("inline f{n}() {{ f{0}(); f{0}() }}\n", n - 1))
        .collect::<Vec<_>>()
        .concat();
    for (what, text) in [
        ("a macro of itself", "#define a a + a\nactive proctype p() { a }".to_owned()),
        (
            "two macros of each other",
            "#define a b b\n#define b a a\nactive proctype p() { a }".into(),
        ),
        (
            "a macro with itself in it",
            "#define f(x) f(f(x))\nactive proctype p() { f(f(1)) }".into(),
        ),
        ("doubling macros", format!("#define m0 skip;\n{doubling}active proctype p() {{ m59 }}")),
        ("doubling inlines", format!("inline f0() {{ skip }}\n{inlines}init {{ f39() }}")),
        ("an inline of itself", "inline f() { f() } init { f() }".into()),
        ("a file of itself", "#include \"model.pml\"\ninit { skip }".into()),
    ] {
        check(what, &text);
    }
}

#[test]
fn large_numbers() {
    for text in [
        "byte a[2147483647]; init { a[5] = 1 }",
        "byte a[99999999999]; init { a[5] = 1 }",
        "typedef T { int a[60000] }; typedef U { T t[60000] }; U u[60000]; init { u[1].t[2].a[3] = 4 }",
        "chan q = [2147483647] of { byte }; init { q!1; q?1 }",
        "chan q[250000] = [1] of { byte }; init { q[3]!1 }",
        "chan q[2147483647] = [1] of { byte }; init { q[3]!1 }",
        "active [100000] proctype p() { skip }",
        "active [255] proctype p() { skip }",
        "proctype p() { run p(); run p() } init { run p() }",
        "int x; init { x = 2147483647 + 1; x = x * x; x = -2147483648 / -1; x = x % 0; x = 1 << 99 }",
        "int x; init { x = 1 >> -1; x = 1 << -1; x = -2147483647 - 1; x = x % -1 }",
        "unsigned x : 33; init { x = 1 }",
        "unsigned x : 0; init { x = 1 }",
        "byte i; init { for (i : 0 .. 2147483647) { skip } }",
        "byte i; init { d_step { for (i : 0 .. 300) { skip } } }",
        "byte i; init { select (i : 0 .. 2147483647) }",
        "int i; init { atomic { do :: i++ od } }",
        "init { atomic { do :: skip od } }",
        "byte x = -1; chan q = [1] of { chan }; chan r; init { q!r; q?r; r!1 }",
    ] {
        check("a large number", text);
    }
}

#[test]
fn deep_nesting() {
    const DEEP: usize = 20_000;
    let within = |open: &str, middle: &str, close: &str| {
        format!("byte x; init {{ {}{middle}{} }}", open.repeat(DEEP), close.repeat(DEEP))
    };
    for (what, text) in [
        ("braces", within("{ ", "skip", " }")),
        ("parentheses", within("(", "1", ")")),
        ("negations", within("!", "x", "")),
        ("choices", within("if :: ", "skip", " fi")),
        ("loops", within("do :: ", "break", " od")),
        ("atomic sequences", within("atomic { ", "skip", " }")),
        ("escapes", within("{ ", "skip", " } unless { skip }")),
        ("sums", within("x + ", "x", "")),
        ("open braces", within("{ ", "", "")),
        ("open parentheses", within("(", "", "")),
        ("conditionals", within("(x -> ", "x", " : x)")),
        ("indices", within("x[", "x", "]")),
        ("formulas", format!("ltl f {{ {} true {} }}", "[] (".repeat(DEEP), ")".repeat(DEEP))),
        (
            "conditions",
            format!("#if {}1{}\n#endif\ninit {{ skip }}", "(".repeat(DEEP), ")".repeat(DEEP)),
        ),
        ("nested conditions", "#if 1\n".repeat(DEEP)),
    ] {
        check(what, &text);
    }
}

#[test]
fn long_texts() {
    let statements = "skip; ".repeat(20_000);
    let processes: String = (0..3_000)
        .map(|n| format!("active proctype p{n}() {{ skip }}\n"))
        .collect::<Vec<_>>()
        .concat();
    let options = ":: x = 1 ".repeat(20_000);
    let labels: String = (0..5_000)
        .map(|n| format!("l{n}: goto l{};\n", (n + 1) % 5_000))
        .collect::<Vec<_>>()
        .concat();
    for (what, text) in [
        ("one line", format!("init {{ {statements} skip }}")),
        ("processes", processes),
        ("options", format!("byte x; init {{ if {options} fi }}")),
        ("jumps in a circle", format!("init {{ {labels} skip }}")),
        ("a name", format!("byte {}; init {{ skip }}", "x".repeat(500_000))),
        ("a text", format!("init {{ printf(\"{}\") }}", "x".repeat(500_000))),
        ("signs", "\u{0}\u{7f}\u{ff}\u{2028}\u{1f980}`$@\\\r\u{b}".repeat(3_000)),
    ] {
        check(what, &text);
    }
}
