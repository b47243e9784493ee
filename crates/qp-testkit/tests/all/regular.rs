//! Sets in which queues hold languages: what the referee makes of sets that are right, that are guessed, and that
//! were broken, against the plain step function.

use std::sync::Arc;

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{
    CertificateFile, Claim, ClosedSet, Proof, RegularSet, model_hash, read_certificate,
    write_certificate,
};
use qp_engines::{ContentLimits, Engine, Explore, Task, TaskLimits, contents};
use qp_machines::{Config, Event, Model, Property, QueueId, System};
use qp_testkit::brute::{reach, violates};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::judge::through_text;
use qp_testkit::languages::{Guess, Members, by_hand, guessed, of_closed};
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::mutate;
use qp_testkit::pageant::Pageant;
use qp_testkit::rng::Rng;
use queueproof::load;

fn model(text: &str) -> Model {
    load("m.cfsm", text.as_bytes()).expect("it is a model").model
}

fn claim(set: RegularSet) -> Claim {
    Claim::Holds(Proof::Regular(Arc::new(set)))
}

fn verdict(model: &Model, property: Property, claim: &Claim) -> Result<(), String> {
    let mut referee = Referee::new(model, 10_000);
    referee.check(property, claim).map(drop).map_err(|rejected| rejected.0)
}

/// What a set can prove about a model.
fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    let queues = (0..model.outline().queues.len()).map(QueueId::new);
    all.extend(queues.flat_map(|queue| [1, 2].map(|bound| Property::Length(queue, bound))));
    all.push(Property::Bounded);
    all
}

/// The set of everything that is reachable, if queues stay short.
fn everything(model: &Model) -> Option<Arc<ClosedSet>> {
    let limits = TaskLimits {
        bound_max: 3,
        exhaustive: true,
        small_max: 2_000,
        evidence_max: 300,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), vec![Property::Bounded]);
    let task = Task { model, properties, invariants: Vec::new(), limits };
    let mut answers = Explore.run(task, &Budget::states(5_000));
    match answers.claims.remove(0).claim {
        Claim::Holds(Proof::Closed(set)) => Some(set),
        _ => None,
    }
}

/// A set with languages proves what the closed set of the same configurations proves, and nothing else. Or it is
/// refused for one of these reasons.
fn compare(name: &str, model: &Model, set: &Arc<ClosedSet>, merged: Option<usize>) -> bool {
    let closed = Claim::Holds(Proof::Closed(set.clone()));
    let regular = through_text(&claim(of_closed(set, merged))).expect("it can be written");
    let (mut plain, mut languages) = (Referee::new(model, 10_000), Referee::new(model, 10_000));
    for property in properties(model) {
        let expected = plain.check(property, &closed).is_ok();
        match languages.check(property, &regular) {
            Ok(_) => assert!(expected, "{name}, merged {merged:?}: {property:?} is proved"),
            Err(rejected) if outside(&rejected.0) => return false,
            Err(rejected) => {
                assert!(!expected, "{name}, merged {merged:?}: {property:?}: {rejected}");
            }
        }
    }
    for property in [Property::Stuck, Property::Orphan, Property::Livelock, Property::Sync] {
        assert!(languages.check(property, &regular).is_err(), "{name}: {property:?}");
    }
    true
}

fn outside(why: &str) -> bool {
    const FRAGMENT: [&str; 3] = ["goes on alone", "kept sorted", "nobody knows"];
    FRAGMENT.iter().any(|known| why.contains(known))
}

#[test]
fn finite_sets_prove_the_same_with_languages() {
    let (mut n_compared, mut n_outside) = (0, 0);
    for seed in 0..200 {
        let net = make::net(seed);
        let Ok(loaded) = loaded(&net) else { continue };
        let Some(set) = everything(&loaded.model) else { continue };
        let merged = (0..set.n_queues).map(Some);
        for merged in [None].into_iter().chain(merged) {
            let inside = compare(&format!("seed {seed}"), &loaded.model, &set, merged);
            n_compared += usize::from(inside);
            n_outside += usize::from(!inside);
        }
    }
    assert!(n_compared > 300 && n_outside == 0, "{n_compared}, {n_outside}");
}

