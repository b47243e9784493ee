//! What turns say beside which configurations they lead to.

use qp_automata::Formula;
use qp_front_promela::NoFiles;
use qp_machines::{
    CellId, ConditionId, Config, Event, KindId, Letter, LocalId, MachineId, Model, QueueId, Reads,
    Says, System, Turn, WordId,
};

use crate::{Channels, Granularity, Options};

const STATEMENT: Options =
    Options { channels: Channels::Declared, granularity: Granularity::Statement, fair: false };

fn model(text: &str, options: Options) -> Model {
    let read = qp_front_promela::Options::default();
    let spec = qp_front_promela::read("model.pml", text, &NoFiles, &read).spec;
    let (model, said) = crate::model(spec.expect("the text is right"), options);
    model.unwrap_or_else(|| panic!("{said:?}"))
}

fn system(text: &str) -> System {
    model(text, STATEMENT).system()
}

/// The only way from the beginning, as far as it is the only one.
fn first_way(system: &mut System) -> Vec<Config> {
    let mut way = vec![system.initial()];
    while let [only] = &system.successors(way.last().expect("a run begins"))[..] {
        if way.contains(&only.config) {
            break;
        }
        way.push(only.config.clone());
    }
    way
}

/// Notes what is looked at.
struct Noted {
    config: Config,
    cells: Vec<i32>,
    looks: Vec<String>,
}

impl Reads for Noted {
    fn n_machines(&mut self) -> usize {
        self.looks.push("machines".to_owned());
        self.config.locals.len()
    }
    fn n_queues(&mut self) -> usize {
        self.looks.push("queues".to_owned());
        self.config.words.len()
    }
    fn local(&mut self, machine: MachineId) -> LocalId {
        self.looks.push(format!("{machine:?}"));
        self.config.local(machine)
    }
    fn cell(&mut self, cell: CellId) -> i32 {
        self.looks.push(format!("{cell:?}"));
        self.cells[cell.index()]
    }
    fn word(&mut self, queue: QueueId) -> WordId {
        self.looks.push(format!("{queue:?}"));
        self.config.word(queue)
    }
    fn kind(&mut self, queue: QueueId) -> KindId {
        self.looks.push(format!("kind {queue:?}"));
        self.config.kinds[queue.index()]
    }
    fn about(&mut self, machine: MachineId, _: u64, answer: &mut dyn FnMut(LocalId) -> u32) -> u32 {
        self.looks.push(format!("about {machine:?}"));
        answer(self.config.local(machine))
    }
}

/// What the first process looks at in the beginning.
fn looks(text: &str) -> Vec<String> {
    looks_of(text, 0)
}

fn looks_of(text: &str, machine: usize) -> Vec<String> {
    let mut system = model(text, STATEMENT).system();
    let config = system.initial();
    let cells = system.cells(config.store);
    let mut noted = Noted { config, cells, looks: Vec::new() };
    system.turns_in(MachineId::new(machine), false, &mut noted);
    noted.looks
}

#[test]
fn only_what_is_needed_is_looked_at() {
    assert_eq!(looks("byte x, y, z; init { x = y + y; y = 1 }"), ["m0", "v1"]);
    assert_eq!(looks("byte x, y; init { x = y }"), ["m0"]);
    assert_eq!(looks("byte x, y; init { byte k; k = 1 }"), ["m0"]);
    let both = "chan p = [1] of { byte }; chan q = [1] of { byte }; init { q!1 }";
    assert_eq!(looks(both), ["m0", "c1"]);
    assert_eq!(looks("byte x; init { x = _nr_pr }"), ["m0", "machines"]);
    let other = "byte x; active proctype Q() { byte v; v = 1 } active proctype P() { x = Q:v }";
    assert_eq!(looks_of(other, 1), ["m1", "machines", "m0"]);
}

#[test]
fn whoever_sends_looks_at_those_who_may_answer() {
    let text = "chan p = [0] of { byte }; chan q = [0] of { byte }; active proctype A() { q!1 } \
        active proctype B() { p?_ } active proctype C() { q?_ }";
    assert_eq!(looks(text), ["m0", "machines", "about m2", "m2"]);
}

#[test]
fn a_long_atomic_sequence_is_interrupted() {
    let mut system = system("int x; init { atomic { do :: x < 3000 -> x++ :: else -> break od } }");
    let way = first_way(&mut system);
    let held: Vec<bool> = way.iter().map(|config| config.holder.is_some()).collect();
    assert_eq!(held, [false, true, true, true, true, true, true, false, false]);
}

