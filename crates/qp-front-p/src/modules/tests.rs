//! What modules and tests are linked to, and what is wrong with broken ones.

use qp_base::{Complaints, Diagnostic};
use qp_program::Dialect;

use super::{Case, Linked, cases, link};
use crate::ast::{Decl, File};
use crate::parser::parse;

/// Machines that every test here can use: `A` creates `B` and, in a function, `C`.
const MACHINES: &str = "event E; event F: int; interface I() receives E; interface J() receives E;
machine A { start state S { entry { new B(); f(); } } }
machine B { start state S { } }
machine C { start state S { entry { } } }
machine D { start state S { entry { new I(); } } }
fun f() { var c: machine; if ($) { c = new C(); } f(); }
spec P observes E { start state S { } }
spec Q observes E, F { start state S { } }
";

fn tree(text: &str) -> File {
    let mut complaints = Complaints::new(crate::codes::MORE);
    let file = parse(text, 0, &mut complaints);
    assert_eq!(complaints.finish(), [], "{text}");
    file
}

/// `line:column code message`, with lines counted after the machines.
fn shown(text: &str, found: Vec<Diagnostic>) -> Vec<String> {
    let source = qp_base::Source::new("", text);
    let lines = MACHINES.lines().count() as u32;
    let show = |d: Diagnostic| {
        let place = source.place(d.primary.span.start);
        format!("{}:{} {} {}", place.line.saturating_sub(lines), place.column, d.code, d.message)
    };
    found.into_iter().map(show).collect()
}

/// The names of the cases of a whole text, and what is wrong.
fn named(text: &str) -> (Vec<String>, Vec<String>) {
    let file = tree(text);
    let decls: Vec<&Decl> = file.decls.iter().collect();
    let mut complaints = Complaints::new(crate::codes::MORE);
    let names = cases(&decls, &mut complaints).into_iter().map(|case| case.name).collect();
    (names, shown(text, complaints.finish()))
}

/// Links the first case of a whole text.
fn link_text(text: &str, dialect: Dialect) -> (Option<Linked>, Vec<String>) {
    let file = tree(text);
    let decls: Vec<&Decl> = file.decls.iter().collect();
    let mut complaints = Complaints::new(crate::codes::MORE);
    let case: Option<Case> = cases(&decls, &mut complaints).into_iter().next();
    let linked = case.and_then(|case| link(&decls, &case, (dialect, false), &mut complaints));
    (linked, shown(text, complaints.finish()))
}

/// The linked program as `main; interface=machine{new->role}[watchers] ...; specs`.
fn print(linked: &Linked) -> String {
    let roles = linked.roles.iter().map(|role| {
        let links: Vec<_> = role.links.iter().map(|(a, b)| format!("{a}->{b}")).collect();
        let watchers = role.watchers.join(",");
        format!("{}={}{{{}}}[{watchers}]", role.interface, role.machine, links.join(","))
    });
    let roles: Vec<_> = roles.collect();
    format!("{}; {}; {}", linked.main, roles.join(" "), linked.specs.join(","))
}

/// What declarations together with the machines are linked to.
fn links(text: &str, expect: &str) {
    let (linked, found) = link_text(&format!("{MACHINES}{text}"), Dialect::Current);
    assert_eq!(found, Vec::<String>::new(), "{text}");
    assert_eq!(print(&linked.unwrap()), expect, "{text}");
}

/// What is wrong with declarations together with the machines.
fn says(text: &str, expect: &[&str]) {
    let (linked, found) = link_text(&format!("{MACHINES}{text}"), Dialect::Current);
    assert_eq!(found, expect, "{text}");
    assert_eq!(linked, None, "{text}");
}

#[test]
fn machines_are_bound_under_their_names() {
    links("test T [main = A]: { A, B, C };", "A; A=A{B->B,C->C}[] B=B{}[] C=C{}[]; ");
    links("test T: main A in { A, B, C };", "A; A=A{B->B,C->C}[] B=B{}[] C=C{}[]; ");
}

#[test]
fn machines_are_bound_to_interfaces() {
    links("test T [main = D]: { D, B -> I };", "D; D=D{I->I}[] I=B{}[]; ");
    links("test T [main = B]: { B -> I, C };", "I; I=B{}[] C=C{}[]; ");
    links("test T [main = B]: { B -> I, B };", "B; I=B{}[] B=B{}[]; ");
    links("test T [main = A]: { A, B -> C, C -> B };", "A; A=A{B->B,C->C}[] C=B{}[] B=C{}[]; ");
}

