//! Whole programs: dialects, what is linked, what is left out, and what is said about it.

use qp_program::{Cap, Dialect, EventId, Handler, Temperature, Type};

use super::print::code;
use super::{reading, refuses, said};
use crate::{Assume, Foreign, Options, Range, read};

const OLD: &str = "event E assume 2; event F assert 1; \
                   machine Main assume 3 { start state S { on E push T; } \
                   state T { entry { pop; } } }";

#[test]
fn a_program_of_2018_is_recognised() {
    let dialect = |text: &str| reading(text, |_| {}).dialect;
    assert_eq!(dialect("event E; machine Main { start state S { } }"), Dialect::Current);
    for text in [
        "event E assert 2;",
        "machine M assume 2 { start state S { } }",
        "event E; machine M { start state S { on E push S; } }",
        "machine M { start state S { entry { if ($) { pop; } } } }",
        "event E; machine M { start state S { exit { while (true) receive { case E: { pop; } } } } }",
        "fun f() { pop; }",
        "machine M { start state S { } } test T: main M in { M };",
    ] {
        assert_eq!(dialect(text), Dialect::Y2018, "{text}");
    }
    assert_eq!(
        dialect("machine M { start state S { } } test T [main = M]: { M };"),
        Dialect::Current
    );
}

#[test]
fn a_dialect_can_be_forced() {
    let reading = reading(OLD, |options| options.dialect = Some(Dialect::Current));
    assert_eq!((reading.dialect, reading.dialect_forced), (Dialect::Current, true));
    let help = "read the program as one of 2018: `--dialect 2018`";
    let expect = [
        ("1:9", "a bound on an event"),
        ("1:27", "a bound on an event"),
        ("1:50", "a bound on a machine's queue"),
        ("1:87", "`push`"),
        ("1:110", "`pop`"),
    ]
    .map(|(place, what)| format!("{place} QP0238 {what} is not part of today's P | {help}"));
    assert_eq!(said(OLD, &reading), expect);
}

#[test]
fn bounds_are_kept_and_assumptions_can_be_left_out() {
    let caps = |assume| {
        let reading = reading(OLD, |options| options.assume = assume);
        let blueprint = reading.blueprint.unwrap();
        let of = |cap: Option<Cap>| cap.map(|cap| (cap.assume, cap.count));
        let events: Vec<_> = blueprint.events.iter().skip(2).map(|event| of(event.cap)).collect();
        (events, of(blueprint.roles[blueprint.main].cap), reading.caveats)
    };
    let (events, machine, caveats) = caps(Assume::Honour);
    assert_eq!(events, [Some((true, 2)), Some((false, 1))]);
    assert_eq!(machine, Some((true, 3)));
    assert_eq!(
        caveats,
        ["`assume` is honoured: runs in which queues hold more of `E`, `Main` are left out"]
    );
    let (events, machine, caveats) = caps(Assume::Strip);
    assert_eq!((events, machine), (vec![None, Some((false, 1))], None));
    assert_eq!(caveats, ["`assume` is left out: `E`, `Main` can fill queues without limit"]);
}

#[test]
fn states_have_their_handlers_by_event() {
    let text = "event A; event B; event C; machine Main { fun f() { } \
                start state S { on C goto T with f; defer B; ignore halt; on A do f; on null do { } } \
                hot state T { entry f; exit f; } cold state U { } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    let body = &blueprint.bodies[blueprint.roles[blueprint.main].body];
    let states = &body.states;
    let [null, f] = [0, 1].map(qp_program::FunctionId::from_raw);
    let [s, t, u] = [0, 1, 2].map(qp_program::StateId::from_raw);
    assert_eq!(
        states[s].handlers,
        [
            (EventId::NULL, Handler::Do(null)),
            (EventId::HALT, Handler::Ignore),
            (EventId::from_raw(2), Handler::Do(f)),
            (EventId::from_raw(3), Handler::Defer),
            (EventId::from_raw(4), Handler::Goto(t, Some(f))),
        ]
    );
    assert_eq!((states[t].entry, states[t].exit), (Some(f), Some(f)));
    assert_eq!(body.start, s);
    let temperatures = [s, t, u].map(|state| states[state].temperature);
    assert_eq!(temperatures, [Temperature::Warm, Temperature::Hot, Temperature::Cold]);
    assert_eq!(blueprint.functions[null].name, "on null in S");
}

#[test]
fn only_functions_that_can_be_reached_are_there() {
    let text = "fun a() { b(); } fun b() { a(); } fun c() { } \
                machine Main { fun d() { } start state S { entry { a(); } } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    let names: Vec<&str> = blueprint.functions.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["entry of S", "a", "b"]);
    assert_eq!(code(&blueprint, "b"), "0: a()\n");
}