#[test]
fn a_turn_lists_everything_that_happens_in_an_atomic_sequence() {
    let text = "chan q = [1] of { byte }; byte x; init { atomic { x = 1; q!x; q?x } }";
    let mut system = system(text);
    let config = system.initial();
    let [outcome] = &system.successors(&config)[..] else { panic!("one way is possible") };
    let events: Vec<Event> = outcome.acts.iter().map(|act| act.event).collect();
    assert!(
        matches!(events[..], [Event::Internal, Event::Sent { .. }, Event::Took { .. }]),
        "{events:?}"
    );
    assert_eq!(outcome.config.holder, None);
}

#[test]
fn both_sides_of_a_handshake_are_listed() {
    let text = "chan q = [0] of { byte }; active proctype P() { q!1 } active proctype Q() { q?_ }";
    let mut system = system(text);
    let config = system.initial();
    let [outcome] = &system.successors(&config)[..] else { panic!("one way is possible") };
    let who: Vec<usize> = outcome.acts.iter().map(|act| act.machine.index()).collect();
    assert_eq!(who, [0, 1]);
    assert!(matches!(outcome.acts[0].event, Event::Handshake { .. }));
    assert_eq!(outcome.acts[1].event, Event::Internal);
}

#[test]
fn an_endless_atomic_sequence_has_a_holder() {
    let mut system = system("byte x; init { atomic { do :: x = 1 - x od } }");
    let way = first_way(&mut system);
    assert!(way.len() > 1 && way[1..].iter().all(|config| config.holder.is_some()), "{way:?}");
}

#[test]
fn an_endless_d_step_is_given_up() {
    let mut system = system("byte x; init { d_step { do :: x = 1 - x od } }");
    let config = system.initial();
    let [outcome] = &system.successors(&config)[..] else { panic!("one way is possible") };
    let Event::GaveUp { why } = outcome.event else { panic!("{:?}", outcome.event) };
    assert_eq!(system.program().failure(why).code.to_string(), "QP1030");
}

#[test]
fn formulas_are_made_of_conditions() {
    let text = "byte x; init { x = 1 } ltl late { <> (x == 1) && (x == 1 U x == 2) }";
    let model = model(text, STATEMENT);
    let [ltl] = &model.outline().ltl[..] else { panic!("one formula is stated") };
    assert_eq!(ltl.name, "late");
    let atom = |n| Box::new(Formula::Atom(Letter::Holds(ConditionId::new(n))));
    let until = Formula::Until(atom(0), atom(1));
    let both = Formula::And(Box::new(Formula::Finally(atom(0))), Box::new(until));
    assert_eq!(ltl.says, Says::Formula(both));
    let mut system = model.system();
    let before = system.initial();
    let after = system.successors(&before)[0].config.clone();
    let letter = Letter::Holds(ConditionId::new(0));
    assert!(!system.reads(&letter, &before, None));
    assert!(system.reads(&letter, &after, None));
}

#[test]
fn claims_are_automata() {
    let text = "byte x; init { x = 1 } never { do :: x == 1 -> break :: else od; accept: do :: x == 1 od }";
    let model = model(text, STATEMENT);
    let [ltl] = &model.outline().ltl[..] else { panic!("one claim is stated") };
    let Says::Never(claim) = &ltl.says else { panic!("{:?}", ltl.says) };
    let holds = Letter::Holds(ConditionId::new(0));
    let first = &claim.states[claim.start[0]];
    assert!(!first.accepting);
    let when: Vec<_> = first.edges.iter().map(|edge| edge.when.clone()).collect();
    assert_eq!(when, [vec![(holds.clone(), true)], vec![(holds.clone(), false)]]);
    assert_eq!(first.edges[1].to, claim.start[0]);
    let second = &claim.states[first.edges[0].to];
    assert!(second.accepting);
    assert_eq!(second.edges.len(), 1);
    assert_eq!(second.edges[0].to, first.edges[0].to);
}

#[test]
fn the_end_of_a_claim_is_wrong() {
    let model = model("byte x; init { x = 1 } never { x == 1 }", STATEMENT);
    let [ltl] = &model.outline().ltl[..] else { panic!("one claim is stated") };
    let Says::Never(claim) = &ltl.says else { panic!("{:?}", ltl.says) };
    let end = claim.states[claim.start[0]].edges[0].to;
    assert!(claim.states[end].accepting);
    assert_eq!(claim.states[end].edges[0].to, end);
    assert!(claim.states[end].edges[0].when.is_empty());
}