#[test]
fn named_modules_are_looked_up() {
    links(
        "module M = { B, C }; module N = union M, { A }; test T [main = A]: N;",
        "A; B=B{}[] C=C{}[] A=A{B->B,C->C}[]; ",
    );
}

#[test]
fn specs_watch_the_machines_of_their_module() {
    links(
        "test T [main = A]: union (assert Q, P in { A }), { B, C };",
        "A; A=A{B->B,C->C}[P,Q] B=B{}[] C=C{}[]; P,Q",
    );
    links(
        "test T [main = A]: assert Q in union (assert P in { A }), { B, C };",
        "A; A=A{B->B,C->C}[P,Q] B=B{}[Q] C=C{}[Q]; P,Q",
    );
}

#[test]
fn renaming_changes_roles_and_links() {
    links("test T [main = D]: rename I to J in { D, B -> I };", "D; D=D{I->J}[] J=B{}[]; ");
    links(
        "test T [main = D]: union (rename I to J in { D }), { B -> J, C -> I };",
        "D; D=D{I->J}[] J=B{}[] I=C{}[]; ",
    );
    links(
        "test T [main = D]: rename I to J in assert P in { D, B -> I };",
        "D; D=D{I->J}[P] J=B{}[P]; P",
    );
}

#[test]
fn hiding_changes_nothing_at_run_time() {
    links("test T [main = D]: hidei I in { D, B -> I };", "D; D=D{I->I}[] I=B{}[]; ");
    let text = "event E; interface I() receives E;
        machine Main sends E; receives; { start state S { entry { new I(); } } }
        machine B receives E; sends; { start state S { } }
        test T [main = Main]: (hidee E in { Main, B -> I });";
    let (linked, found) = link_text(text, Dialect::Current);
    // The main machine is bound and not created, but it receives nothing.
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(print(&linked.unwrap()), "Main; Main=Main{I->I}[] I=B{}[]; ");
}

#[test]
fn composed_modules_send_different_events() {
    let machines = "event E; event G;
        machine Main sends E; receives; { start state S { entry { new B(); } } }
        machine B sends G; { start state S { } }\n";
    let text = format!("{machines}test T [main = Main]: compose {{ Main }}, {{ B }};");
    assert_eq!(
        print(&link_text(&text, Dialect::Current).0.unwrap()),
        "Main; Main=Main{B->B}[] B=B{}[]; "
    );
    let text = text.replace("sends G", "sends G, E");
    let (linked, found) = link_text(&text, Dialect::Current);
    assert_eq!(linked, None);
    assert_eq!(found, ["0:41 QP0249 `E` is sent by two of the composed modules"]);
}

#[test]
fn composed_modules_create_different_machines() {
    let text = "event E;
        machine Main sends; { start state S { entry { new B(); } } }
        machine B sends; { start state S { entry { new B(); } } }
        test T [main = Main]: compose { Main }, { B };";
    let (_, found) = link_text(text, Dialect::Current);
    assert_eq!(found, ["0:49 QP0249 `B` is created by two of the composed modules"]);
}

#[test]
fn a_program_without_tests_runs_main() {
    let text = "machine Main { start state S { entry { new B(); } } }
        machine B { start state S { entry f; on E do { new Main(); } } fun f() { g(new B()); } }
        event E; spec P observes E { } scenario R observes E { }";
    assert_eq!(named(text).0, ["Main"]);
    let both = "Main=Main{B->B}[] B=B{B->B,Main->Main}[]";
    let (linked, found) = link_text(text, Dialect::Current);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(print(&linked.unwrap()), format!("Main; {both}; "));
    let all = both.replace("[]", "[P]");
    assert_eq!(print(&link_text(text, Dialect::Y2018).0.unwrap()), format!("Main; {all}; P"));
}

#[test]
fn cases_come_in_the_order_of_the_text() {
    let text = "machine Main { start state S { } } test T2 [main = Main]: { Main };
        implementation I: { Main }; test T1: main Main in { Main };";
    assert_eq!(named(text), (vec!["T2".to_owned(), "T1".to_owned()], vec![]));
    let text = "machine Main { start state S { } } implementation I: { Main };";
    assert_eq!(named(text).0, ["I"]);
    assert_eq!(print(&link_text(text, Dialect::Current).0.unwrap()), "Main; Main=Main{}[]; ");
    assert_eq!(named("machine M { }").0, Vec::<String>::new());
    assert_eq!(named("spec Main observes E { }").0, Vec::<String>::new());
}

