//! Searches that leave some orders of steps out: what they find, and what the referee makes of their evidence.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{
    CertificateFile, Claim, ClosedSet, Proof, ReducedSet, read_certificate, write_certificate,
};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{MachineId, Model, Property};
use qp_promela::{Channels, Granularity};
use qp_testkit::cfsm;
use qp_testkit::lazy::Lazy;
use qp_testkit::p_tree;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::{make, ours};

const PROPERTIES: [Property; 3] = [Property::Assert, Property::Divergence, Property::Deadlock];
const STATES_MAX: u64 = 20_000;

fn search(model: &Model, properties: &[Property], reduce: bool, jobs: usize) -> Answers {
    let limits = TaskLimits {
        bound_max: 3,
        jobs,
        exhaustive: true,
        small_max: 100_000,
        evidence_max: 100_000,
        reduce,
        ..TaskLimits::default()
    };
    let properties = properties.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(STATES_MAX))
}

fn figure(answers: &Answers, name: &str) -> u64 {
    answers.detail.iter().find(|detail| detail.0 == name).map_or(0, |detail| detail.1)
}

/// The verdicts of the referee, each as a word. Evidence that is refused fails the test.
fn words(model: &Model, answers: &Answers, seed: &str) -> Vec<&'static str> {
    let mut referee = Referee::new(model, 1_000_000);
    let mut word = |property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        let verdict = verdict.unwrap_or_else(|rejected| panic!("{seed} {property:?}: {rejected}"));
        match verdict.ruling() {
            Ruling::Proved(_) => "proved",
            Ruling::Violated { .. } => "violated",
            Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown",
        }
    };
    answers.claims.iter().map(|answer| word(answer.property, &answer.claim)).collect()
}

/// The reduced set behind a claim, if there is one.
fn reduced(answers: &Answers) -> Option<Arc<ReducedSet>> {
    answers.claims.iter().find_map(|answer| match &answer.claim {
        Claim::Holds(Proof::Reduced(set)) => Some(set.clone()),
        _ => None,
    })
}

#[test]
fn nothing_that_survives_is_missed_in_random_programs() {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_compared, mut n_smaller) = (0, 0);
    for seed in 0..8000 {
        let model = Pageant::discreet(seed, seed % 4 > 0).model();
        let (full, less) =
            (search(&model, &PROPERTIES, false, 1), search(&model, &PROPERTIES, true, 1));
        let name = format!("seed {seed}");
        let found = words(&model, &less, &name);
        if full.spent.is_some() {
            continue;
        }
        n_compared += 1;
        let expected = words(&model, &full, &name);
        // Queues that grow without end need not grow where orders are left out.
        let fits = |(a, b): (&&str, &&str)| a == b || (*a == "unknown" && *b == "proved");
        assert!(expected.iter().zip(&found).all(fits), "{name}: {expected:?}, {found:?}");
        assert!(figure(&less, "complete") >= figure(&full, "complete"), "{name}");
        let (n_full, n_less) = (figure(&full, "states"), figure(&less, "states"));
        assert!(n_less <= n_full, "{name}");
        n_smaller += usize::from(n_less * 2 < n_full && n_full > 20);
        if figure(&less, "reduced") > 0 {
            for (property, word) in PROPERTIES.iter().zip(found) {
                *met.entry(format!("{property:?} {word}")).or_default() += 1;
            }
        }
    }
    println!("{n_compared} compared, {n_smaller} less than half as large; {met:?}");
    assert!(n_compared > 4000 && n_smaller > 60, "the test is not vacuous");
    for property in PROPERTIES {
        for word in ["proved", "violated"] {
            let n = met.get(&format!("{property:?} {word}")).copied().unwrap_or(0);
            assert!(n > 20, "{property:?} is {word} {n} times in what was reduced");
        }
    }
}

/// Comparisons of searches of machines whose steps are moves.
#[derive(Default, Debug)]
struct Tally {
    n: usize,
    n_reduced: usize,
    n_smaller: usize,
    /// Answered only where orders are left out: queues that grow without end need not grow then.
    n_won: usize,
    met: BTreeMap<String, usize>,
}

