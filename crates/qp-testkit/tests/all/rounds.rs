//! Sets of rounds: what the referee makes of sets that are right and of sets that were broken, against all charts of
//! short runs and everything that is reached in short queues.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_check::{Referee, Ruling};
use qp_claim::{Claim, ExchangeSet, Proof, Rounds, Shape, Trace, read_certificate};
use qp_machines::{Config, Event, MachineId, Model, Property, Step};
use qp_testkit::brute::reach;
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::judge::through_text;
use qp_testkit::mutate;
use qp_testkit::rng::Rng;
use qp_testkit::rounds::{Chart, Made, Unfit, charts, made, make};
use queueproof::load;

fn model(text: &str) -> Model {
    load("m.cfsm", text.as_bytes()).expect("it is a model").model
}

fn corpus(name: &str) -> Model {
    let mut cases = cases().into_iter().flatten();
    cases.find(|case| case.name == name).expect("it is in the corpus").loaded.model
}

fn claim(set: &ExchangeSet) -> Claim {
    Claim::Holds(Proof::Exchange(Arc::new(set.clone())))
}

/// Whether the set proves the property; otherwise why not.
fn verdict(referee: &mut Referee, property: Property, claim: &Claim) -> Result<(), String> {
    match referee.check(property, claim) {
        Ok(verdict) => match verdict.ruling() {
            Ruling::Proved(_) => Ok(()),
            other => Err(format!("{other:?}")),
        },
        Err(rejected) => Err(rejected.0),
    }
}

fn proves(model: &Model, property: Property, set: &ExchangeSet) -> Result<(), String> {
    verdict(&mut Referee::new(model, 10_000), property, &claim(set))
}

fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    all
}

const WAYS: [Option<u32>; 4] = [None, Some(1), Some(2), Some(3)];

/// What is true of a model, as far as short runs show.
struct Truth {
    charts: Result<BTreeSet<Chart>, Unfit>,
    violated: BTreeSet<Property>,
}

impl Truth {
    fn new(model: &Model, actions: usize) -> Self {
        let mut system = model.system();
        let charts = charts(&mut system, actions, 20_000);
        let violated = reach(&mut system, &properties(model), 3, 5_000).violated;
        Self { charts, violated }
    }

    /// Whether some chart is not made of such rounds.
    fn is_broken(&self, way: Option<u32>, mailbox: bool) -> bool {
        let bad = |chart: &Chart| match way {
            None => !chart.is_at_once(mailbox),
            Some(sends) => !chart.is_made_of_rounds(Some(sends as usize)),
        };
        self.charts.as_ref().is_ok_and(|charts| charts.iter().any(bad))
    }

    /// What is wrong with a proof of a property.
    fn problem(&self, property: Property, way: Option<u32>, mailbox: bool) -> Option<String> {
        if self.charts == Err(Unfit::Skips) {
            return Some("messages are skipped".to_owned());
        }
        if self.is_broken(way, mailbox) {
            return Some("there is a chart of no such rounds".to_owned());
        }
        self.violated.contains(&property).then(|| "it is violated".to_owned())
    }
}

/// Sets of rounds of a random system, with what is true of it.
fn each(seeds: std::ops::Range<u64>, mut f: impl FnMut(&str, &Model, &Truth, Option<u32>, &Made)) {
    for seed in seeds {
        let net = if seed % 3 == 0 { make::lines(seed, 8).0 } else { make::net(seed) };
        let Ok(loaded) = loaded(&net) else { continue };
        let model = &loaded.model;
        let truth = Truth::new(model, 8);
        for way in WAYS {
            if let Some(made) = made(model, way, 3_000) {
                f(&format!("seed {seed}, rounds {way:?}"), model, &truth, way, &made);
            }
        }
    }
}

#[test]
fn what_was_worked_out_naively_is_accepted_and_true() {
    let (mut n_sync, mut n_broken, mut n_unknown, mut n_proofs) = (0, 0, 0, 0);
    each(0..150, |name, model, truth, way, made| {
        let claim = through_text(&claim(&made.set)).expect("it can be written");
        let mut referee = Referee::new(model, 10_000);
        match verdict(&mut referee, Property::Sync, &claim) {
            Ok(()) => {
                n_sync += 1;
                assert!(!made.is_violated, "{name}");
                assert_eq!(truth.problem(Property::Sync, way, made.mailbox), None, "{name}");
            }
            Err(why) => {
                let skips = why.contains("deferred");
                assert!(made.is_violated || skips, "{name}: {why}");
                n_broken += usize::from(truth.is_broken(way, made.mailbox));
                n_unknown += 1;
            }
        }
        for property in properties(model) {
            if verdict(&mut referee, property, &claim).is_ok() {
                n_proofs += 1;
                assert_eq!(
                    truth.problem(property, way, made.mailbox),
                    None,
                    "{name}: {property:?}"
                );
            }
        }
        for property in [Property::Stuck, Property::Orphan, Property::Bounded, Property::Livelock] {
            assert!(verdict(&mut referee, property, &claim).is_err(), "{name}: {property:?}");
        }
    });
    println!("{n_sync} sets accepted, {n_unknown} not ({n_broken} broken), {n_proofs} proofs");
    assert!(n_sync > 150 && n_broken > 20 && n_proofs > 150);
}