/// The cases of a test with parameters `a`, `b` and `c`, numbers, and `t`, a truth value.
fn expands(head: &str, expect: &[&str]) {
    let text = format!("param a, b, c: int; param t: bool; test {head} T [main = M]: {{ M }};");
    let (names, found) = named(&text);
    assert_eq!(found, Vec::<String>::new(), "{head}");
    assert_eq!(names, expect, "{head}");
}

#[test]
fn parameters_make_one_case_per_assignment() {
    expands("param (a in [1])", &["T___a_1"]);
    expands(
        "param (a in [1, -2], t in [true, false])",
        &["T___a_1__t_true", "T___a_neg2__t_true", "T___a_1__t_false", "T___a_neg2__t_false"],
    );
}

#[test]
fn assumptions_choose_assignments() {
    expands("param (a in [1, 2], b in [1, 2]) assume a < b", &["T___a_1__b_2"]);
    expands("param (a in [0, 2], b in [4]) assume a != 0 && b / a == 2", &["T___a_2__b_4"]);
    expands(
        "param (a in [1, 2], t in [true, false]) assume t == (a % 2 == 0)",
        &["T___a_2__t_true", "T___a_1__t_false"],
    );
    expands("param (a in [1, 2, 3]) assume !(a > 1) || -a * 2 + 1 <= -5", &["T___a_1", "T___a_3"]);
    expands("param (a in [1, 2]) assume a == 1 ==> false", &["T___a_2"]);
}

#[test]
fn few_assignments_cover_all_pairs() {
    // Of four assignments to a pair, every one is needed.
    let pairs = "param (a in [1, 2], b in [1, 2]) pairwise";
    expands(pairs, &["T___a_1__b_1", "T___a_2__b_1", "T___a_1__b_2", "T___a_2__b_2"]);
    // Four of the eight to three parameters show all pairs.
    let three = "param (a in [1, 2], b in [1, 2], c in [1, 2]) pairwise";
    expands(
        three,
        &["T___a_1__b_1__c_1", "T___a_2__b_2__c_1", "T___a_2__b_1__c_2", "T___a_1__b_2__c_2"],
    );
    let single = "param (a in [1, 2, 3], b in [1, 2]) (1 wise)";
    expands(single, &["T___a_1__b_1", "T___a_2__b_2", "T___a_3__b_1"]);
}

#[test]
fn the_cases_are_those_of_p() {
    // P's manual lists these, with longer names of parameters.
    let text = "param c, p, n, f: int;
        test param (c in [2, 3], p in [3, 4, 5], n in [1, 2], f in [0, 1])
        assume (p > c && f < p / 2) (2 wise) T [main = M]: { M };";
    let expect = [
        "T___c_2__p_3__n_1__f_0",
        "T___c_3__p_4__n_2__f_0",
        "T___c_3__p_5__n_1__f_1",
        "T___c_2__p_4__n_2__f_1",
        "T___c_2__p_5__n_2__f_0",
        "T___c_2__p_4__n_1__f_0",
        "T___c_2__p_3__n_2__f_0",
    ];
    assert_eq!(named(text).0, expect);
}

#[test]
fn the_parameters_of_a_case_are_part_of_its_program() {
    let text = format!("{MACHINES}param a: int; test param (a in [-7]) T [main = B]: {{ B }};");
    let linked = link_text(&text, Dialect::Current).0.unwrap();
    assert_eq!(linked.params, [("a".to_owned(), crate::ast::ParamValue::Int(-7))]);
}

#[test]
fn parameters_that_do_not_fit_are_reported() {
    let check = |head: &str, expect: &str| {
        let text = format!(
            "{MACHINES}param a, b: int; param t: bool; param s: string;\n test {head} T [main = B]: {{ B }};"
        );
        let (names, found) = named(&text);
        assert_eq!(found, [expect], "{head}");
        assert_eq!(names, Vec::<String>::new(), "{head}");
    };
    check("param (aa in [1])", "2:14 QP0240 there is no param `aa`");
    check("param (a in [1], a in [2])", "2:24 QP0254 `a` is given values twice");
    check("param (a in [2, 2])", "2:14 QP0254 `a` is given the same value twice");
    check("param (a in [1, true])", "2:14 QP0254 these values do not have the type of `a`");
    check("param (s in [1])", "2:14 QP0254 these values do not have the type of `s`");
    check(
        "param (a in [1]) (0 wise)",
        "2:25 QP0255 combinations of 0 parameters are asked for, but there are 1",
    );
    check(
        "param (a in [1]) pairwise",
        "2:24 QP0255 combinations of 2 parameters are asked for, but there are 1",
    );
    check("param (a in [1]) assume b == 1", "2:31 QP0256 `b` is not given values by this test");
    check("param (a in [1]) assume a", "2:31 QP0256 this is a number, not a condition");
    check(
        "param (a in [1]) assume a == true",
        "2:31 QP0256 the operator does not fit its operands",
    );
    check("param (a in [1]) assume a / 0 == a", "2:31 QP0256 this divides by zero");
    check(
        "param (a in [9223372036854775807]) assume a + a == a",
        "2:49 QP0256 the result is too large",
    );
    check(
        "param (a in [1]) assume f(a)",
        "2:31 QP0256 this cannot be computed before the test runs",
    );
    check("param (a in [1]) assume a > 1", "2:37 QP0257 `T` stands for no test at all");
}