#[test]
fn finite_sets_of_lazy_machines_prove_the_same_with_languages() {
    let (mut n_compared, mut n_outside) = (0, 0);
    for seed in 0..600 {
        let model = Lazy::new(seed).model();
        let Some(set) = everything(&model) else { continue };
        for merged in [None, Some(0), Some(1)] {
            let inside = compare(&format!("seed {seed}"), &model, &set, merged);
            n_compared += usize::from(inside);
            n_outside += usize::from(!inside);
        }
    }
    assert!(n_compared > 100 && n_outside > 3, "{n_compared}, {n_outside}");
}

#[test]
fn finite_sets_of_programs_with_turns_prove_the_same_with_languages() {
    let (mut n_compared, mut n_outside) = (0, 0);
    for seed in 0..500 {
        let pageant = if seed % 2 == 0 { Pageant::new } else { Pageant::discreet };
        let model = pageant(seed, seed % 3 == 0).model();
        let Some(set) = everything(&model) else { continue };
        for merged in [None, Some(0)] {
            let inside = compare(&format!("seed {seed}"), &model, &set, merged);
            n_compared += usize::from(inside);
            n_outside += usize::from(!inside);
        }
    }
    assert!(n_compared > 100 && n_outside > 10, "{n_compared}, {n_outside}");
}

#[test]
fn finite_sets_of_the_corpus_prove_the_same_with_languages() {
    let (mut n_compared, mut n_created, mut n_closed) = (0, 0, 0);
    for case in cases().into_iter().flatten() {
        let model = &case.loaded.model;
        let Some(set) = everything(model) else { continue };
        for merged in [None, Some(0).filter(|_| set.n_queues > 0)] {
            if compare(&case.name, model, &set, merged) {
                n_compared += 1;
                n_created += usize::from(set.locals.len() > model.outline().machines.len());
                let closed = set.contents.iter().any(|content| content.messages.is_none());
                n_closed += usize::from(closed);
            }
        }
    }
    let counts = [n_compared, n_created, n_closed];
    assert!(n_compared > 40 && n_created > 10 && n_closed > 0, "{counts:?}");
}

/// What is wrong with a set, as far as its short configurations show: a step that leads out of it, or a fault for
/// one of the properties.
fn problem(system: &mut System, set: &RegularSet, proved: &[Property]) -> Option<String> {
    let members = Members::new(set);
    let initial = system.initial();
    if !members.contains(system, &initial) {
        return Some("the beginning is missing".to_owned());
    }
    for config in members.short(system, 3, 20) {
        let outcomes = system.successors(&config);
        let wrong = |&&property: &&_| violates(system, property, &config, &outcomes);
        if let Some(property) = proved.iter().find(wrong) {
            return Some(format!("{property:?} is violated in {config:?}"));
        }
        for outcome in outcomes {
            let ends = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
            if !ends && !members.contains(system, &outcome.config) {
                return Some(format!("{:?} leads out of the set", outcome.step));
            }
        }
    }
    None
}

/// What is reached with short queues is in the set.
fn missing(system: &System, set: &RegularSet, reached: &[Config]) -> Option<String> {
    let members = Members::new(set);
    let missing = reached.iter().find(|config| !members.contains(system, config));
    missing.map(|config| format!("{config:?} is missing"))
}

/// Sets that may be closed, with languages that are not finite.
fn guesses(system: &mut System) -> Vec<RegularSet> {
    let mut all = Vec::new();
    for bound in [2, 3] {
        let reached = reach(system, &[], bound, 60);
        if reached.complete {
            all.push(guessed(system, &reached.configs, Guess::Runs));
            all.push(guessed(system, &reached.configs, Guess::Tails));
        }
    }
    all
}

/// How often the referee accepted and refused.
#[derive(Default, Debug)]
struct Counts {
    accepted: usize,
    proved: usize,
    infinite: usize,
    refused: usize,
}