#[test]
fn no_broken_set_of_rounds_is_accepted() {
    let mut rng = Rng::new(8);
    let (mut n_mutants, mut n_true) = (0, 0);
    each(1_000..1_040, |name, model, truth, way, made| {
        let rows = match &made.set.rounds {
            Rounds::Single(rows) => rows.len(),
            Rounds::UpTo { books, watches, .. } => books.len() + watches.len(),
        };
        if rows > 300 {
            return;
        }
        let (original, mut referee) = (claim(&made.set), Referee::new(model, 10_000));
        let all: Vec<Property> = [Property::Sync].into_iter().chain(properties(model)).collect();
        let whole: Vec<bool> =
            all.iter().map(|&it| verdict(&mut referee, it, &original).is_ok()).collect();
        for mutant in mutate::rounds(&made.set, &mut rng, 10) {
            n_mutants += 1;
            let mut referee = Referee::new(model, 10_000);
            let (claim, about) = (claim(&mutant.it), format!("{name}: {}", mutant.what));
            // Every other property needs this one.
            if verdict(&mut referee, Property::Sync, &claim).is_err() {
                continue;
            }
            n_true += 1;
            let sends = match mutant.it.rounds {
                Rounds::Single(_) => None,
                Rounds::UpTo { sends, .. } => Some(sends),
            };
            for (&property, &whole) in all.iter().zip(&whole) {
                if verdict(&mut referee, property, &claim).is_ok() {
                    let problem = truth.problem(property, sends, made.mailbox);
                    assert_eq!(problem, None, "{about}: {property:?}");
                    assert!(whole || sends != way, "{about}: {property:?} is not proved by all");
                }
            }
        }
    });
    println!("{n_mutants} mutants, {n_true} still true");
    assert!(n_mutants > 5_000, "{n_mutants} mutants");
    assert!(n_true * 4 < n_mutants, "{n_true} of {n_mutants} are still true");
}

#[test]
fn rounds_of_four_do_not_fool_anybody_about_the_figure_of_eight() {
    let model = corpus("cfsm/figure_eight.cfsm");
    let err = Property::from_id("reach:P1.Err", model.outline()).expect("it is asked for");
    for sends in 1..=4 {
        let made = made(&model, Some(sends), 1_000_000).expect("it is not large");
        let why = proves(&model, Property::Sync, &made.set).expect_err("no k below 5 is enough");
        assert!(why.contains("no such rounds"), "k = {sends}: {why}");
        assert!(proves(&model, err, &made.set).is_err(), "k = {sends}");
    }
    let made = made(&model, Some(5), 1_000_000).expect("it is not large");
    assert_eq!(proves(&model, Property::Sync, &made.set), Ok(()));
    let why = proves(&model, err, &made.set).expect_err("Err is reached");
    assert!(why.contains("fault"), "{why}");
}

#[test]
fn without_what_watches_see_rounds_of_four_are_refused() {
    let model = corpus("cfsm/figure_eight.cfsm");
    let made = made(&model, Some(4), 1_000_000).expect("it is not large");
    let mut set = made.set;
    let Rounds::UpTo { watches, .. } = &mut set.rounds else { panic!("up to four") };
    // The natural evidence of the criterion that counts cycles: nothing with five messages.
    watches.retain(|watch| watch.count <= 4);
    let why = proves(&model, Property::Sync, &set).expect_err("it is not closed");
    assert!(why.contains("watch"), "{why}");
}

const RR_ALARM: &str = "
machine P0 { init S0: send P1 v1 -> S1  S1: send P2 m2 -> S2  S2: }
machine P1 { init S0: recv m4 -> S1  S1: }
machine P2 { init S0: recv m2 -> S1  S1: recv m3 -> S2  S2: }
machine P3 { init S0: send P2 m3 -> S1  S1: send P1 m4 -> S2  S2: }
bad alarm: P0 in S2, P1 in S1, P2 in S2, P3 in S2;
";

#[test]
fn the_alarm_of_the_old_bookkeeping_is_none() {
    let model = model(RR_ALARM);
    let made = made(&model, Some(1), 1_000_000).expect("it is not large");
    assert!(made.mailbox);
    for property in [Property::Sync, Property::Reach(0)] {
        assert_eq!(proves(&model, property, &made.set), Ok(()), "{property:?}");
    }
}

/// In every run in which messages are received at once or never, `w` is before `v` in the mailbox of Q.
const HEADS: &str = "
machine P { init S0: send R c -> S1  S1: send Q v -> S2  S2: }
machine R { init S0: send Q w -> S1  S1: recv c -> S2  S2: }
machine Q { init S0: recv w -> S1  S1: }
";

#[test]
fn the_first_message_of_a_mailbox_need_not_be_that_of_messages_received_at_once() {
    let model = model(HEADS);
    let truth = Truth::new(&model, 10);
    assert!(truth.violated.contains(&Property::Deadlock));
    for way in [None, Some(1), Some(2)] {
        let made = made(&model, way, 1_000_000).expect("it is not large");
        assert_eq!(proves(&model, Property::Sync, &made.set), Ok(()), "{way:?}");
        let refused = proves(&model, Property::Deadlock, &made.set);
        assert!(refused.is_err(), "{way:?}: v may be before w, and Q waits for w");
    }
}

