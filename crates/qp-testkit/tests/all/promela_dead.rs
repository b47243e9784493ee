//! Dead variables of Promela models are reset: what goes wrong stays the same, and there are no more configurations.

use qp_machines::Model;
use qp_promela::{Channels, Granularity};
use qp_testkit::promela::make::{Wanted, model as text_of};
use qp_testkit::promela::ours::{Searched, model_with, search};
use queueproof::{Options, Report, VerdictWord, check, load};

const MOST: usize = 60_000;

/// The model without resets, if it has any.
fn in_full(model: &Model) -> Option<Model> {
    let mut full = model.clone();
    full.program = model.program.in_full()?;
    Some(full)
}

/// How many configurations a model has with resets, and without; none if there is nothing to compare.
fn compare(name: &str, text: &str, channels: Channels) -> Option<(usize, usize)> {
    let model = model_with(text, Granularity::Visible, channels).ok()?;
    let full = in_full(&model)?;
    let (ours, plain) = (search(&model, MOST)?, search(&full, MOST)?);
    let told = |it: &Searched| (it.failures.clone(), it.stuck);
    assert_eq!(told(&ours), told(&plain), "{name}\n{text}");
    assert!(ours.stored <= plain.stored, "{name}: {} > {}\n{text}", ours.stored, plain.stored);
    Some((ours.stored, plain.stored))
}

#[test]
fn random_models_are_wrong_in_the_same_ways() {
    let (mut n, mut n_fewer) = (0, 0);
    for seed in 0..600 {
        let text = text_of(seed, Wanted::Safety);
        let Some((ours, plain)) = compare(&format!("seed {seed}"), &text, Channels::Declared)
        else {
            continue;
        };
        n += 1;
        n_fewer += usize::from(ours < plain);
    }
    assert!(n > 100 && n_fewer > 20, "{n} models, {n_fewer} with fewer configurations");
}

#[test]
fn the_corpus_is_wrong_in_the_same_ways() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let (mut n, mut n_fewer) = (0, 0);
    for folder in [folder.clone(), folder.join("features")] {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the corpus can be listed")
            .map(|entry| entry.expect("the corpus can be listed").path())
            .filter(|path| path.extension().is_some_and(|it| it == "pml"))
            .collect();
        paths.sort();
        for path in paths {
            let text =
                String::from_utf8_lossy(&std::fs::read(&path).expect("it is there")).into_owned();
            let Some((ours, plain)) =
                compare(&path.display().to_string(), &text, Channels::Declared)
            else {
                continue;
            };
            n += 1;
            n_fewer += usize::from(ours < plain);
        }
    }
    assert!(n > 20 && n_fewer > 3, "{n} models, {n_fewer} with fewer configurations");
}

#[test]
fn what_nobody_reads_any_more_is_forgotten() {
    let counts = |text: &str| compare(text, text, Channels::Declared);
    let head = "byte g, a[2]; active proctype P() { byte x; if :: x = 1 :: x = 2 fi; ";
    let forgets = counts(&format!("{head} g = 1; g = 2 }}")).expect("x is dead");
    assert!(forgets.0 < forgets.1, "{forgets:?}");
    for reads in [
        // Until its last step, and what is printed or asserted counts: that may fail.
        "g = 1; g = x }",
        "g = 1; printf(\"%d\", x) }",
        "g = 1; assert(x < 3) }",
        "g = 1; d_step { g = 2; g = x } }",
        "g = 1; { g = 2 } unless { x == 7 } }",
        "g = 1; do :: g < 3 -> g++ :: x == 1 && g == 3 -> break od }",
    ] {
        let text = format!("{head}{reads}");
        let model = model_with(&text, Granularity::Visible, Channels::Declared).expect(&text);
        let (ours, plain) =
            (search(&model, MOST), in_full(&model).and_then(|it| search(&it, MOST)));
        let n = |it: &Option<Searched>| it.as_ref().map(|it| (it.failures.clone(), it.stuck));
        assert!(plain.is_none() || n(&ours) == n(&plain), "{text}");
    }
    let remote = format!("{head} g = 1; g = 2 }} active proctype Q() {{ assert(P:x != 2) }}");
    let model =
        model_with(&remote, Granularity::Visible, Channels::Declared).expect("it is a model");
    let found = search(&model, MOST).expect("it is small");
    assert_eq!(found.failures.len(), 1, "others see it");
}

#[test]
fn an_index_that_is_wrong_stays_wrong() {
    // The value goes into a variable that nobody reads, but computing it fails.
    let text = "byte a[2]; active proctype P() { byte i, y; i = 5; a[0] = 1; y = a[i] }";
    let model = model_with(text, Granularity::Visible, Channels::Declared).expect("it is a model");
    assert_eq!(search(&model, MOST).expect("it is small").failures.len(), 1);
}

/// The verdicts of everything that applies, infinite runs included.
fn verdicts(name: &str, report: &Report) -> Vec<(String, VerdictWord)> {
    assert!(!report.properties.is_empty(), "{name}");
    report.properties.iter().map(|it| (it.id.clone(), it.verdict)).collect()
}

#[test]
fn all_properties_have_the_same_answers() {
    let mut n = 0;
    let wanted = [Wanted::Formulas, Wanted::Progress, Wanted::Acceptance, Wanted::Never];
    for seed in 0..160 {
        let text = text_of(seed, wanted[(seed % 4) as usize]);
        let Ok(mut loaded) = load("m.pml", text.as_bytes()) else { continue };
        let Some(full) = in_full(&loaded.model) else { continue };
        let options = Options {
            properties: vec!["all".to_owned()],
            engines: vec!["explore".to_owned()],
            time: None,
            states_max: 20_000,
            ..Options::default()
        };
        let ours = check(&loaded, &options, &options.budget());
        assert!(ours.errors.is_empty(), "seed {seed}: {:?}\n{text}", ours.errors);
        loaded.model = full;
        let plain = check(&loaded, &options, &options.budget());
        let (ours, plain) = (verdicts("ours", &ours.report), verdicts("plain", &plain.report));
        for (one, other) in ours.iter().zip(&plain) {
            // Fewer configurations may fit into the limit.
            let is_open = other.1 == VerdictWord::Unknown;
            assert!(
                one == other || is_open && one.0 == other.0,
                "seed {seed}: {one:?} {other:?}\n{text}"
            );
        }
        n += 1;
    }
    assert!(n > 40, "{n}");
}
