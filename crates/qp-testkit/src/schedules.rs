//! Random schedules of one strategy, until a planted mistake is met.

use queueproof::{Loaded, Options, Strategy, Walks, check};

use crate::corpus::cases;
use crate::expect::Answer;

/// The programs of the corpus with a planted mistake: their names, and the property that is violated.
pub fn planted() -> Vec<(String, Loaded, String)> {
    let cases = cases().into_iter().map(|case| case.expect("the corpus is well-formed"));
    let planted = cases.filter(|case| case.name.contains("planted"));
    let with_property = planted.map(|case| {
        let mut expected = case.expected.properties.iter();
        let violated = expected.find(|it| matches!(it.answer, Answer::Violated { .. }));
        let about = violated.expect("a mistake is planted").about.clone();
        (case.name, case.loaded, about)
    });
    with_property.collect()
}

/// How many schedules are drawn until the first one violates the property; none if that takes more than these.
pub fn schedules_until_found(
    (loaded, property): (&Loaded, &str),
    strategy: Strategy,
    seed: u64,
    schedules_max: u64,
) -> Option<u64> {
    let walks = Walks {
        steps_max: u64::MAX,
        schedules_max: Some(schedules_max),
        seed,
        strategy: Some(strategy),
    };
    let options = Options {
        properties: vec![property.to_owned()],
        engines: vec!["roam".to_owned()],
        time: None,
        walks,
        ..Options::default()
    };
    let checked = check(loaded, &options, &options.budget());
    checked.report.figures("first_found").next()
}