/// A model, and what is reached in it with short queues.
struct Subject {
    name: String,
    model: Model,
    system: System,
    reached: Vec<Config>,
}

impl Subject {
    fn new(name: String, model: Model) -> Self {
        let mut system = model.system();
        let reached = reach(&mut system, &[], 5, 200).configs;
        Self { name, model, system, reached }
    }

    /// Whatever the referee accepts is true.
    fn check(&mut self, what: &str, set: &RegularSet, n: &mut Counts) {
        let regular = claim(set.clone());
        let mut referee = Referee::new(&self.model, 10_000);
        if referee.check(Property::Divergence, &regular).is_err() {
            n.refused += 1;
            return;
        }
        let mut proved = properties(&self.model);
        proved.retain(|&property| referee.check(property, &regular).is_ok());
        n.accepted += 1;
        n.proved += proved.len();
        let loops = set.languages.iter().any(|it| it.steps.len() >= it.accepting.len().max(1));
        n.infinite += usize::from(loops);
        let wrong = missing(&self.system, set, &self.reached);
        let wrong = wrong.or_else(|| problem(&mut self.system, set, &proved));
        assert!(wrong.is_none(), "{}: {what}: {proved:?}: {wrong:?} {set:?}", self.name);
    }
}

/// Guessed sets, and those that are accepted once more, broken.
fn check_guesses(models: impl Iterator<Item = (String, Model)>) -> [Counts; 2] {
    let (mut rng, mut original, mut broken) = (Rng::new(5), Counts::default(), Counts::default());
    for (name, model) in models {
        let mut subject = Subject::new(name, model);
        for set in guesses(&mut subject.system) {
            let before = original.accepted;
            subject.check("guessed", &set, &mut original);
            if original.accepted == before {
                continue;
            }
            for mutant in mutate::regular(&set, &mut rng, 2) {
                subject.check(&mutant.what, &mutant.it, &mut broken);
            }
        }
    }
    [original, broken]
}

#[test]
fn guessed_and_broken_sets_of_nets_prove_nothing_false() {
    let nets = (0..200).filter_map(|seed| {
        let loaded = loaded(&make::net(seed)).ok()?;
        Some((format!("seed {seed}"), loaded.model))
    });
    let counts = check_guesses(nets);
    let [original, broken] = &counts;
    assert!(original.infinite > 40 && original.refused > 40, "{counts:?}");
    assert!(broken.accepted > 400 && broken.refused > 2_000, "{counts:?}");
}

#[test]
fn guessed_and_broken_sets_of_lazy_machines_prove_nothing_false() {
    let counts =
        check_guesses((0..200).map(|seed| (format!("seed {seed}"), Lazy::new(seed).model())));
    let [original, broken] = &counts;
    assert!(original.infinite > 40 && original.refused > 40, "{counts:?}");
    assert!(broken.accepted > 400 && broken.refused > 2_000, "{counts:?}");
}

#[test]
fn guessed_and_broken_sets_of_programs_with_turns_prove_nothing_false() {
    let pageants = (0..300).map(|seed| {
        let pageant = if seed % 2 == 0 { Pageant::new } else { Pageant::discreet };
        (format!("seed {seed}"), pageant(seed, seed % 3 == 0).model())
    });
    let counts = check_guesses(pageants);
    let [original, broken] = &counts;
    assert!(original.infinite > 10 && original.refused > 40, "{counts:?}");
    assert!(broken.accepted > 100 && broken.refused > 1_000, "{counts:?}");
}

/// Which of these properties a set that is written by hand proves. It goes through its file.
fn proved(model: &Model, rows: &[(&str, &[&str])]) -> Vec<String> {
    let regular = through_text(&claim(by_hand(model, rows))).expect("it can be written");
    let all = properties(model).into_iter();
    let proved = all.filter(|&property| verdict(model, property, &regular).is_ok());
    proved.map(|property| property.id(model.outline())).collect()
}

/// Why a set that is written by hand proves nothing.
fn refusal(model: &Model, rows: &[(&str, &[&str])]) -> String {
    verdict(model, Property::Assert, &claim(by_hand(model, rows))).expect_err("it is refused")
}