#[test]
fn there_is_a_limit_to_the_number_of_cases() {
    let values: Vec<_> = (0..200).map(|i| i.to_string()).collect();
    let values = values.join(", ");
    let text =
        format!("param a, b: int; test param (a in [{values}], b in [{values}]) T: {{ M }};");
    assert_eq!(named(&text).1.len(), 1);
    assert!(named(&text).1[0].ends_with("QP0254 `T` stands for too many tests"));
    let names: Vec<_> = (0..60).map(|i| format!("p{i}")).collect();
    let values: Vec<_> = names.iter().map(|name| format!("{name} in [1]")).collect();
    let (names, values) = (names.join(", "), values.join(", "));
    let text = format!("param {names}: int; test param ({values}) (30 wise) T: {{ M }};");
    assert!(named(&text).1[0].ends_with("QP0254 `T` stands for too many tests"));
}

#[test]
fn unknown_names_are_reported() {
    says("test T [main = A]: { AA };", &["1:22 QP0240 there is no machine `AA`"]);
    says("test T [main = A]: { A -> K, B };", &["1:27 QP0240 there is no interface `K`"]);
    says("test T [main = A]: Mod;", &["1:20 QP0240 there is no module `Mod`"]);
    says("test T [main = A]: assert R in { A };", &["1:27 QP0240 there is no spec `R`"]);
    says("test T [main = A]: hidee G in { A };", &["1:26 QP0240 there is no event `G`"]);
    says("test T [main = A]: hidei K in { A };", &["1:26 QP0240 there is no interface `K`"]);
    says("test T [main = A]: rename K to I in { A };", &["1:27 QP0240 there is no interface `K`"]);
}

#[test]
fn specs_are_no_machines() {
    says("test T [main = A]: { A, P };", &["1:25 QP0241 `P` is a spec, not a machine"]);
    says("test T [main = A]: assert B in { A };", &["1:27 QP0241 `B` is a machine, not a spec"]);
}

#[test]
fn interfaces_are_bound_once() {
    says("test T [main = A]: { A, B, C -> B };", &["1:33 QP0242 `B` is bound twice"]);
    says(
        "test T [main = A]: union { A, B }, { B, C };",
        &["1:36 QP0243 `B` is bound in two of these modules"],
    );
}

#[test]
fn a_machine_receives_what_its_interface_does() {
    let text = "machine K receives F; { start state S { } } test T [main = K]: { K -> I };";
    says(text, &["1:71 QP0244 `K` does not receive `E`, but `I` does"]);
}

#[test]
fn wrong_renamings_are_reported() {
    says(
        "test T [main = D]: rename B to I in { D };",
        &["1:32 QP0245 `B` and `I` do not receive the same events"],
    );
    says(
        "test T [main = A]: rename I to J in { A };",
        &["1:27 QP0245 `I` is neither bound nor created inside"],
    );
    says(
        "test T [main = D]: rename J to I in { D, B -> J };",
        &["1:32 QP0245 `I` is bound or created inside already"],
    );
}

#[test]
fn wrong_hidings_are_reported() {
    says(
        "test T [main = A]: hidei B in { B };",
        &["1:26 QP0246 `B` is not both bound and created inside"],
    );
    says("test T [main = B]: hidee E in { B };", &["1:20 QP0246 `E` can come through `B`"]);
    says(
        "machine K receives F; { start state S { } } test T [main = K]: hidee E in { K };",
        &["1:70 QP0246 `E` is not both sent and received inside"],
    );
    let text = "event E; event G; interface I() receives E;
        machine Main sends E; receives; { start state S { entry { new I(); } } }
        machine B receives E; sends; { start state S { } }
        machine C receives E; sends; { start state S { } }
        test T [main = Main]: union (hidee E in { Main, B -> I }), { C };";
    assert_eq!(
        link_text(text, Dialect::Current).1,
        ["0:68 QP0246 `E` is hidden in another of these modules"]
    );
}

