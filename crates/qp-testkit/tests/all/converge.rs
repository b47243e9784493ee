//! Proofs for every queue length on random systems, against everything that is reached with longer queues than
//! those that the engine has seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, ListSet, Proof};
use qp_engines::{
    Answers, Converge, Engine, Explore, InvariantAnswer, Lists, Standing, Stated, Task, TaskLimits,
};
use qp_machines::{Model, Property, QueueId, Qutl, System};
use qp_promela::{Channels, Granularity};
use qp_testkit::brute::{Reached, Sight, reach};
use qp_testkit::compare::loaded;
use qp_testkit::crowd::Crowd;
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::net::{Net, Sharing};
use qp_testkit::promela::make::{Wanted, model as promela_text};
use qp_testkit::promela::ours::model_with;
use qp_testkit::rng::Rng;
use qp_testkit::staged::{Staged, Staging};
use qp_testkit::{make, net};

/// The engine sees queues up to this length, brute force longer ones.
const BOUND: u32 = 3;
const FURTHER: usize = 5;
const STATES: usize = 1_000;

/// What was compared.
#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    runs: usize,
    /// Claims that something holds, by kind of property.
    claims: BTreeMap<&'static str, usize>,
    /// Claims about systems whose queues grow beyond every bound that was tried.
    growing: usize,
    violated: usize,
    sets: usize,
    with_invariants: usize,
    configurations: usize,
    /// Bounds at which everything was seen, confirmed at the next two.
    converged: usize,
    /// Invariants that were called proved, and false.
    proved: usize,
    refuted: usize,
}

impl Counts {
    /// The test is not vacuous: systems, claims, sets with invariants, and bounds that were confirmed.
    fn are_above(&self, least: [usize; 4]) {
        let n_claims = self.claims.values().sum();
        let found = [self.systems, n_claims, self.with_invariants, self.converged];
        assert!(found.iter().zip(&least).all(|(n, least)| n > least), "{found:?}, {least:?}");
    }
}

fn properties(model: &Model) -> Vec<Property> {
    let outline = model.outline();
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    all.extend([Property::Divergence, Property::Bounded]);
    all.extend((0..outline.bad.len()).map(Property::Reach));
    let queues = (0..outline.queues.len()).map(QueueId::new);
    all.extend(queues.zip([1, 2, 3]).map(|(queue, n)| Property::Length(queue, n)));
    all
}

fn run(
    engine: &dyn Engine,
    model: &Model,
    properties: &[Property],
    lists: Lists,
    invariants: Vec<Stated>,
) -> Answers {
    let limits = TaskLimits {
        bound_max: BOUND,
        queues: true,
        small_max: 200,
        evidence_max: 1_000,
        lists,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), properties.to_vec());
    let task = Task { model, properties, invariants, limits };
    engine.run(task, &Budget::states(20_000))
}

/// One system: what is reached in it, at several bounds.
struct Subject {
    name: String,
    model: Model,
    system: System,
    far: Reached,
    /// What the bounded search has found to be violated.
    violated: BTreeSet<Property>,
}

impl Subject {
    fn new(name: String, model: Model) -> Self {
        let mut system = model.system();
        let properties = properties(&model);
        let far = reach(&mut system, &properties, FURTHER, STATES);
        let explored = run(&Explore, &model, &properties, Lists::default(), Vec::new());
        let violated = explored.claims.iter().filter(|a| matches!(a.claim, Claim::Violated(_)));
        let violated = violated.map(|answer| answer.property).collect();
        Self { name, model, system, far, violated }
    }

    /// What may be proved. If the view is not given, nothing that makes the engine try all of them in vain.
    fn questions(&self, lists: Lists) -> Vec<Property> {
        let asked = |property: &Property| {
            let lengths = matches!(property, Property::Bounded | Property::Length(..));
            lists.prefix.is_some() || !lengths && !self.violated.contains(property)
        };
        properties(&self.model).into_iter().filter(asked).collect()
    }