#[test]
fn a_role_says_what_it_sends_and_receives() {
    let text = "event A; event B; machine Main receives B; sends A, halt; { start state S { } } \
                machine Other { start state S { } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    let [a, b] = [2, 3].map(EventId::from_raw);
    let main = &blueprint.roles[blueprint.main];
    assert_eq!(main.receives, Some(vec![b]));
    assert_eq!(main.sends, Some(vec![EventId::HALT, a]));
    let other = blueprint.roles.iter().find(|role| role.name == "Other").unwrap();
    assert_eq!((&other.receives, &other.sends), (&None, &None));
}

#[test]
fn payloads_have_the_types_of_their_events() {
    let text = "type T = seq[int]; event A; event B: T; event C: (x: Main, y: any); \
                machine Main { start state S { } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    let shown: Vec<String> = blueprint
        .events
        .iter()
        .map(|event| format!("{} {:?}", event.name, event.payload))
        .collect();
    assert_eq!(
        shown,
        [
            "null Null",
            "halt Null",
            "A Null",
            "B Seq(Int)",
            r#"C Record(Fields { names: ["x", "y"], types: [Machine(None), Any] })"#,
        ]
    );
}

#[test]
fn foreign_functions_are_refused_where_they_are_used() {
    let head = "type T; fun unused(x: T): T; fun ask(): bool; ";
    let main = "machine Main { var t: T; start state S { entry { ask(); } } }";
    refuses(
        &format!("{head}{main}"),
        &["1:34 QP0234 `ask` is foreign: what it does is not known | give it a body, or try all \
           values it could return: `--foreign havoc`"],
    );
    refuses(&format!("{head}machine Main {{ var t: T; start state S {{ }} }}"), &[]);
}

#[test]
fn foreign_functions_can_return_everything() {
    let text = "enum E { A, B } fun ask(): bool; fun tell(x: int); fun pair(): (E, bool); \
                machine Main { start state S { entry { var b: bool; b = ask(); tell(1); pair(); } } }";
    let reading = reading(text, |options| options.foreign = Foreign::Havoc);
    let blueprint = reading.blueprint.unwrap();
    assert_eq!(code(&blueprint, "ask"), "0: t0 = choose any bool\n1: return t0\n");
    assert_eq!(code(&blueprint, "tell"), "");
    assert_eq!(code(&blueprint, "pair"), "0: t0 = choose any\n1: return t0\n");
    assert_eq!(
        reading.caveats,
        ["ask", "tell", "pair"].map(|name| format!(
            "the foreign function `{name}` may return anything, and does nothing else"
        ))
    );
}

#[test]
fn foreign_functions_cannot_return_infinitely_much() {
    let text = "fun ask(): int; machine Main { start state S { entry { ask(); } } }";
    let reading = reading(text, |options| options.foreign = Foreign::Havoc);
    assert_eq!(
        said(text, &reading),
        [
            "1:5 QP0234 `ask` is foreign and can return any `int` | say which numbers it may return: \
          `--foreign ask=0..3`"
        ]
    );
    assert!(reading.blueprint.is_none());
}

#[test]
fn foreign_functions_return_numbers_of_their_range() {
    let text =
        "fun ask(): int; fun yes(): bool; machine Main { start state S { entry { ask(); } } }";
    let with = |text: &str, range: &str| {
        reading(text, |options| options.ranges.extend(Range::read(range)))
    };
    let found = with(text, "ask=-1..2");
    assert_eq!(
        found.caveats,
        ["the foreign function `ask` may return -1 to 2, and does nothing else"]
    );
    assert!(found.blueprint.is_some());
    let other = text.replace("entry { ask(); }", "entry { yes(); }");
    assert_eq!(
        said(&other, &with(&other, "yes=0..1")),
        ["1:21 QP0234 `yes` returns `bool`, and no number | a range is for functions that return \
          `int`; `--foreign havoc` is for others"]
    );
    for wrong in ["ask", "=0..3", "ask=3..0", "ask=0..1000000", "ask=0", "ask=a..b"] {
        assert_eq!(Range::read(wrong), None, "{wrong}");
    }
    assert_eq!(Range::read("ask=0..3").unwrap().to_string(), "ask=0..3");
}

#[test]
fn all_specs_watch_if_that_is_wanted() {
    let text = "event e; spec A observes e { start state S { ignore e; } } \
                machine Main { start state S { } } test tc [main = Main]: { Main };";
    let found = reading(text, |options| options.all_specs = true);
    assert_eq!(said(text, &found), Vec::<String>::new());
    assert_eq!(found.blueprint.unwrap().specs.len(), 1);
    let plain = reading(text, |_| {});
    assert!(said(text, &plain)[0].contains("QP0263"), "{:?}", said(text, &plain));
    assert_eq!(plain.blueprint.unwrap().specs.len(), 0);
}