impl Tally {
    const MOVES: [Property; 4] =
        [Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];

    fn compare(&mut self, model: &Model, name: &str) {
        let (full, less) =
            (search(model, &Self::MOVES, false, 1), search(model, &Self::MOVES, true, 1));
        let found = words(model, &less, name);
        if full.spent.is_some() {
            return;
        }
        self.n += 1;
        let (n_full, n_less) = (figure(&full, "states"), figure(&less, "states"));
        assert!(n_less <= n_full, "{name}");
        self.n_smaller += usize::from(n_less * 2 < n_full && n_full > 20);
        let is_reduced = figure(&less, "reduced") > 0;
        self.n_reduced += usize::from(is_reduced);
        for ((property, expected), found) in
            Self::MOVES.iter().zip(words(model, &full, name)).zip(found)
        {
            let won = expected == "unknown" && found == "proved";
            assert!(expected == found || won, "{name} {property:?}: {expected}, {found}");
            self.n_won += usize::from(won);
            if is_reduced {
                *self.met.entry(format!("{property:?} {found}")).or_default() += 1;
            }
        }
    }
}

fn loaded(name: &str, text: &str) -> Model {
    let (model, said) = qp_load::load(name, text);
    model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

#[test]
fn nothing_that_survives_is_missed_where_steps_are_moves() {
    let mut tally = Tally::default();
    for seed in 0..1000 {
        tally.compare(&Lazy::new(seed).model(), &format!("seed {seed}"));
    }
    for seed in 0..1000 {
        let text = cfsm::print::text(&cfsm::make::sketch(seed), seed);
        tally.compare(&loaded("m.cfsm", &text), &text);
    }
    for seed in 0..60 {
        let text = p_tree::print::print(&p_tree::make::program(seed)).text;
        tally.compare(&loaded("m.p", &text), &text);
    }
    println!("{tally:?}");
    assert!(tally.n > 1500 && tally.n_reduced > 300 && tally.n_smaller > 5, "{tally:?}");
    for what in ["Unhandled violated", "Unhandled proved", "Deadlock violated", "Deadlock proved"] {
        assert!(tally.met.get(what).is_some_and(|&n| n > 20), "{what}: {tally:?}");
    }
}

#[test]
fn threads_do_not_change_what_is_left_out() {
    let mut n_large = 0;
    for seed in 0..3000 {
        let model = Pageant::discreet(seed, false).model();
        let one = search(&model, &PROPERTIES, true, 1);
        if figure(&one, "states") < 3_000 || figure(&one, "reduced") == 0 {
            continue;
        }
        n_large += 1;
        let two = search(&model, &PROPERTIES, true, 3);
        assert_eq!(one.detail, two.detail, "seed {seed}");
        assert_eq!(reduced(&one), reduced(&two), "seed {seed}");
    }
    assert!(n_large >= 3, "the test is not vacuous: {n_large}");
    let model = promela("leader_6");
    let (one, two) = (search(&model, &PROMELA, true, 1), search(&model, &PROMELA, true, 2));
    assert_eq!(one.detail, two.detail);
    assert_eq!(reduced(&one), reduced(&two));
}

const PROMELA: [Property; 3] = [Property::Assert, Property::Unhandled, Property::Deadlock];

fn corpus() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let folders = [folder.join("features"), folder].into_iter();
    let entries =
        folders.flat_map(|folder| std::fs::read_dir(folder).expect("the corpus can be listed"));
    let files = entries.map(|entry| entry.expect("the corpus can be listed").path());
    let mut paths: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "pml")).collect();
    paths.sort();
    paths
}

fn promela(name: &str) -> Model {
    let path = corpus().into_iter().find(|path| path.file_stem().is_some_and(|it| it == name));
    let text =
        std::fs::read_to_string(path.expect("there is such a model")).expect("it can be read");
    ours::model(&text, Granularity::Visible).expect("it is a model")
}

