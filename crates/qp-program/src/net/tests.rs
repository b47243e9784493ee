//! The rules by which programs become nets.

use qp_machines::{Counts, DetailId, Following, Net, Program};

use crate::run::tests::build::{
    Maker, binary, choose, ev, field, goto, int, new, null, plus, reg, send, set_field, state,
    truth,
};
use crate::{Actors, Choice, Dialect, Expr, Handler, Instr, Op, RegisterId, RoleId, StateId, Type};

/// The net of a program in which everybody may create every role, by its number.
fn net(mut maker: Maker, followed: &[DetailId]) -> Net {
    let links: Vec<Option<RoleId>> = maker.blueprint.roles.ids().map(Some).collect();
    for role in maker.blueprint.roles.ids() {
        maker.blueprint.roles[role].links = links.clone();
    }
    let mut actors = Actors::new(std::sync::Arc::new(maker.blueprint));
    actors.net(followed).expect("there is a net")
}

fn texts(net: &Net) -> Vec<&str> {
    net.arcs.iter().map(|arc| arc.text.as_str()).collect()
}

#[test]
fn a_condition_is_left_open_or_decided() {
    let program = || {
        let mut maker = Maker::new(Dialect::Current);
        let [yes, no] = ["Yes", "No"].map(|name| maker.event(name, Type::Null));
        let below = binary(Op::Less, plus(field(0), int(1)), int(2));
        let code = vec![
            set_field(0, int(1)),
            Instr::Unless(below, 4),
            send(Expr::This, yes),
            Instr::Jump(5),
            send(Expr::This, no),
        ];
        let entry = maker.plain("entry of Init", code);
        let both = state("Init").entry(entry).on(yes, Handler::Ignore).on(no, Handler::Ignore);
        maker.role("Main", &[("count", Type::Int)], vec![both]);
        maker
    };
    let open = net(program(), &[]);
    assert_eq!(open.tests.len(), 1);
    assert_eq!(open.tests[0.into()].text, "(count + 1) < 2");
    assert_eq!(open.tests[0.into()].reads, [DetailId::new(0)]);
    assert_eq!(open.details[0.into()].following, Following::No);
    let tested = open.arcs.iter().filter(|arc| !arc.tests.is_empty()).count();
    assert_eq!(tested, 2, "one step to each of the sends");
    assert!(texts(&open).contains(&"send Yes to Main"));

    let decided = net(program(), &[DetailId::new(0)]);
    assert!(decided.tests.is_empty());
    assert!(matches!(decided.details[0.into()].following, Following::Yes(_)));
    assert!(!texts(&decided).contains(&"send Yes to Main"));
    assert!(texts(&decided).contains(&"send No to Main"));
}

/// Both ways lead to the same place, so nothing depends on the condition.
#[test]
fn a_condition_that_decides_nothing_is_no_test() {
    let mut maker = Maker::new(Dialect::Current);
    let go = maker.event("Go", Type::Null);
    let code = vec![
        Instr::Unless(field(0), 2),
        set_field(1, int(1)),
        send(Expr::This, go),
        set_field(0, truth(true)),
    ];
    let entry = maker.plain("entry of Init", code);
    let fields = [("flag", Type::Bool), ("seen", Type::Int)];
    maker.role("Main", &fields, vec![state("Init").entry(entry).on(go, Handler::Ignore)]);
    let net = net(maker, &[]);
    assert!(net.arcs.iter().all(|arc| arc.tests.is_empty()));
}

#[test]
fn a_free_choice_is_no_test() {
    let mut maker = Maker::new(Dialect::Current);
    let go = maker.event("Go", Type::Null);
    let code = vec![choose(0), Instr::Unless(reg(0), 3), send(Expr::This, go)];
    let entry = maker.function("entry of Init", 0, &[Type::Bool], code);
    // A temporary has no name; its values are always told apart.
    maker.blueprint.functions = {
        let mut functions: Vec<_> = maker.blueprint.functions.iter().cloned().collect();
        let mut registers: Vec<_> = functions[0].registers.iter().cloned().collect();
        registers[0].name.clear();
        functions[0].registers = registers.into();
        functions.into()
    };
    maker.role("Main", &[], vec![state("Init").entry(entry).on(go, Handler::Ignore)]);
    let net = net(maker, &[]);
    assert!(net.tests.is_empty());
    assert_eq!(texts(&net), ["go on", "go on", "send Go to Main", "take Go"]);
}