    /// Every claim is true as far as anybody can see.
    fn confirm(&mut self, lists: Lists, stated: Vec<Stated>, counts: &mut Counts) {
        let answers = run(&Converge, &self.model, &self.questions(lists), lists, stated);
        counts.runs += 1;
        // Each set once, with the claim that somebody else would read from its file.
        let mut sets: Vec<(&Arc<ListSet>, Claim)> = Vec::new();
        let mut referee = Referee::new(&self.model, STATES);
        for answer in &answers.claims {
            let (name, property) = (&self.name, answer.property);
            if let Claim::Violated(_) = &answer.claim {
                let verdict = referee.check(property, &answer.claim);
                assert!(verdict.is_ok(), "{name} {lists:?} {property:?}: {verdict:?}");
                counts.violated += 1;
            }
            let Claim::Holds(proof) = &answer.claim else { continue };
            let Proof::Lists(set) = proof else { panic!("{name}: {proof:?}") };
            let known = sets.iter().position(|(known, _)| Arc::ptr_eq(known, set));
            let known = known.unwrap_or_else(|| {
                sets.push((set, through_text(&answer.claim).expect("it is read again")));
                sets.len() - 1
            });
            let verdict = referee.check(property, &sets[known].1);
            let verdict = verdict.unwrap_or_else(|r| panic!("{name} {lists:?} {property:?}: {r}"));
            assert!(matches!(verdict.ruling(), Ruling::Proved(_)), "{name} {property:?}");
            let wrong = self.far.violated.contains(&property) || self.violated.contains(&property);
            assert!(!wrong, "{name} {lists:?}: {property:?} is violated, and proved");
            if property == Property::Bounded {
                self.confirm_lengths(set);
            }
            *counts.claims.entry(kind(property)).or_default() += 1;
            counts.growing += usize::from(self.grows());
        }
        for (set, _) in &sets {
            self.confirm_set(set, counts);
        }
        self.confirm_queues(&answers, &mut referee, counts);
        let sets: Vec<&ListSet> = sets.iter().map(|(set, _)| &***set).collect();
        self.confirm_figures(&sets, &answers, counts);
        for invariant in &answers.invariants {
            self.confirm_standing(invariant, counts);
        }
    }

    /// The figures are those of a set.
    fn confirm_figures(&mut self, sets: &[&ListSet], answers: &Answers, counts: &mut Counts) {
        let figure = |name| answers.detail.iter().find(|it| it.0 == name).map(|it| it.1);
        if let Some(k_max) = figure("k_max") {
            let shape = (figure("p"), figure("c"), figure("abstract_states"));
            let finest = sets.iter().find(|set| {
                let len = set.set.len() as u64;
                shape == (Some(set.prefix.into()), Some(set.counted.into()), Some(len))
            });
            let set = finest.unwrap_or_else(|| panic!("{}: {:?}", self.name, answers.detail));
            self.confirm_convergence(set, k_max as usize, &answers.blurred, counts);
        }
    }

    /// What is claimed of single queues.
    fn confirm_queues(&self, answers: &Answers, referee: &mut Referee, counts: &mut Counts) {
        for answer in &answers.queues {
            let Claim::Holds(_) = answer.claim else { continue };
            let property = Property::Length(answer.queue, answer.longest);
            let verdict = referee.check(property, &answer.claim);
            assert!(verdict.is_ok(), "{}: {property:?}", self.name);
            let words = self.far.configs.iter().map(|config| config.word(answer.queue));
            let longest = words.map(|word| self.system.words().len(word)).max().unwrap_or(0);
            assert!(longest <= answer.longest as usize, "{}: {property:?}", self.name);
            *counts.claims.entry("queue").or_default() += 1;
        }
    }

    fn grows(&self) -> bool {
        let long = |config: &qp_machines::Config| {
            config.words.iter().any(|&word| self.system.words().len(word) == FURTHER)
        };
        self.far.configs.iter().any(long)
    }