#[test]
fn a_queue_that_is_flooded_holds_any_number() {
    let model = model(
        "machine A { init S: send B a -> S }
         machine B { init S: }
         bad two: queue B matches a a;
         bad queue_of_a: queue A matches a;",
    );
    let expected =
        ["assert", "unhandled", "deadlock", "reach:queue_of_a", "length:A<=1", "length:A<=2"];
    assert_eq!(proved(&model, &[("S S", &["", "a*"])]), expected);
    assert_eq!(proved(&model, &[("S S", &["", ""]), ("S S", &["", "a a*"])]), expected);
    let out = "the set is not closed: Step { machine: m0, choice: 0 } leads out";
    assert_eq!(refusal(&model, &[("S S", &["", ""]), ("S S", &["", "a"])]), out);
    assert_eq!(
        refusal(&model, &[("S S", &["", "a a*"])]),
        "the set does not contain the beginning"
    );
}

#[test]
fn the_example_of_the_manual_is_right() {
    let page = include_str!("../../../../docs/manual/certificates.md");
    let section = page.split("### Languages\n").nth(1).expect("it has the section");
    let block = |start: &str| section.split(start).nth(1)?.split("```").next();
    let text = block("```text\n").expect("it has a model");
    let file =
        read_certificate(block("```json\n").expect("it has a certificate")).expect("it is one");
    assert_eq!(file.hash, model_hash(text));
    let (model, claim) = (model(text), Claim::Holds(file.proof));
    assert_eq!(file.properties, ["deadlock"]);
    assert_eq!(verdict(&model, Property::Deadlock, &claim), Ok(()));
    let fault = "the set has a fault where [q0, q0] are".to_owned();
    assert_eq!(verdict(&model, Property::Bounded, &claim), Err(fault));
}

#[test]
fn what_is_outside_the_fragment_is_refused() {
    let flood = model("machine A { init S: send B a -> S } machine B { init S: }");
    let set = by_hand(&flood, &[("S S", &["", "a*"])]);
    let mut held = set.clone();
    *held.set.cells.last_mut().expect("it has cells") = 0;
    let refused = verdict(&flood, Property::Assert, &claim(held)).expect_err("it is refused");
    assert_eq!(refused, "the set does not contain the beginning");
    let mut held = set.clone();
    *held.set.cells.last_mut().expect("it has cells") = 7;
    let refused = verdict(&flood, Property::Assert, &claim(held)).expect_err("it is refused");
    assert_eq!(refused, "in a row, a machine goes on alone that does not exist");
    let short =
        model("queues channels; channel c 2; machine A { init S: send c a -> S | recv c a -> S }");
    assert_eq!(proved(&short, &[("S", &["a*"])]), ["assert", "unhandled", "deadlock"]);
    let rows: &[(&str, &[&str])] = &[("S", &[""]), ("S", &["a"]), ("S", &["a a"])];
    assert_eq!(proved(&short, rows), ["assert", "unhandled", "deadlock", "length:c<=2", "bounded"]);
}

#[test]
fn a_long_language_is_refused_and_not_followed_for_ever() {
    let model = model("machine A { init S: send B a -> S } machine B { init S: }");
    let mut set = by_hand(&model, &[("S S", &["", "a*"])]);
    set.languages[1].accepting = vec![true; 20_000];
    set.languages[1].steps = (0..19_999).map(|state| (state, 0, state + 1)).collect();
    let refused = verdict(&model, Property::Assert, &claim(set)).expect_err("it is refused");
    assert_eq!(refused, "the set takes too long to check");
}

