use qp_front_promela::{NoFiles, read};
use qp_machines::{Arc, ArcId, Counts, Dependency, DetailId, Fact, Following, Model, Net, QueueId};

use crate::{Options, model};

/// The net that follows everything but shared variables.
fn net(text: &str) -> Net {
    let model = made(text);
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    let all = coarse.details.iter_enumerated().filter(|(_, it)| !it.shared);
    let all: Vec<DetailId> = all.map(|(id, _)| id).collect();
    model.system().program_mut().net(&all).expect("the model has a net")
}

/// The net that follows the variables with these names.
fn following(text: &str, names: &[&str]) -> Net {
    let model = made(text);
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    let named = |name: &&str| {
        let mut all = coarse.details.iter_enumerated();
        all.find(|(_, it)| it.name == **name).unwrap_or_else(|| panic!("there is a {name}")).0
    };
    let followed: Vec<DetailId> = names.iter().map(named).collect();
    model.system().program_mut().net(&followed).expect("the model has a net")
}

fn made(text: &str) -> Model {
    let reading = read("model.pml", text, &NoFiles, &qp_front_promela::Options::default());
    let spec = reading.spec.expect("the model is right");
    let (model, said) = model(spec, Options::default());
    model.unwrap_or_else(|| panic!("{said:?}"))
}

/// What steps do to counters, in order: names with what is added.
fn effects(net: &Net) -> Vec<String> {
    let show = |arc: &Arc| {
        let all = arc.effects.iter();
        let all = all.map(|&(id, by)| format!("{} {by:+}", net.counters[id].name));
        all.collect::<Vec<_>>().join(" & ")
    };
    let mut found: Vec<String> = net.arcs.iter().map(show).filter(|it| !it.is_empty()).collect();
    found.sort();
    found
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(effects(&net(text)), expected, "{text}");
}

#[test]
fn a_loop_that_counts_to_a_constant_is_a_path() {
    let text = "chan q = [9] of { byte };
        active proctype P() { byte i; do :: i < 3 -> q!7; i++ :: else -> break od }";
    check(text, &["q: _ +1", "q: _ +1", "q: _ +1"]);
}

#[test]
fn numbers_wrap_as_they_do_when_the_model_runs() {
    let text = "chan q = [9] of { byte };
        active proctype P() { byte n = 254; n++; n++; if :: n == 0 -> q!1 :: else fi; q!2 }";
    check(text, &["q: _ +1", "q: _ +1"]);
    assert_eq!(net(text).spots.len(), 6, "the other option is never taken");
}

#[test]
fn constants_in_patterns_make_kinds_of_messages() {
    let text = "mtype = { a, b }; chan q = [9] of { mtype, byte }; byte g;
        active proctype P() { q!a(1); q!b(g) }
        active proctype R() { do :: q?a(_) :: q?b(g); g++ od }";
    check(text, &["q: a,_ +1", "q: a,_ -1", "q: b,_ +1", "q: b,_ -1"]);
}

#[test]
fn a_part_that_is_not_known_may_be_any_constant() {
    let text = "chan q = [9] of { byte }; byte g;
        active proctype P() { g++; q!g; q!1 }
        active proctype R() { q?1; q?2 }";
    check(text, &["q: 1 +1", "q: 1 -1", "q: _ +1", "q: _ -1", "q: _ -1"]);
}

#[test]
fn what_was_received_decides_what_comes_next() {
    let text = "mtype = { a, b }; chan q = [9] of { mtype }; chan r = [9] of { mtype };
        active proctype P() { if :: q!a :: q!b fi }
        active proctype R() { mtype m; q?m; r!m }";
    check(text, &["q: a +1", "q: a -1", "q: b +1", "q: b -1", "r: a +1", "r: b +1"]);
}

#[test]
fn a_copy_takes_nothing() {
    let text = "chan q = [9] of { byte }; byte g;
        active proctype P() { q!1; q?<g>; q?[1]; q??g }";
    check(text, &["q: _ +1", "q: _ -1"]);
}