#[test]
fn the_example_of_the_manual_is_accepted() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/certificates.md");
    let manual = std::fs::read_to_string(path).expect("the manual is there");
    let examples = manual.split("```json\n").skip(1).filter_map(|it| it.split("```").next());
    let example = examples.filter(|it| it.contains("\"exchange\"")).collect::<Vec<_>>();
    assert_eq!(example.len(), 1);
    let file = read_certificate(example[0]).expect("it is a certificate");
    let model =
        model("machine A { init S: send B a -> T  T: } machine B { init S: recv a -> T  T: }");
    let (claim, mut referee) = (Claim::Holds(file.proof), Referee::new(&model, 10_000));
    assert_eq!(verdict(&mut referee, Property::Sync, &claim), Ok(()));
}

/// A run by what happens in it: the first step in which each machine does what it is asked to.
fn run(model: &Model, script: &[(usize, &str)]) -> Trace {
    let mut system = model.system();
    let (mut config, mut steps): (Config, Vec<Step>) = (system.initial(), Vec::new());
    for &(machine, wanted) in script {
        let found = system.successors(&config).into_iter().find(|outcome| {
            let text = |message| system.program().message_text(message);
            let event = match outcome.event {
                Event::Sent { message, .. } => format!("!{}", text(message)),
                Event::Took { message, .. } => format!("?{}", text(message)),
                _ => String::new(),
            };
            outcome.step.machine.index() == machine && event == wanted
        });
        let outcome = found.unwrap_or_else(|| panic!("{machine} cannot {wanted}"));
        steps.push(outcome.step);
        config = outcome.config;
    }
    Trace { steps, shape: Shape::Finite }
}

const CROSSING: &str = "
queues peer-to-peer;
machine A { init S0: recv B b -> S1  S1: send C c -> S2  S2: }
machine B { init S0: send C z -> S1  S1: send A b -> S2  S2: }
machine C { init S0: recv A c -> S1  S1: recv B z -> S2  S2: }
";

fn is_violated(model: &Model, trace: Trace) -> Result<bool, String> {
    let mut referee = Referee::new(model, 10_000);
    match referee.check(Property::Sync, &Claim::Violated(trace)) {
        Ok(verdict) => Ok(matches!(verdict.ruling(), Ruling::Violated { .. })),
        Err(rejected) => Err(rejected.0),
    }
}

#[test]
fn messages_that_cross_are_in_no_round() {
    let model = model(CROSSING);
    let script = [(1, "!z"), (1, "!b"), (0, "?b"), (0, "!c"), (2, "?c"), (2, "?z")];
    assert_eq!(is_violated(&model, run(&model, &script)), Ok(true));
    let short = is_violated(&model, run(&model, &script[..5]));
    assert_eq!(short, Err("the run ends where nothing is wrong".to_owned()));
}

#[test]
fn runs_cross_where_charts_do() {
    let (mut n_crossing, mut n_others) = (0, 0);
    for seed in 0..400 {
        let (net, order) = make::lines(seed, 12);
        let Ok(loaded) = loaded(&net) else { continue };
        let step = |&machine: &usize| Step { machine: MachineId::new(machine), choice: 0 };
        let trace = Trace { steps: order.iter().map(step).collect(), shape: Shape::Finite };
        let chart = chart(&loaded.model, &trace).expect("nothing is skipped");
        if chart.is_made_of_rounds(None) {
            n_others += 1;
            let refused = is_violated(&loaded.model, trace);
            assert_eq!(refused, Err("the run ends where nothing is wrong".to_owned()), "{seed}");
        } else {
            n_crossing += 1;
            assert_eq!(is_violated(&loaded.model, trace), Ok(true), "seed {seed}: {chart:?}");
        }
    }
    println!("{n_crossing} runs cross, {n_others} do not");
    assert!(n_crossing > 20 && n_others > 50);
}

/// The chart of a run, unless it skips messages.
fn chart(model: &Model, trace: &Trace) -> Option<Chart> {
    use qp_testkit::rounds::chart::Act;
    let mut system = model.system();
    let mut config = system.initial();
    let mut queues = vec![Vec::new(); config.words.len()];
    let mut chart = Chart(vec![Vec::new(); config.locals.len()]);
    for &step in &trace.steps {
        let outcome = system.fire(&config, step).expect("it was just taken");
        let machine = step.machine.index();
        match outcome.event {
            Event::Sent { queue, message } => {
                queues[queue.index()].push((machine, chart.0[machine].len()));
                chart.0[machine].push(Act::Send { queue: queue.index(), message });
            }
            Event::Took { queue, position: 0, .. } => {
                let send = queues[queue.index()].remove(0);
                chart.0[machine].push(Act::Receive(send));
            }
            Event::Took { .. } => return None,
            _ => {}
        }
        config = outcome.config;
    }
    Some(chart)
}
