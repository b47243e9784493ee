//! Systems with many machines: configurations that need many words.

use std::fmt::Write;

use queueproof::{Options, VerdictWord, check, load};

/// A token that goes round; with `odd`, beside a rendezvous that never takes place.
fn ring(n: usize, odd: bool) -> String {
    let mut text = String::new();
    for m in 0..n {
        let next = (m + 1) % n;
        let (first, second) = if m == 0 { ("", "init ") } else { ("init ", "") };
        let _ = writeln!(
            text,
            "machine M{m} {{ {first}Wait: recv token -> Have  {second}Have: send M{next} token -> Wait }}"
        );
    }
    if odd {
        text.push_str("queue X rendezvous; machine X { init S: }\n");
    }
    text
}

/// The token is held or under way: two configurations and two steps per machine.
#[test]
fn rings_of_any_width_are_searched_completely() {
    for n in [2, 3, 21, 22, 43, 64, 65, 130, 300] {
        for odd in [false, true] {
            let loaded = load("ring.cfsm", ring(n, odd).as_bytes()).expect("it is a model");
            let options = Options { jobs: 1, ..Options::default() };
            let checked = check(&loaded, &options, &options.budget());
            assert!(checked.errors.is_empty(), "{n} {odd}: {:?}", checked.errors);
            let bounds = &checked.report.engines[0].bounds;
            let figures = bounds.last().expect("one bound is enough");
            let expected = (1, 2 * n as u64, 2 * n as u64);
            assert_eq!((figures.bound, figures.states, figures.transitions), expected, "{n} {odd}");
            for property in &checked.report.properties {
                let fine = matches!(property.verdict, VerdictWord::Proved | VerdictWord::None);
                assert!(fine, "{n} {odd}: {property:?}");
            }
        }
    }
}

/// Too wide is an answer, not a crash.
#[test]
fn a_ring_beyond_all_words_is_unknown() {
    let loaded = load("ring.cfsm", ring(3_000, false).as_bytes()).expect("it is a model");
    let engines = vec!["explore".to_owned()];
    let options = Options { jobs: 1, engines, ..Options::default() };
    let checked = check(&loaded, &options, &options.budget());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    let mut asked = checked.report.properties.iter().filter(|p| p.verdict != VerdictWord::None);
    assert!(asked.all(|p| p.verdict == VerdictWord::Unknown && p.reason.is_some()));
}
