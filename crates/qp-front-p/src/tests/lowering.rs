//! What code becomes.

use super::print::code;
use super::{BEFORE, BEHIND, reading, said};

/// Compares what statements become.
fn becomes(body: &str, expect: &str) {
    let text = format!("{BEFORE}{body}{BEHIND}");
    let reading = reading(&text, |_| {});
    let said = said(&text, &reading);
    assert!(said.is_empty(), "{said:?}");
    let code = code(&reading.blueprint.unwrap(), "entry of S");
    assert_eq!(code, expect.trim_start_matches('\n'), "{body}");
}

#[test]
fn statements_become_instructions() {
    becomes(
        "
var i: int;
i = f + 1;
if (i == 2) { f = i; } else { f = 0; }
help(i);
",
        "
0: i = (@0 + 1)
1: unless (i == 2) -> 4
2: @0 = i
3: -> 5
4: @0 = 0
5: help(i)
",
    );
}

#[test]
fn fields_are_saved_before_a_later_call_as_an_argument() {
    becomes(
        "
both(f, twice(1));
",
        "
0: t0 = @0
1: t1 = twice(1)
2: both(t0, t1)
",
    );
}

#[test]
fn a_bare_variable_is_read_after_the_call_right_of_it() {
    becomes(
        "
f = f + twice(1);
f = (f + 1) * twice(1);
",
        "
0: t0 = twice(1)
1: @0 = (@0 + t0)
2: t1 = (@0 + 1)
3: t2 = twice(1)
4: @0 = (t1 * t2)
",
    );
}

#[test]
fn operands_without_calls_stay_expressions() {
    becomes(
        "
var i: int;
i = (f + 1) * (i - 2);
i = s[f] + m[i];
",
        "
0: i = ((@0 + 1) * (i - 2))
1: i = (@1[@0] + @2[i])
",
    );
}

#[test]
fn and_does_not_call_if_the_left_side_is_false() {
    becomes(
        "
var b: bool;
b = b && ask();
b = b && f == 0;
",
        "
0: t1 = b
1: unless t1 -> 4
2: t2 = ask()
3: t1 = t2
4: b = t1
5: b = (b && (@0 == 0))
",
    );
}

#[test]
fn or_does_not_call_if_the_left_side_is_true() {
    becomes(
        "
var b: bool;
b = b || ask();
",
        "
0: t1 = b
1: unless !t1 -> 4
2: t2 = ask()
3: t1 = t2
4: b = t1
",
    );
}

#[test]
fn implication_looks_at_the_right_side_last() {
    becomes(
        "
var b: bool;
b = b ==> ask();
b = b ==> f == 0;
b = b <==> f == 0;
",
        "
0: t1 = !b
1: unless !t1 -> 4
2: t2 = ask()
3: t1 = t2
4: b = t1
5: b = (!b || (@0 == 0))
6: b = (b == (@0 == 0))
",
    );
}

#[test]
fn while_works_its_condition_out_every_time() {
    becomes(
        "
while (ask()) { f = f + 1; if (f == 2) { continue; } if (f == 3) { break; } }
",
        "
0: t0 = ask()
1: unless t0 -> 8
2: @0 = (@0 + 1)
3: unless (@0 == 2) -> 5
4: -> 0
5: unless (@0 == 3) -> 7
6: -> 8
7: -> 0
",
    );
}

#[test]
fn foreach_goes_over_a_copy() {
    becomes(
        "
var i: int;
foreach (i in s) { s += (0, i); if (i == 1) continue; if (i == 2) break; }
",
        "
0: t1 = @1
1: t2 = 0
2: unless (t2 < sizeof(t1)) -> 11
3: i = t1[t2]
4: t2 = (t2 + 1)
5: @1 += (0, i)
6: unless (i == 1) -> 8
7: -> 2
8: unless (i == 2) -> 10
9: -> 11
10: -> 2
",
    );
}

#[test]
fn nested_loops_have_their_own_ends() {
    becomes(
        "
while (true) { while (true) { break; } break; }
",
        "
0: -> 2
1: -> 0
2: -> 4
3: -> 0
",
    );
}

#[test]
fn places_go_into_values() {
    becomes(
        "
var r: (x: seq[(int, Pair)], y: int);
r.x[f].1.x = 3;
r.x[twice(1)].0 = twice(2);
m[0] = 1;
",
        "
0: r.0[@0].1.0 = 3
1: t1 = twice(1)
2: t2 = twice(2)
3: r.0[t1].0 = t2
4: @2[0] = 1
",
    );
}

#[test]
fn collections_are_changed_in_place() {
    becomes(
        "
var t: set[int];
s += (0, 1);
m += (1, 2);
t += (3);
s -= (0);
t -= (3);
m -= (1);
",
        "
0: @1 += (0, 1)
1: @2 += (1, 2)
2: t += (3)
3: @1 -= 0
4: t -= 3
5: @2 -= 1
",
    );
}