#[test]
fn specs_count_nothing() {
    for dialect in [Dialect::Y2018, Dialect::Current] {
        let mut maker = Maker::new(dialect);
        let [go, seen] = ["Go", "Seen"].map(|name| maker.event(name, Type::Null));
        let code = vec![Instr::Announce { event: ev(seen), payload: null() }, send(Expr::This, go)];
        let entry = maker.plain("entry of Init", code);
        maker.role("Main", &[], vec![state("Init").entry(entry).on(go, Handler::Ignore)]);
        let watching = state("Watch").on(go, Handler::Ignore).on(seen, Handler::Ignore);
        maker.spec("Spec", &[go, seen], &[], vec![watching]);
        let net = net(maker, &[]);
        let counters: Vec<&str> = net.counters.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(counters, ["Main: Go"]);
        let announcing = texts(&net).iter().filter(|it| it.starts_with("announce")).count();
        assert_eq!(announcing, if dialect == Dialect::Current { 2 } else { 1 });
    }
}

/// A machine that is bound to fail may still wait while others move.
#[test]
fn the_step_into_a_failure_is_there() {
    let mut maker = Maker::new(Dialect::Current);
    let go = maker.event("Go", Type::Null);
    let entry = maker.plain("entry of Init", vec![send(Expr::This, go)]);
    maker.role("Main", &[], vec![state("Init").entry(entry)]);
    let net = net(maker, &[]);
    let failing = net.arcs.iter().find(|arc| arc.text == "take Go").expect("it is taken");
    let to = failing.to.expect("the machine is still there");
    assert_eq!(net.spots[to].name, "Main.failed");
}

#[test]
fn machines_are_asked_for_and_begin() {
    let mut maker = Maker::new(Dialect::Current);
    let go = maker.event("Go", Type::Null);
    let other = RoleId::from_raw(1);
    let code = vec![new(other, null(), 0), send(reg(0), go), send(reg(0), go), goto(1)];
    let entry = maker.function("entry of Init", 0, &[Type::Machine(None)], code);
    maker.role("Main", &[], vec![state("Init").entry(entry), state("Done")]);
    maker.role("Other", &[], vec![state("Wait").on(go, Handler::Goto(StateId::from_raw(0), None))]);
    let net = net(maker, &[]);
    let machines = net.counters.iter_enumerated().find(|it| it.1.counts == Counts::Machines);
    let (machines, counter) = machines.expect("machines are counted");
    assert_eq!(counter.name, "Other");
    let by = |by: i64| {
        let arcs = net.arcs.iter().filter(|arc| arc.effects == [(machines, by)]);
        arcs.map(|arc| (arc.text.as_str(), arc.from.is_none())).collect::<Vec<_>>()
    };
    assert_eq!(by(1), [("create Other", false)]);
    assert_eq!(by(-1), [("Other begins", true)]);
    assert_eq!(net.in_order.len(), 2, "there is one of each");
}

#[test]
fn details_do_not_depend_on_what_is_followed() {
    let program = || {
        let mut maker = Maker::new(Dialect::Current);
        let go = maker.event("Go", Type::Null);
        let from = Choice::Of(int(3));
        let code = vec![
            Instr::Choose { into: RegisterId::from_raw(0), from },
            Instr::Unless(binary(Op::Equal, reg(0), int(2)), 3),
            set_field(0, truth(true)),
            Instr::Unless(field(0), 5),
            send(Expr::This, go),
        ];
        let entry = maker.function("entry of Init", 0, &[Type::Int], code);
        let init = state("Init").entry(entry).on(go, Handler::Ignore);
        maker.role("Main", &[("flag", Type::Bool)], vec![init]);
        maker
    };
    let first = net(program(), &[]);
    let names: Vec<&str> = first.details.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Main.flag", "Main: x0 in entry of Init"]);
    for followed in [vec![0], vec![1], vec![0, 1]] {
        let followed: Vec<DetailId> = followed.into_iter().map(DetailId::new).collect();
        let next = net(program(), &followed);
        assert_eq!(next.details.len(), first.details.len());
        for (id, detail) in next.details.iter_enumerated() {
            assert_eq!(detail.name, first.details[id].name);
            assert_eq!(detail.writes, first.details[id].writes);
            assert_eq!(detail.following != Following::No, followed.contains(&id));
        }
    }
}