    /// Whatever is reached looks like a row, and satisfies the invariants.
    fn confirm_set(&self, set: &ListSet, counts: &mut Counts) {
        let mut sight = Sight::new(set);
        for config in &self.far.configs {
            let row = sight.row(&self.system, config);
            assert!(row.is_some(), "{}: {config:?} is not in {set:?}", self.name);
            let broken = sight.broken(&self.system, config);
            assert_eq!(broken, None, "{}: {config:?} and {set:?}", self.name);
        }
        counts.sets += 1;
        counts.with_invariants += usize::from(!set.invariants.is_empty());
        counts.configurations += self.far.configs.len();
    }

    /// No content is longer than those of a set that shows that there is a longest.
    fn confirm_lengths(&self, set: &ListSet) {
        let longest = Sight::new(set).longest();
        for config in &self.far.configs {
            let mut lengths = config.words.iter().map(|&word| self.system.words().len(word));
            assert!(lengths.all(|n| n <= longest), "{}: longer than {longest}", self.name);
        }
    }

    /// At the bound at which everything was seen everything is seen, and at the bound before not; the next
    /// two add nothing.
    fn confirm_convergence(&mut self, set: &ListSet, k: usize, seen: &[u64], counts: &mut Counts) {
        let mut sight = Sight::new(set);
        assert_eq!(seen.len(), k, "{}: {seen:?}", self.name);
        for bound in 1..=k + 2 {
            let reached = reach(&mut self.system, &[], bound, STATES * 4);
            if !reached.complete {
                return;
            }
            let rows = reached.configs.iter().map(|config| sight.row(&self.system, config));
            let rows: Option<BTreeSet<Vec<u32>>> = rows.collect();
            let n = rows.expect("the set has everything").len() as u64;
            assert_eq!(n, seen[bound.min(k) - 1], "{} at {bound}: {seen:?}", self.name);
        }
        assert_eq!(seen[k - 1], set.set.len() as u64, "{}", self.name);
        counts.converged += 1;
    }

    /// What is called proved is true wherever brute force comes, and what is called false is false somewhere.
    fn confirm_standing(&mut self, answer: &InvariantAnswer, counts: &mut Counts) {
        let outline = self.model.outline();
        let Some(queue) = outline.queues.iter().position(|queue| queue.name == answer.about) else {
            return;
        };
        let (program, words) = (self.system.program(), self.system.words());
        let mut holds = self.far.configs.iter().map(|config| {
            let texts = words.messages(config.word(QueueId::new(queue))).into_iter();
            let texts: Vec<String> = texts.map(|m| program.message_text(m)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            answer.formula.holds(&texts, &mut |name, text| Qutl::names(name, text))
        });
        match answer.standing {
            Standing::Proved => {
                assert!(holds.all(|holds| holds), "{}: {answer:?}", self.name);
                counts.proved += 1;
            }
            Standing::False if self.far.complete => {
                assert!(!holds.all(|holds| holds), "{}: {answer:?}", self.name);
                counts.refuted += 1;
            }
            Standing::False | Standing::Open | Standing::Unmatched => {}
        }
    }
}

fn kind(property: Property) -> &'static str {
    match property {
        Property::Assert => "assert",
        Property::Unhandled => "unhandled",
        Property::Deadlock => "deadlock",
        Property::Divergence => "divergence",
        Property::Bounded => "bounded",
        Property::Reach(_) => "reach",
        Property::Length(..) => "length",
        _ => "other",
    }
}

/// As the engine is by default, and in ways that nobody would choose.
fn confirm_all(name: String, model: Model, seed: u64, counts: &mut Counts) {
    let mut rng = Rng::new(seed);
    let mut subject = Subject::new(name, model);
    counts.systems += 1;
    subject.confirm(Lists { figures: true, ..Lists::default() }, Vec::new(), counts);
    for _ in 0..2 {
        let lists = Lists {
            prefix: Some(rng.below(3) as u32),
            counted: Some(rng.below(3) as u32),
            suggest: rng.percent(50),
            figures: true,
        };
        let stated = if rng.percent(50) { stated(&mut rng, &subject.model) } else { Vec::new() };
        subject.confirm(lists, stated, counts);
    }
}