#[test]
fn pieces_of_several_rows_cover_a_product_together() {
    let model = model(
        "queues channels; channel x, y;
         machine A { init S: send x a -> S | send y b -> S }
         machine B { init S: recv x a -> S | recv y b -> S }",
    );
    let all: [(&str, &[&str]); 4] = [
        ("S S", &["", "b*"]),
        ("S S", &["a a*", ""]),
        ("S S", &["a", "b b*"]),
        ("S S", &["a a a*", "b b*"]),
    ];
    assert!(proved(&model, &all).contains(&"deadlock".to_owned()));
    for gap in 0..all.len() {
        let rows: Vec<_> =
            all.iter().enumerate().filter(|(i, _)| *i != gap).map(|it| *it.1).collect();
        assert_eq!(proved(&model, &rows), [""; 0], "without row {gap}");
    }
}

#[test]
fn who_defers_and_who_takes_see_the_same_queue() {
    let model = model(
        "queues channels; channel x;
         machine A { init S: send x a -> T T: send x b -> T }
         machine B { init S: defer a | recv x b -> T T: }
         machine C { init S: recv x a -> T T: }",
    );
    let rows: [(&str, &[&str]); 5] = [
        ("S S S", &[""]),
        ("T S S", &["a b*"]),
        ("T T S", &["a b*"]),
        ("T S T", &["b*"]),
        ("T T T", &["b*"]),
    ];
    assert_eq!(proved(&model, &rows), ["assert", "unhandled", "deadlock"]);
    for gap in 0..rows.len() {
        let rows: Vec<_> =
            rows.iter().enumerate().filter(|(i, _)| *i != gap).map(|it| *it.1).collect();
        assert_eq!(proved(&model, &rows), [""; 0], "without row {gap}");
    }
}

#[test]
fn what_is_deferred_stays_in_order() {
    let model = model(
        "machine A { init S: send B a -> S | send B b -> T end T: }
         machine B { init S: defer a | recv b -> T end T: recv a -> T }",
    );
    let rows: [(&str, &[&str]); 3] =
        [("S S", &["", "a*"]), ("T S", &["", "a* b"]), ("T T", &["", "a*"])];
    let expected = ["assert", "unhandled", "deadlock", "length:A<=1", "length:A<=2"];
    assert_eq!(proved(&model, &rows), expected);
    let out = "the set is not closed: Step { machine: m1, choice: 0 } leads out";
    assert_eq!(refusal(&model, &[rows[0], rows[1], ("T T", &["", ""])]), out);
    // In a larger set, B may wait for ever.
    let larger = [rows[0], ("T S", &["", "(ab)*"]), ("T T", &["", "(ab)*"])];
    assert_eq!(proved(&model, &larger), ["assert", "length:A<=1", "length:A<=2"]);
}

#[test]
fn a_lossy_queue_holds_any_part_of_what_was_sent() {
    let model = model(
        "queues channels; channel c unbounded lossy;
         machine A { init S: send c a -> T T: send c b -> S }
         machine B { init S: recv c a -> S | recv c b -> S }",
    );
    let all: [(&str, &[&str]); 2] = [("S S", &["(ab)*"]), ("T S", &["(ab)*"])];
    assert_eq!(proved(&model, &all), ["assert", "unhandled", "deadlock"]);
    let reliable: [(&str, &[&str]); 2] = [("S S", &["a* b*"]), ("T S", &["a* b*"])];
    let out = "the set is not closed: Step { machine: m0, choice: 0 } leads out";
    assert_eq!(refusal(&model, &reliable), out);
}

/// A producer sends `a`s and then `b`s; a consumer moves `a`s to a queue of its own, and pairs them with `b`s.
const TWO_PHASES: &str = "queues channels; channel feed, temp, out;
    machine P { init As: send feed a -> As | internal -> Bs
                Bs: send feed b -> Bs | internal -> Done
                end Done: }
    machine C { end init Read: recv feed a -> send temp c -> Read | recv feed b -> Pair
                end Pair: recv temp c -> Tell
                Tell: send out d -> Read }
    bad mixed: queue out matches c;
    bad much: C in Tell, queue temp matches c c;";