#[test]
fn a_claim_that_changes_something_is_refused() {
    let read = qp_front_promela::Options::default();
    let text = "byte x; init { x = 1 } never { x = 2 }";
    let Some(spec) = qp_front_promela::read("model.pml", text, &NoFiles, &read).spec else {
        return;
    };
    let (model, said) = crate::model(spec, STATEMENT);
    assert!(model.is_none());
    assert_eq!(said[0].code.to_string(), "QP0341");
}

#[test]
fn failing_turns_end_with_the_failure() {
    let mut system = system("byte x; init { atomic { x = 1; assert(x == 2) } }");
    let config = system.initial();
    let cells = system.cells(config.store);
    let mut noted = Noted { config, cells, looks: Vec::new() };
    let turns = system.turns_in(MachineId::new(0), false, &mut noted);
    let [Turn::Fails { acts, failure }] = &turns[..] else { panic!("{turns:?}") };
    assert_eq!(acts.len(), 2);
    assert_eq!(acts[1].event, Event::Failed { failure: *failure });
}

#[test]
fn steps_that_nobody_notices_are_taken_at_once() {
    let text = "byte x; init { byte k; x = 1; k = 2; k++; skip; x = k }";
    let visible = Options { granularity: Granularity::Visible, ..STATEMENT };
    let configurations = |options| first_way(&mut model(text, options).system()).len();
    assert_eq!(configurations(STATEMENT), 7);
    assert_eq!(configurations(visible), 4);
}

#[test]
fn labels_that_matter_are_not_passed_at_once() {
    let visible = Options { granularity: Granularity::Visible, ..STATEMENT };
    for (label, n) in [("plain", 3), ("progress", 4), ("accept", 4), ("end", 4)] {
        let text = format!("byte x; init {{ byte k; x = 1; {label}: k = 2; k = 3 }}");
        assert_eq!(first_way(&mut model(&text, visible).system()).len(), n, "{label}");
    }
}

#[test]
fn hidden_variables_that_nobody_reads_are_not_stored() {
    let mut system = system("hidden byte h; byte x; init { h = 3; x = 1 }");
    let way = first_way(&mut system);
    let last = way.last().expect("a run begins");
    assert_eq!(system.store_text(last.store), "h=0 x=1");
}

/// The failures of all runs.
fn failures(text: &str) -> Vec<String> {
    let mut system = system(text);
    let mut seen = vec![system.initial()];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(config) = seen.get(next).cloned() {
        next += 1;
        for outcome in system.successors(&config) {
            if let Event::Failed { failure } = outcome.event {
                let failure = system.program().failure(failure);
                let text = format!("{} {}", failure.code, failure.text);
                if !found.contains(&text) {
                    found.push(text);
                }
            } else if !seen.contains(&outcome.config) {
                seen.push(outcome.config);
            }
        }
    }
    found
}

#[test]
fn notrace_fails_only_where_all_of_it_matches() {
    let text = |messages: &str| {
        format!(
            "mtype = {{ a, b }}; chan q = [3] of {{ mtype }}; notrace {{ q!a; q!b }} \
             init {{ {messages} }}"
        )
    };
    let fails = ["QP1028 all that `notrace` forbids has happened"];
    assert_eq!(failures(&text("q!a; q!b")), fails);
    assert!(failures(&text("q!a; q!a; q!b")).is_empty());
    assert!(failures(&text("q!b; q!a")).is_empty());
}

#[test]
fn trace_allows_nothing_else() {
    let text = |messages: &str| {
        format!(
            "mtype = {{ a, b }}; chan q = [3] of {{ mtype }}; trace {{ do :: q!a; q!b od }} \
             init {{ {messages} }}"
        )
    };
    assert!(failures(&text("q!a; q!b; q!a")).is_empty());
    let fails = ["QP1028 this message is not what `trace` allows next"];
    assert_eq!(failures(&text("q!a; q!a")), fails);
}

#[test]
fn a_channel_dies_with_its_process() {
    let text = "chan c = [1] of { chan }; proctype P() { chan mine = [1] of { byte }; c!mine } \
        init { chan k; run P(); c?k; (_nr_pr == 1); k!1 }";
    assert_eq!(failures(text), ["QP1025 there is no channel here"]);
}

#[test]
fn a_d_step_that_blocks_fails() {
    let text = "byte x; init { d_step { x = 1; x == 2; x = 3 } }";
    assert_eq!(failures(text), ["QP1029 a statement inside of a `d_step` cannot be executed"]);
}

#[test]
fn a_priority_is_from_1_to_255() {
    let text = "byte x; init { x = get_priority(0); set_priority(0, x - 1) }";
    assert_eq!(failures(text), ["QP1034 0 is no priority"]);
}