/// What nobody in his right mind states, and now and then something true.
fn stated(rng: &mut Rng, model: &Model) -> Vec<Stated> {
    let outline = model.outline();
    let names: Vec<&String> = outline.messages.iter().collect();
    if names.is_empty() || outline.queues.is_empty() {
        return Vec::new();
    }
    let name = |rng: &mut Rng| names[rng.below(names.len())].clone();
    (0..=rng.below(2))
        .map(|_| {
            let (a, b, n) = (name(rng), name(rng), rng.below(3));
            let text = match rng.below(8) {
                0 => format!("#{a} <= {n}"),
                1 => format!("G ({a} => G !{b})"),
                2 => format!("!X {a}"),
                3 => format!("#{a} <= {n} | #{b} > {n}"),
                4 => format!("F {a} => {b}"),
                5 => format!("G ({a} => W {b})"),
                6 => format!("{a} => X F {b}"),
                _ => format!("#{a} < 1 | !X {b}"),
            };
            let formula = Qutl::parse(&text, 0).expect("it is a formula");
            let about = outline.queues[QueueId::new(rng.below(outline.queues.len()))].name.clone();
            Stated { about, formula }
        })
        .collect()
}

#[test]
fn claims_about_machines_that_defer_are_true() {
    let mut counts = Counts::default();
    for seed in 0..600 {
        confirm_all(format!("lazy {seed}"), Lazy::new(seed).model(), seed, &mut counts);
    }
    println!("{counts:?}");
    counts.are_above([590, 5_000, 200, 700]);
}

#[test]
fn claims_about_random_nets_are_true() {
    let mut counts = Counts::default();
    for seed in 0..420 {
        let net = make::net(seed);
        let Ok(loaded) = loaded(&net) else { continue };
        confirm_all(format!("net {seed}\n{}", net.text()), loaded.model, seed, &mut counts);
    }
    println!("{counts:?}");
    counts.are_above([400, 3_000, 120, 500]);
}

#[test]
fn claims_about_machines_that_are_created_are_true() {
    let mut counts = Counts::default();
    for seed in 0..240 {
        let model = Crowd::new(seed, seed % 2 == 0).model();
        confirm_all(format!("crowd {seed}"), model, seed, &mut counts);
    }
    println!("{counts:?}");
    counts.are_above([230, 1_500, 80, 200]);
}

#[test]
fn claims_about_staged_machines_are_true() {
    let mut counts = Counts::default();
    for seed in 0..240 {
        let (Some(net), mut rng) = (plain(make::net(seed)), Rng::new(seed)) else { continue };
        let Ok(loaded) = loaded(&net) else { continue };
        let staging = Staging {
            local: rng.percent(50),
            watched: rng.percent(30),
            assumed: rng.percent(40).then(|| 1 + rng.below(2) as u32),
            idles: rng.percent(60),
        };
        let model = Staged::new(&loaded.model, staging).model();
        confirm_all(format!("staged {seed} {staging:?}"), model, seed, &mut counts);
    }
    println!("{counts:?}");
    counts.are_above([50, 400, 30, 40]);
}

/// Steps that do several things, look at shared variables and at other processes, with declared capacities and without.
#[test]
fn claims_about_promela_models_are_true() {
    let mut counts = Counts::default();
    for seed in 0..300 {
        let text = promela_text(seed, Wanted::Safety);
        let channels = if seed % 3 == 0 { Channels::Unbounded } else { Channels::Declared };
        let Ok(model) = model_with(&text, Granularity::Statement, channels) else { continue };
        confirm_all(format!("model {seed}\n{text}"), model, seed, &mut counts);
    }
    println!("{counts:?}");
    counts.are_above([200, 500, 0, 0]);
}

/// With mailboxes for everything, as machines are staged.
fn plain(mut net: Net) -> Option<Net> {
    for queue in &mut net.queues {
        (queue.size, queue.loss) = (net::Size::Unbounded, net::Loss::Nothing);
    }
    let edges = net.machines.iter().flat_map(|machine| &machine.states).flat_map(|s| &s.edges);
    let fails = edges.into_iter().any(|edge| edge.act == net::Act::Fail);
    (net.sharing == Sharing::Mailbox && !fails).then_some(net)
}