#[test]
fn an_order_that_may_matter_is_mentioned() {
    let caveats = |stmts: &str| {
        let text = format!(
            "machine Main {{ start state S {{ entry {{ var i: int; var s: set[int]; \
             var q: seq[int]; var m: map[int, int]; {stmts} }} }} }}"
        );
        reading(&text, |_| {}).caveats
    };
    let order = ["sets and maps are gone through in one fixed order, that of their values"];
    assert_eq!(caveats("foreach (i in s) { } foreach (i in keys(m)) { }"), order);
    assert_eq!(caveats("i = s[0];"), order);
    assert_eq!(caveats("q = values(m);"), order);
    assert_eq!(caveats("foreach (i in q) { } i = q[0] + m[0] + sizeof(s);"), [""; 0]);
}

#[test]
fn what_does_not_take_part_is_mentioned() {
    let text = "event E; scenario Seen observes E { start state S { } } \
                invariant always: true; machine Main { start state S { } }";
    assert_eq!(
        reading(text, |_| {}).caveats,
        [
            "declarations for P's deductive verifier are left out",
            "the scenario `Seen` only measures coverage and is left out"
        ]
    );
}

#[test]
fn declarations_of_all_files_are_one_program() {
    let files = [
        "machine Main { start state S { entry { help(One); } } }",
        "fun help(e: E) { }",
        "enum E { One }",
    ];
    let starts = [0, files[0].len() as u32, (files[0].len() + files[1].len()) as u32];
    let options =
        Options { assume: Assume::Honour, foreign: Foreign::Refuse, ..Options::default() };
    let reading = read(&files.concat(), &starts, &options);
    assert_eq!(reading.diagnostics, []);
    let blueprint = reading.blueprint.unwrap();
    assert_eq!(code(&blueprint, "entry of S"), "0: help(One)\n");
    assert_eq!(blueprint.functions[blueprint.functions.ids().last().unwrap()].n_params, 1);
}

#[test]
fn machines_that_nothing_creates_are_checked_too() {
    refuses(
        "machine Main { start state S { } }\nmachine Idle { start state S { entry { x = 1; } } }",
        &["2:40 QP0210 there is no variable `x` | declare it: `var ...`"],
    );
}

#[test]
fn variables_have_names_and_types() {
    let text =
        "machine Main { var a, b: int; start state S { entry { var c: bool; var d: seq[any]; } } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    let body = &blueprint.bodies[blueprint.roles[blueprint.main].body];
    let fields: Vec<_> = body.fields.iter().map(|it| (it.name.as_str(), it.ty.clone())).collect();
    assert_eq!(fields, [("a", Type::Int), ("b", Type::Int)]);
    let entry = &blueprint.functions[qp_program::FunctionId::from_raw(0)];
    let locals: Vec<_> =
        entry.registers.iter().map(|it| (it.name.as_str(), it.ty.clone())).collect();
    assert_eq!(locals, [("c", Type::Bool), ("d", Type::Seq(Type::Any.into()))]);
}

#[test]
fn a_payload_may_be_left_unused_in_2018() {
    refuses(
        "event E: int; event F assert 1;\nmachine Main { start state S { entry { receive { case E: { } } } } }",
        &[],
    );
}

#[test]
fn a_waiting_machine_of_2018_does_not_take_halt() {
    let text =
        "event E assert 1; machine Main { start state S { entry { receive { case E: { } } } } }";
    let blueprint = reading(text, |_| {}).blueprint.unwrap();
    assert_eq!(code(&blueprint, "entry of S"), "0: receive E -> 1\n1: -> 2\n");
}

#[test]
fn a_missing_value_is_null_in_2018() {
    let today = "event F: any; machine Main { start state S { } }
machine M { start state S { entry (x: any) {
if ($) send this, F;
if ($) raise F;
new M();
goto S;
} } }";
    let older = today.replace("event F", "event E assert 1; event F");
    refuses(&older, &[]);
    refuses(
        today,
        &[
            "3:8 QP0224 `F` carries `any`, found nothing",
            "4:8 QP0224 `F` carries `any`, found nothing",
            "5:1 QP0224 `M` takes `any`, found nothing",
            "6:1 QP0213 the entry of `S` takes 1 argument, 0 are given",
        ],
    );
}

#[test]
fn a_conversion_of_a_machine_is_mentioned() {
    let text = "event E; interface I() receives E; machine Main { start state S { entry { \
                var i: I; var m: machine; i = m to I; } } }";
    assert_eq!(
        reading(text, |_| {}).caveats,
        ["a machine that is converted with `to` still takes what it took before"]
    );
}