#[test]
fn choices_have_registers_of_their_own() {
    becomes(
        "
var b: bool; var i: int;
b = $ && $;
i = choose(3);
i = choose(s);
i = choose(m);
b = choose();
",
        "
0: t2 = choose bool
1: t3 = t2
2: unless t3 -> 5
3: t4 = choose bool
4: t3 = t4
5: b = t3
6: i = choose 3
7: i = choose @1
8: i = choose @2
9: b = choose bool
",
    );
}

#[test]
fn several_values_are_one_tuple() {
    becomes(
        "
var e: event;
send this, Q, f, true;
send this, Q, (f, true);
send this, E;
send this, e, 1, 2;
announce Q, 1, true;
new Node(1);
",
        "
0: send this, Q, (@0, true)
1: send this, Q, (@0, true)
2: send this, E, null
3: send this, e, (1, 2)
4: announce Q, (1, true)
5: new 0(1)
",
    );
}

#[test]
fn a_new_machine_can_be_sent_to_at_once() {
    becomes(
        "
var n: machine;
n = new Node(twice(1));
send new Node(2), P, twice(3);
",
        "
0: t1 = twice(1)
1: n = new 0(t1)
2: t2 = new 0(2)
3: t3 = twice(3)
4: send t2, P, t3
",
    );
}

#[test]
fn messages_of_assertions_are_worked_out_when_they_fail() {
    becomes(
        r#"
assert f == 0, format("f is {0}", twice(f));
assert f == 0, format("{1} {0} {1}", f, 2);
assert f == 1;
assume f == 2, "no";
"#,
        r#"
0: unless !(@0 == 0) -> 3
1: t0 = twice(@0)
2: assert false, format(["f is ", ""], t0)
3: assert (@0 == 0), format(["", " ", " ", ""], 2, @0, 2)
4: assert (@0 == 1)
5: assume (@0 == 2)
"#,
    );
}

#[test]
fn what_is_printed_is_worked_out_only_if_that_can_fail() {
    becomes(
        r#"
print "x";
print format("{0}", f);
print format("{0}", s[1]);
print format("{0}", twice(f));
"#,
        r#"
0: evaluate format(["", ""], @1[1])
1: t0 = twice(@0)
"#,
    );
}

#[test]
fn casts_that_cannot_fail_are_left_out() {
    becomes(
        "
var a: any; var i: int; var n: machine; var k: Node;
a = i as any;
i = a as int;
k = n as Node;
i = Red to int;
a = i to float;
n = k;
",
        "
0: a = i
1: i = (a as Int)
2: k = n
3: i = int(Red)
4: a = float(i)
5: n = k
",
    );
}

#[test]
fn received_cases_are_part_of_the_function() {
    becomes(
        "
var i: int;
i = 1;
receive {
 case P: (n: int) { var j: int; i = i + n + j; j = 5; }
 case E: { return; }
}
i = 2;
",
        "
0: i = 1
1: receive P n -> 2, E -> 6, halt -> 8
2: j = 0
3: i = ((i + n) + j)
4: j = 5
5: -> 9
6: return
7: -> 9
8: raise halt, null
9: i = 2
",
    );
}

#[test]
fn a_received_halt_is_not_raised() {
    becomes(
        "
receive { case halt: { f = 1; } }
",
        "
0: receive halt -> 1
1: @0 = 1
2: -> 3
",
    );
}

#[test]
fn values_are_built_in_the_order_of_the_type() {
    becomes(
        "
var r: Pair; var t: (int, bool);
r = (x = f, y = ask());
t = (1, true);
f = r.x + t.0;
r = default(Pair);
",
        r#"
0: t2 = @0
1: t3 = ask()
2: r = (x = t2, y = t3)
3: t = (1, true)
4: @0 = (r.0 + t.0)
5: r = Record(["x", "y"], [Int(0), Bool(false)])
"#,
    );
}

#[test]
fn a_state_is_entered_with_its_payload() {
    becomes(
        "
if (f == 0) { goto Next, 1; }
raise P, f;
",
        "
0: unless (@0 == 0) -> 2
1: goto s1, 1
2: raise P, @0
",
    );
}

#[test]
fn a_result_goes_where_it_is_wanted() {
    becomes(
        "
var i: int; var b: bool; var n: machine;
i = twice(twice(i));
b = $;
i = choose(s);
n = new Node(twice(1));
f = twice(1);
i = i;
",
        "
0: t3 = twice(i)
1: i = twice(t3)
2: b = choose bool
3: i = choose @1
4: t4 = twice(1)
5: n = new 0(t4)
6: t5 = twice(1)
7: @0 = t5
",
    );
}