#[test]
fn the_models_of_the_corpus_have_the_same_verdicts() {
    let (mut n_compared, mut n_reduced) = (0, 0);
    for path in corpus() {
        let text = std::fs::read_to_string(&path).unwrap();
        for granularity in [Granularity::Visible, Granularity::Statement] {
            let Ok(model) = ours::model(&text, granularity) else { continue };
            let (full, less) =
                (search(&model, &PROMELA, false, 1), search(&model, &PROMELA, true, 1));
            let name = path.display().to_string();
            let found = words(&model, &less, &name);
            n_reduced += usize::from(reduced(&less).is_some());
            if full.spent.is_none() {
                n_compared += 1;
                assert_eq!(found, words(&model, &full, &name), "{name}");
            }
            println!(
                "{name} {granularity:?}: {} to {}",
                figure(&full, "states"),
                figure(&less, "states")
            );
        }
    }
    println!("{n_compared} compared, {n_reduced} proved by a reduced set");
    assert!(n_compared > 60 && n_reduced > 20, "the test is not vacuous");
}

/// The election is nearly the same in whatever order the nodes move.
#[test]
fn a_ring_of_six_is_searched_in_one_order() {
    let answers = search(&promela("leader_6"), &PROMELA, true, 1);
    assert_eq!(figure(&answers, "complete"), 1);
    assert!(figure(&answers, "states") < 200, "{:?}", answers.detail);
}

#[test]
fn nothing_that_survives_is_missed_in_random_models() {
    let (mut n_compared, mut n_reduced) = (0, 0);
    for seed in 0..600 {
        let text = make::model(seed, make::Wanted::Safety);
        // Every third one without limits, where its steps are moves if they can be.
        let channels = if seed % 3 == 0 { Channels::Unbounded } else { Channels::Declared };
        let Ok(model) = ours::model_with(&text, Granularity::Visible, channels) else { continue };
        let (full, less) = (search(&model, &PROMELA, false, 1), search(&model, &PROMELA, true, 1));
        let name = format!("seed {seed}");
        let found = words(&model, &less, &name);
        n_reduced += usize::from(figure(&less, "reduced") > 0);
        if full.spent.is_none() {
            n_compared += 1;
            assert_eq!(found, words(&model, &full, &name), "{name}\n{text}");
        }
    }
    println!("{n_compared} compared, {n_reduced} reduced");
    assert!(n_compared > 300 && n_reduced > 60, "the test is not vacuous");
}

#[test]
fn what_needs_every_order_is_not_reduced() {
    let model = promela("leader_6");
    let answers = search(&model, &[Property::Assert, Property::Stuck], true, 1);
    assert!(reduced(&answers).is_none());
    assert_eq!(answers.detail, search(&model, &[Property::Assert], false, 1).detail);
}

/// What the referee says to changed evidence for deadlock.
fn refusal(model: &Model, set: ReducedSet) -> Option<String> {
    let claim = Claim::Holds(Proof::Reduced(Arc::new(set)));
    let verdict = Referee::new(model, 1_000_000).check(Property::Assert, &claim);
    verdict.err().map(|rejected| rejected.0)
}

/// A set of which some rows are reduced, with its model.
fn sample() -> (Model, ReducedSet) {
    let model = promela("leader_6");
    let set = reduced(&search(&model, &PROMELA, true, 1)).expect("it is proved by a reduced set");
    (model, (*set).clone())
}

fn check_refused(model: &Model, set: ReducedSet, why: &str) {
    let refusal = refusal(model, set).expect("it is refused");
    assert!(refusal.contains(why), "{refusal}");
}

#[test]
fn a_row_that_is_missing_is_noticed() {
    let (model, set) = sample();
    let (width, n) = (set.set.width(), set.machines.len());
    for row in (1..n).step_by(1 + n / 40) {
        let mut less = set.clone();
        let mut rows: ClosedSet = (*set.set).clone();
        rows.cells.drain(row * width..(row + 1) * width);
        less.set = Arc::new(rows);
        less.machines.remove(row);
        assert!(refusal(&model, less).is_some(), "row {row}");
    }
    let mut short = set;
    short.machines.pop();
    check_refused(&model, short, "not every row");
}