#[test]
fn an_index_that_is_not_known_means_every_element() {
    let text = "chan q[2] = [9] of { byte }; byte g;
        active [2] proctype P() { q[_pid]!1; g++; q[g]?_ }";
    check(
        text,
        &["q[0]: _ +1", "q[0]: _ -1", "q[0]: _ -1", "q[1]: _ +1", "q[1]: _ -1", "q[1]: _ -1"],
    );
}

#[test]
fn a_rendezvous_is_counted_as_handed_over() {
    let net = net("chan q = [0] of { byte }; active proctype P() { q!1 }
        active proctype R() { q?1 }");
    assert_eq!(effects(&net), ["q: 1 +1", "q: 1 -1"]);
    assert_eq!(net.counters.as_slice()[0].counts, Counts::Handshakes(QueueId::new(0)));
}

#[test]
fn processes_with_the_same_arguments_share_places() {
    let text = "chan q[3] = [9] of { byte };
        proctype P(byte me) { q[me]!1 }
        init { byte i; for (i : 0 .. 1) { run P(i) }; run P(1) }";
    let net = net(text);
    let expected = ["P +1", "P +1", "P +1", "P -1", "P -1", "q[0]: _ +1", "q[1]: _ +1"];
    assert_eq!(effects(&net), expected);
    let begins: Vec<&Arc> = net.arcs.iter().filter(|arc| arc.from.is_none()).collect();
    assert_eq!(begins.len(), 2);
    assert!(begins.iter().all(|arc| arc.text == "P begins"));
}

#[test]
fn a_process_that_ends_goes_nowhere() {
    let net = net("active proctype P() { skip }");
    let ends: Vec<&str> =
        net.arcs.iter().filter(|arc| arc.to.is_none()).map(|arc| arc.text.as_str()).collect();
    assert_eq!(ends, ["-end-"]);
}

#[test]
fn steps_to_a_progress_label_are_progress() {
    let net = net("byte g; active proctype P() { do :: g = 1; progress: g = 2; g = 3 od }");
    let mut found: Vec<(&str, bool)> =
        net.arcs.iter().map(|arc| (arc.text.as_str(), arc.progress)).collect();
    found.sort_unstable();
    assert_eq!(found, [("g = 1", true), ("g = 2", false), ("g = 3", false)]);
}

/// Nobody sees a process there.
#[test]
fn labels_inside_of_atomic_sequences_are_no_progress() {
    for text in [
        "byte g; active proctype P() { do :: atomic { g = 1; progress: g = 2 } od }",
        "byte g; active proctype P() { do :: d_step { g = 1; progress: g = 2 } od }",
        "byte g; active proctype P() { do :: atomic { g = 1; goto progress }; progress: g = 3 od }",
    ] {
        let net = net(text);
        let counted = net.arcs.iter().find(|arc| arc.progress);
        assert_eq!(counted, None, "{text}");
    }
}

#[test]
fn variables_with_too_many_values_are_not_followed() {
    let net = net("active proctype P() { int n; do :: n < 100000 -> n++ :: else -> break od }");
    assert_eq!(net.spots.len(), 3);
}

#[test]
fn first_values_of_created_processes_depend_on_their_arguments() {
    let text = "chan q[3] = [9] of { byte };
        proctype P(byte n) { byte me = n + 1; q[me]!1 }
        init { run P(0); run P(1) }";
    check(text, &["P +1", "P +1", "P -1", "P -1", "q[1]: _ +1", "q[2]: _ +1"]);
}

#[test]
fn too_many_arguments_are_not_told_apart() {
    let text = "chan q = [9] of { byte };
        proctype P(short n) { short me = n; if :: me == 1 -> q!1 :: else -> run P(n + 1) fi }
        init { run P(2) }";
    assert_eq!(net(text).arcs.iter().filter(|arc| arc.from.is_none()).count(), 1);
}

#[test]
fn processes_with_too_many_variables_are_refused() {
    let text = "active proctype P() { byte a[3000]; a[0] = 1 }";
    let reading = read("model.pml", text, &NoFiles, &qp_front_promela::Options::default());
    let (model, _) = model(reading.spec.expect("the model is right"), Options::default());
    let net = model.expect("the model runs").system().program_mut().net(&[]);
    let why = "`P` has more than 2000 local variables, elements of arrays included";
    assert_eq!(net, Err(why.to_owned()));
}

/// How a variable is followed, if it alone is asked for.
fn followed(text: &str, name: &str) -> Following {
    let net = following(text, &[name]);
    net.details.iter().find(|it| it.name == name).expect("it is there").following.clone()
}

fn yes(how: &str) -> Following {
    Following::Yes(how.to_owned())
}

fn refused(why: &str) -> Following {
    Following::Refused(why.to_owned())
}

/// The facts of a net: factors with statements, the limit, and why.
fn facts(net: &Net) -> Vec<String> {
    let show = |fact: &Fact| {
        let term = |&(arc, by): &(ArcId, i64)| format!("{by} * ({})", net.arcs[arc].text);
        let terms: Vec<String> = fact.terms.iter().map(term).collect();
        format!("{} <= {}: {}", terms.join(" + "), fact.at_most, fact.because)
    };
    net.facts.iter().map(show).collect()
}

const COUNTS_TO_THREE: &str = "chan q = [9] of { byte };
    active proctype P() { byte i; do :: i < 3 -> q!7; i++ :: else -> break od }";

#[test]
fn conditions_are_open_until_their_variables_are_followed() {
    let coarse = following(COUNTS_TO_THREE, &[]);
    let tests: Vec<&str> = coarse.tests.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(tests, ["(i<3)", "else"]);
    let reads: Vec<&str> = coarse
        .tests
        .iter()
        .flat_map(|it| &it.reads)
        .map(|&it| coarse.details[it].name.as_str())
        .collect();
    assert_eq!(reads, ["P.i", "P.i"]);
    assert_eq!(effects(&coarse), ["q: _ +1"]);
    let fine = following(COUNTS_TO_THREE, &["P.i"]);
    assert!(fine.tests.is_empty());
    assert_eq!(effects(&fine), ["q: _ +1", "q: _ +1", "q: _ +1"]);
    assert_eq!(followed(COUNTS_TO_THREE, "P.i"), yes("its 4 values are told apart"));
}

/// The loop of `init` that creates processes, as in client/server models, is left after its last round.
#[test]
fn a_loop_that_creates_processes_ends() {
    let text = "chan q[2] = [9] of { byte }; proctype P(byte me) { q[me]!1 }
        init { byte i; do :: i < 2 -> run P(i); i++ :: i >= 2 -> break od }";
    let net = following(text, &["init.i"]);
    assert!(net.tests.is_empty());
    assert_eq!(effects(&net).iter().filter(|it| *it == "P +1").count(), 2);
}

/// Every time that `i` is set to 0, three rounds are possible.
#[test]
fn rounds_between_resets_are_a_path() {
    let text = "chan q = [9] of { byte };
        active proctype P() { byte i; do :: i = 0 :: i <= 2 -> i++; q!1 :: i > 2 -> q?_ od }";
    let net = following(text, &["P.i"]);
    let sends = effects(&net).iter().filter(|it| *it == "q: _ +1").count();
    assert_eq!((sends, net.tests.len()), (3, 0));
    let coarse = following(text, &[]);
    assert_eq!((effects(&coarse).len(), coarse.tests.len()), (2, 2));
}

#[test]
fn what_a_variable_comes_from_is_asked_for_as_well() {
    let text = "chan q = [9] of { byte }; byte g;
        active proctype P() { byte a, b; a = g; b = a; if :: b == 1 -> q!1 :: else fi; g = 1 }";
    let net = following(text, &[]);
    let reads = &net.tests.as_slice()[0].reads;
    let names: Vec<&str> = reads.iter().map(|&it| net.details[it].name.as_str()).collect();
    assert_eq!(names, ["g", "P.a", "P.b"]);
    let fine = following(text, &names);
    assert_eq!(fine.tests.len(), 0);
    assert_eq!(effects(&fine), ["g = 0 -1 & g = 1 +1"]);
}

#[test]
fn statements_that_change_a_variable_are_listed() {
    let net = following("active proctype P() { byte i; i = 2; i++; i = 2; skip }", &[]);
    let detail = &net.details.as_slice()[0];
    let texts: Vec<&str> = detail.writes.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!((detail.name.as_str(), texts), ("P.i", vec!["i=2", "i++", "i=2"]));
}

#[test]
fn values_of_a_shared_variable_are_counted() {
    let text = "byte x; active proctype P() { x = 2 } active proctype R() { x = 5 }";
    let net = following(text, &["x"]);
    let expected = [
        "x = 0 -1 & x = 2 +1",
        "x = 0 -1 & x = 5 +1",
        "x = 2 +1 & x = 5 -1",
        "x = 2 -1 & x = 5 +1",
    ];
    assert_eq!(effects(&net), expected);
    assert_eq!(net.counters.iter().map(|it| it.initial).sum::<u32>(), 1);
    assert!(net.counters.iter().all(|it| it.counts == Counts::Number));
}

/// Only the controller changes the flag, so it knows it.
#[test]
fn who_alone_changes_a_flag_knows_it() {
    let text = "bool free = true; chan q = [9] of { byte }; chan r = [9] of { byte };
        active proctype C() { do :: free -> free = false; q!1 :: r?_ -> free = true od }
        active proctype U() { do :: q?_ -> assert(!free); r!1 od }";
    let net = following(text, &["free"]);
    assert!(effects(&net).iter().all(|it| *it != "free = 0 -1 & free = 1 +1 & q: _ +1"));
    let starts = net.spots.iter().filter(|it| it.initial == 1).map(|it| it.name.as_str());
    assert_eq!(starts.collect::<Vec<_>>(), ["line 2:37 (free = 1)", "line 3:37"]);
    assert!(net.tests.is_empty(), "{:?}", net.tests);
}

/// What others know is not used against those who change it at another time.
#[test]
fn what_nobody_changes_any_more_stays_known() {
    let text = "bit x; active proctype P() { x == 1 -> x == 1 -> x == 0 }
        active proctype R() { x = 1 }";
    let net = following(text, &["x"]);
    let ends = net.arcs.iter().filter(|it| it.text == "(x==0)").count();
    assert_eq!(ends, 0, "nobody makes it 0 again");
}

/// Between the condition and the assignment others may move.
#[test]
fn what_others_change_is_forgotten() {
    let text = "bit x; active [2] proctype P() { x == 0 -> x = 1; x = 0 }";
    let net = following(text, &["x"]);
    let takes = effects(&net).iter().filter(|it| *it == "x = 0 -1 & x = 1 +1").count();
    let nothing = net.arcs.iter().filter(|it| it.text == "x = 1" && it.effects.is_empty()).count();
    assert_eq!((takes, nothing), (2, 2));
    let alone = "bit x; active [2] proctype P() { atomic { x == 0 -> x = 1 }; x = 0 }";
    let net = following(alone, &["x"]);
    let nothing = net.arcs.iter().filter(|it| it.text == "x = 1" && it.effects.is_empty()).count();
    assert_eq!(nothing, 0);
}

/// An atomic sequence that has to wait lets others move.
#[test]
fn what_was_known_before_waiting_is_forgotten() {
    let text = "bit x; chan q = [9] of { byte };
        active [2] proctype P() { atomic { x == 0 -> q?_; x = 1 }; x = 0 }
        active proctype S() { do :: q!1 od }";
    let net = following(text, &["x"]);
    let nothing = net.arcs.iter().filter(|it| it.text == "x = 1" && it.effects.is_empty()).count();
    assert_eq!(nothing, 2);
}

/// Whoever is created once, by one who does not change it any more, need not reckon with it.
#[test]
fn what_is_changed_before_a_process_begins_does_not_matter_to_it() {
    for (text, known) in [
        ("byte x; proctype P() { x == 3 -> x == 3 } init { x = 3; run P() }", true),
        ("byte x; proctype P() { x == 3 -> x == 3 } init { x = 3; run P(); x = 4 }", false),
        (
            "byte x; proctype P() { x == 3 -> x == 3 }
          init { do :: x = 3; run P(); x = 4 od }",
            false,
        ),
    ] {
        let net = following(text, &["x"]);
        let is_known =
            net.spots.iter().any(|it| it.name.ends_with("(x = 3)") && it.machine.is_none());
        assert_eq!(is_known, known, "{text}");
    }
}

#[test]
fn elements_of_shared_arrays_are_followed_one_by_one() {
    let text = "bit a[2]; active [2] proctype P() { a[_pid] = 1 }";
    let net = following(text, &["a"]);
    assert_eq!(effects(&net), ["a[0] = 0 -1 & a[0] = 1 +1", "a[1] = 0 -1 & a[1] = 1 +1"]);
}

#[test]
fn a_loop_with_many_rounds_is_limited_by_its_guard() {
    let text = "active proctype P() { short i; do :: i <= 2000 -> i++ :: i > 500 -> i = 0 od }";
    let net = following(text, &["P.i"]);
    let expected = [
        "-2001 * (i = 0) + 1 * (i = (i+1)) <= 2001: `i` in P is at most 2001, and `i++` increases it",
        "501 * (i = 0) + -1 * (i = (i+1)) <= 0: `i` in P is at least 0, and `i=0` decreases it",
    ];
    assert_eq!(facts(&net), expected);
    assert_eq!(followed(text, "P.i"), yes("it stays between 0 and 2001"));
}

#[test]
fn a_semaphore_is_taken_as_often_as_it_is_given() {
    let text = "byte s = 1;
        active [2] proctype P() { do :: atomic { s > 0 -> s-- }; s++ od }";
    let net = following(text, &["s"]);
    let because = "`s` is at least 0, and `s--` decreases it";
    let expected = "1 * (s = (s-1)) + -1 * (s = (s+1)) + 1 * (s = (s-1)) + -1 * (s = (s+1)) <= 1";
    assert_eq!(facts(&net), [format!("{expected}: {because}")]);
    assert_eq!(followed(text, "s"), yes("it is never below 0"));
}

#[test]
fn numbers_that_may_wrap_are_no_limit() {
    for (declared, guard) in [
        ("byte i", "i < 300 -> i++"),
        ("byte i", "i < 255 -> i = i + 2"),
        ("short i", "i < 32767 -> i = i + 2"),
        ("short i", "i > -32768 -> i = i - 2"),
        ("unsigned i : 5", "i < 32 -> i++"),
        ("int i", "i++"),
        ("byte s = 1", "s > 0; s--"),
    ] {
        let name = if declared.contains('s') && declared.contains('=') { "s" } else { "i" };
        let text = format!("{declared}; active [2] proctype P() {{ do :: {guard} od }}");
        assert_eq!(followed(&text, name), refused("it may wrap around"), "{text}");
    }
}

#[test]
fn numbers_that_are_kept_from_wrapping_are_limited() {
    for (guard, how) in [
        ("d_step { i < 255 -> i++ }", "it stays between 0 and 255"),
        ("atomic { i < 254 -> i = i + 2 }", "it stays between 0 and 255"),
        ("atomic { i < 100 && i != 99 -> i = i + 1 } ", "it stays between 0 and 99"),
    ] {
        let text = format!("byte i; active [2] proctype P() {{ do :: {guard} od }}");
        assert_eq!(followed(&text, "i"), yes(how), "{text}");
    }
}

#[test]
fn channels_with_random_receives_are_not_in_order() {
    let text = "chan a = [2] of { byte }; chan b = [2] of { byte }; chan c = [2] of { byte };
        chan d = [0] of { byte }; chan e = [2] of { byte };
        active proctype P() { byte x; a!1; b!1; c!!1; d!1; e!1 }
        active proctype R() { byte x; a?x; b??x; c?x; d?x; a??<x>; a??[1]; e?x }";
    let net = following(text, &[]);
    assert_eq!(net.in_order, [QueueId::new(0), QueueId::new(4)]);
}

#[test]
fn channels_hold_what_is_declared() {
    let net = following("chan q = [2] of { byte }; active proctype P() { q!1; q?_ }", &[]);
    assert_eq!(facts(&net), ["1 * (q!1) + -1 * (q?_) <= 2: `q` holds at most 2"]);
}

/// What depends on what in the net that follows nothing: the statements of all sets, then those on which they depend.
fn depending(text: &str) -> Vec<String> {
    let net = made(text).system().program_mut().net(&[]).expect("the model has a net");
    let texts = |arcs: &[ArcId]| {
        let mut all: Vec<&str> = arcs.iter().map(|&arc| net.arcs[arc].text.as_str()).collect();
        all.sort_unstable();
        all.join(" | ")
    };
    let show = |it: &Dependency| {
        let all: Vec<String> = it.all.iter().map(|arcs| texts(arcs)).collect();
        format!("{} -> {}", all.join(" & "), texts(&it.on))
    };
    net.dependencies.iter().map(show).collect()
}

#[test]
fn who_waits_for_a_value_and_changes_it_depends_on_who_resets_it() {
    let text = "int g; active proctype P() { do :: g == 0; g = 1 od }
        active proctype R() { do :: g = 0 :: g = 7 od }";
    assert_eq!(depending(text), ["(g==0) & g = 1 | g = 7 -> g = 0"]);
    let net = made(text).system().program_mut().net(&[]).expect("the model has a net");
    assert_eq!(
        net.dependencies[0].because,
        "`(g==0)` must hold again, and only `g = 0` can make it so"
    );
}

#[test]
fn what_nobody_resets_happens_finitely_often() {
    let text = "bool f; active proctype P() { do :: d_step { !f; f = true } od }";
    assert_eq!(depending(text), ["!f & f = 1 -> "]);
}

#[test]
fn every_other_way_to_write_may_make_a_condition_true() {
    let text = "byte g; chan q = [2] of { byte }; byte h;
        active proctype P() { do :: g == 0 && h > 2; g = 1 od }
        active proctype R() { do :: q?g :: g++ :: g = h :: g = 256 :: q!3 :: q!h; h++ od }";
    assert_eq!(depending(text), ["((g==0)&&(h>2)) & g = 1 -> g = (g+1) | g = 256 | g = h | q?g"]);
}

#[test]
fn what_is_cut_to_its_type_counts() {
    let text = "byte g; active proctype P() { do :: g == 0; g = 257 :: g = 256 od }";
    assert_eq!(depending(text), ["(g==0) & g = 257 -> g = 256"]);
}

#[test]
fn an_element_with_an_unknown_index_may_be_any() {
    let text = "byte a[2]; byte i; active proctype P() { do :: a[1] == 0; a[1] = 1 :: a[0] = 0 od }
        active proctype R() { do :: a[i] = 2; i = 1 - i od }";
    assert_eq!(depending(text), ["(a[1]==0) & a[1] = 1 -> a[i] = 2"]);
}

#[test]
fn elements_of_each_process_are_told_apart() {
    let text = "bool f[2];
        active [2] proctype P() { do :: f[1 - _pid]; f[_pid] = false :: f[_pid] = true od }";
    let one = "f[(1-_pid)] & f[_pid] = 0 -> f[_pid] = 1";
    assert_eq!(depending(text), [one, one]);
}

#[test]
fn only_processes_that_exist_once_have_variables_of_their_own() {
    let text = "active proctype P() { int n; do :: n == 0; n = 1 :: n = 2; n = 0 od }
        init { run P() }";
    assert_eq!(depending(text), ["(n==0) & n = 1 | n = 2 -> n = 0"]);
}

#[test]
fn a_declaration_writes_again() {
    let text = "active proctype P() { do :: int n; n == 0; n = 1 od }";
    assert_eq!(depending(text), ["(n==0) & n = 1 -> n"]);
}

#[test]
fn what_others_decide_is_not_needed() {
    let text = "bool f; bool g; active proctype P() { do :: !f || g; f = true; g = !g od }";
    assert_eq!(depending(text), [""; 0]);
}

#[test]
fn who_waits_for_an_empty_channel_depends_on_who_takes() {
    let text = "chan q = [4] of { byte }; byte h;
        active proctype P() { do :: h > 3 && CONDITION; q!1; h++ od }
        active proctype R() { do :: q?1 :: q?<h> od }";
    for condition in ["empty(q)", "len(q) == 0", "len(q) < 1", "0 == len(q)", "!len(q)"] {
        let found = depending(&text.replace("CONDITION", condition));
        let sets = found[0].split_once(" & ").expect("there are two sets").1;
        assert_eq!((found.len(), sets), (1, "q!1 -> q?1"), "{condition}");
    }
    for condition in ["len(q) < 2", "nempty(q)", "(empty(q) || h > 7)", "nfull(q)"] {
        assert_eq!(depending(&text.replace("CONDITION", condition)), [""; 0], "{condition}");
    }
}