#[test]
fn two_phases_have_the_expected_contents() {
    let model = model(TWO_PHASES);
    let (before, after): (&[&str], &[&str]) = (&["a*", "c*", ""], &["a* b*", "c*", ""]);
    let paired: &[&str] = &["b*", "c*", "d*"];
    let rows = [
        ("As Read", before),
        ("As Read/1", before),
        ("Bs Read", after),
        ("Bs Read/1", after),
        ("Bs Read", paired),
        ("Bs Pair", paired),
        ("Bs Tell", paired),
        ("Done Read", after),
        ("Done Read/1", after),
        ("Done Read", paired),
        ("Done Pair", paired),
        ("Done Tell", paired),
    ];
    assert_eq!(proved(&model, &rows), ["assert", "unhandled", "deadlock", "reach:mixed"]);
    for gap in 0..rows.len() {
        let rows: Vec<_> =
            rows.iter().enumerate().filter(|(i, _)| *i != gap).map(|it| *it.1).collect();
        assert_eq!(proved(&model, &rows), [""; 0], "without row {gap}");
    }
}

#[test]
fn mutants_of_sets_by_hand_prove_nothing_false() {
    let model = model(TWO_PHASES);
    let paired: &[&str] = &["(ab)*", "c*", "d*"];
    let rows = [
        "As Read",
        "As Read/1",
        "Bs Read",
        "Bs Read/1",
        "Bs Pair",
        "Bs Tell",
        "Done Read",
        "Done Read/1",
        "Done Pair",
        "Done Tell",
        "As Pair",
        "As Tell",
    ];
    let set = by_hand(&model, &rows.map(|locals| (locals, paired)));
    let (mut rng, mut n) = (Rng::new(3), Counts::default());
    let mut subject = Subject::new("two phases".to_owned(), model);
    subject.check("as it is", &set, &mut n);
    assert!(n.accepted == 1 && n.proved == 4, "{n:?}");
    for _ in 0..10 {
        for mutant in mutate::regular(&set, &mut rng, 6) {
            subject.check(&mutant.what, &mutant.it, &mut n);
        }
    }
    assert!(n.accepted > 20 && n.refused > 200, "{n:?}");
}

/// The text of a certificate with each digit raised by one, each `true` made `false` and the other way round, and each
/// line left out.
fn damaged(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, letter) in text.char_indices() {
        if let Some(digit) = letter.to_digit(10) {
            all.push(format!("{}{}{}", &text[..at], (digit + 1) % 10, &text[at + 1..]));
        }
    }
    for (word, other) in [("true", "false"), ("false", "true")] {
        let found = text.match_indices(word);
        all.extend(found.map(|(at, _)| text[..at].to_owned() + other + &text[at + word.len()..]));
    }
    let lines: Vec<&str> = text.lines().collect();
    all.extend((0..lines.len()).map(|gap| {
        let kept = lines.iter().enumerate().filter(|(line, _)| *line != gap);
        kept.map(|(_, line)| *line).collect::<Vec<&str>>().join("\n")
    }));
    all
}

#[test]
fn certificates_that_are_damaged_as_texts_prove_nothing_false() {
    let model = model(TWO_PHASES);
    let limits = ContentLimits::default();
    let found = contents(&model, limits, &Budget::states(10_000)).expect("the search ends");
    let file = CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: model_hash(TWO_PHASES),
        properties: vec!["deadlock".to_owned()],
        proof: Proof::Regular(Arc::new(found.set)),
    };
    let text = write_certificate(&file);
    let (mut unreadable, mut n) = (0, Counts::default());
    let mut subject = Subject::new("two phases".to_owned(), model);
    for mutant in damaged(&text) {
        let read = read_certificate(&mutant);
        let Ok(CertificateFile { proof: Proof::Regular(set), .. }) = read else {
            unreadable += 1;
            continue;
        };
        // What is not about the set is compared with the model by whoever reads the file.
        if *set != proved_set(&file) {
            subject.check(&mutant, &set, &mut n);
        }
    }
    assert!(unreadable > 10 && n.refused > 100, "{unreadable}, {n:?}");
}

fn proved_set(file: &CertificateFile) -> RegularSet {
    match &file.proof {
        Proof::Regular(set) => RegularSet::clone(set),
        other => unreachable!("{other:?} is no regular set"),
    }
}