#[test]
fn another_machine_may_not_go_first() {
    let (model, set) = sample();
    let mut n_refused = 0;
    let rows: Vec<usize> = (0..set.machines.len()).step_by(1 + set.machines.len() / 20).collect();
    for &row in &rows {
        for machine in 0..6 {
            let mut other = set.clone();
            other.machines[row] = Some(vec![MachineId::new(machine)]);
            let same = set.machines[row] == other.machines[row];
            n_refused += usize::from(refusal(&model, other).is_some() && !same);
        }
    }
    // The machines that may also go first lead to rows that are not there.
    assert!(n_refused >= 4 * rows.len(), "{n_refused} of {}", rows.len());
    let mut nobody = set;
    nobody.machines[0] = Some(vec![MachineId::new(99)]);
    check_refused(&model, nobody, "has no");
}

#[test]
fn rows_that_only_lead_back_are_refused() {
    let text = "byte x; active proctype P() { byte i; do :: i = 1 - i :: i = i od }
                active proctype Q() { assert(x == 1) }";
    let model = ours::model(text, Granularity::Statement).unwrap();
    let answers = search(&model, &PROMELA, true, 1);
    assert_eq!(words(&model, &answers, "loop")[0], "violated");
    // The process that goes round, without the one that fails.
    let alone = "byte x; active proctype P() { byte i; do :: i = 1 - i :: i = i od }";
    let full = search(&ours::model(alone, Granularity::Statement).unwrap(), &PROMELA, false, 1);
    let Claim::Holds(Proof::Closed(set)) = &full.claims[0].claim else { panic!("{full:?}") };
    let mut set: ClosedSet = (**set).clone();
    let other = model.system().initial();
    let mut system = model.system();
    system.initial();
    let q = system.program().local_text(MachineId::new(1), other.local(MachineId::new(1)));
    let (n_rows, width) = (set.rows().count(), set.width());
    set.locals.push(vec![q]);
    let rows = (0..n_rows).flat_map(|row| {
        let mut cells = set.cells[row * width..(row + 1) * width].to_vec();
        cells.insert(1, 0);
        cells
    });
    set.cells = rows.collect();
    let machines = vec![Some(vec![MachineId::new(0)]); n_rows];
    let set = ReducedSet { set: Arc::new(set), machines };
    check_refused(&model, set, "waits for ever");
}

#[test]
fn a_machine_that_shares_its_queue_may_not_go_first() {
    let text = "chan q = [1] of { byte }; active [2] proctype P() { q!1 }";
    let model = ours::model(text, Granularity::Statement).unwrap();
    let full = search(&model, &[Property::Assert], false, 1);
    let Claim::Holds(Proof::Closed(set)) = &full.claims[0].claim else { panic!("{full:?}") };
    let mut machines = vec![None; set.rows().count()];
    machines[0] = Some(vec![MachineId::new(0)]);
    check_refused(&model, ReducedSet { set: set.clone(), machines }, "touch what they need");
}

#[test]
fn a_reduced_set_proves_nothing_else() {
    let (model, set) = sample();
    let claim = Claim::Holds(Proof::Reduced(Arc::new(set.clone())));
    let mut referee = Referee::new(&model, 1_000_000);
    assert!(referee.check(Property::Assert, &claim).is_ok());
    assert!(referee.check(Property::Bounded, &claim).is_err());
    assert!(referee.check(Property::Stuck, &claim).is_err());
    let closed = Claim::Holds(Proof::Closed(set.set));
    assert!(referee.check(Property::Assert, &closed).is_err());
}

#[test]
fn certificates_say_whose_steps_are_followed() {
    let (_, set) = sample();
    let proof = Proof::Reduced(Arc::new(set));
    let file = CertificateFile {
        model: "leader_6.pml".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["assert".to_owned()],
        proof,
    };
    let text = write_certificate(&file);
    assert!(text.contains("\"evidence\":{\"reduced\""));
    assert_eq!(read_certificate(&text), Ok(file));
    assert!(read_certificate(&text.replace("\"only\"", "\"once\"")).is_err());
}