#[test]
fn specs_are_attached_once() {
    says("test T [main = B]: assert P, P in { B };", &["1:30 QP0247 `P` is attached twice"]);
    says(
        "test T [main = B]: assert P in assert P in { B };",
        &["1:27 QP0247 `P` is attached twice"],
    );
    says(
        "test T [main = B]: union (assert P in { B }), (assert P in { C });",
        &["1:47 QP0247 `P` is attached twice"],
    );
}

#[test]
fn specs_observe_what_is_sent() {
    let text = "eventset Both = { E, F }; machine K sends Both; { start state S { } }\n";
    links(&format!("{text}test T [main = K]: assert Q in {{ K }};"), "K; K=K{}[Q]; Q");
    let text = text.replace("E, F", "E");
    says(
        &format!("{text}test T [main = K]: assert Q in {{ K }};"),
        &["2:27 QP0248 no machine here sends `F`, which `Q` observes"],
    );
}

#[test]
fn everything_that_is_created_is_bound() {
    let text = format!("{MACHINES}test T [main = A]: {{ A, B }};");
    let (linked, found) = link_text(&text, Dialect::Current);
    assert_eq!(linked, None);
    assert_eq!(found, ["0:44 QP0250 `A` creates `C`, which `T` does not bind"]);
    let (_, found) =
        link_text("machine Main { start state S { entry { new Mian(); } } }", Dialect::Current);
    assert_eq!(found, ["0:44 QP0250 `Main` creates `Mian`, which is not declared"]);
    let text = "machine Main { start state S { entry { new P(); } } } spec P observes E { }";
    let (_, found) = link_text(text, Dialect::Current);
    assert_eq!(found, ["0:44 QP0250 `Main` creates `P`, which is a spec"]);
    let text = "interface I() receives; machine Main { start state S { entry { new I(); } } }";
    let (_, found) = link_text(text, Dialect::Current);
    assert_eq!(found, ["0:68 QP0250 `Main` creates `I`, but no machine has this name"]);
}

#[test]
fn the_main_machine_is_bound_and_takes_nothing() {
    says("test T [main = A]: { B };", &["1:16 QP0251 `A` runs first, but it is not in the module"]);
    says("test T: { B };", &["1:6 QP0251 it is not said which machine runs first"]);
    says(
        "machine K { start state S { entry (x: int) { } } } test T [main = K]: { K };",
        &["1:36 QP0252 the main machine `K` takes an argument"],
    );
    says(
        "machine K { start state S { entry g; } } fun g(x: int) { } test T [main = K]: { K };",
        &["1:35 QP0252 the main machine `K` takes an argument"],
    );
    links(
        "machine K { start state S { entry g; } fun g() { } } fun g(x: int) { } test T [main = K]: { K };",
        "K; K=K{}[]; ",
    );
}

#[test]
fn modules_are_not_made_of_themselves() {
    says(
        "module M = union N, { B }; module N = M; test T [main = B]: M;",
        &["1:39 QP0253 the module `M` is made of itself"],
    );
    let named = |i: usize| format!("module M{i} = M{}; ", i + 1);
    let chain = (0..1000).map(named).collect::<Vec<_>>().concat();
    let text = format!("{chain} module M1000 = {{ M }}; machine M {{ }} test T [main = M]: M0;");
    let (linked, found) = link_text(&text, Dialect::Current);
    assert_eq!(linked, None);
    assert!(found[0].ends_with("QP0253 modules name each other more than 200 levels deep"));
    // Every named module is worked out once.
    let twice = |i: usize| format!("module M{i} = union M{j}, M{j}; ", j = i + 1);
    let doubled = (0..100).map(twice).collect::<Vec<_>>().concat();
    let text = format!("{doubled} module M100 = {{ M }}; machine M {{ }} test T [main = M]: M0;");
    assert_eq!(link_text(&text, Dialect::Current).0, None);
}

#[test]
fn refinement_is_refused_by_name() {
    says(
        "test T [main = B]: { B } refines { C };",
        &["1:34 QP0258 `T` asks for refinement, which is not supported"],
    );
}

#[test]
fn names_of_tests_and_modules_differ() {
    let (_, found) = named("module M = { A }; module M = { B }; test T: M; test T: M;");
    assert_eq!(
        found,
        ["0:26 QP0259 there are two modules `M`", "0:53 QP0259 there are two tests `T`"]
    );
}
