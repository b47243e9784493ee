//! Types: what fits into what.

use super::{entry_refuses, refuses};

#[test]
fn values_must_fit_variables() {
    entry_refuses(
        "
var i: int; var b: bool; var m: map[int, bool]; var a: any; var r: Pair;
i = true;
i = 1.5;
i = a;
i = null;
i = Red;
m = 1;
r = (1, true);
r = (y = true, x = 1);
",
        &[
            "2:5 QP0212 expected `int`, found `bool`",
            "3:5 QP0212 expected `int`, found `float` | convert it: `... to int`",
            "4:5 QP0212 expected `int`, found `any` | say what it is: `... as int`",
            "5:5 QP0212 expected `int`, found `null`",
            "6:5 QP0212 expected `int`, found `Color` | convert it: `... to int`",
            "7:5 QP0212 expected `map[int, bool]`, found `int`",
            "8:5 QP0212 expected `Pair`, found `(int, bool)` | name the fields: `(x = ..., y = ...)`, in the order of the type",
            "9:5 QP0212 expected `Pair`, found `(y: bool, x: int)` | the fields need the same names and types, in the same order",
        ],
    );
}

#[test]
fn a_function_without_value_has_none() {
    entry_refuses(
        "
var i: int;
i = help(1);
",
        &["2:5 QP0212 expected `int`, but `help` returns nothing"],
    );
}

#[test]
fn conditions_are_truth_values() {
    entry_refuses(
        r#"
if (1) { }
while (f) { }
assert f;
assume "x";
assert true, 1;
assume true, 1;
print 1;
"#,
        &[
            "1:5 QP0212 expected `bool`, found `int`",
            "2:8 QP0212 expected `bool`, found `int`",
            "3:8 QP0212 expected `bool`, found `int`",
            "4:8 QP0212 expected `bool`, found `string`",
            "5:14 QP0212 expected `string`, found `int`",
            "6:14 QP0212 expected `string`, found `int`",
            "7:7 QP0212 expected `string`, found `int`",
        ],
    );
}

#[test]
fn numbers_of_arguments_must_match() {
    entry_refuses(
        "
var i: int;
help();
i = twice(1, 2);
",
        &[
            "2:1 QP0213 `help` takes 1 argument, 0 are given",
            "3:5 QP0213 `twice` takes 1 argument, 2 are given",
        ],
    );
}

#[test]
fn arguments_must_fit() {
    entry_refuses(
        "
var i: int;
help(true);
i = twice(null);
",
        &["2:6 QP0212 expected `int`, found `bool`", "3:11 QP0212 expected `int`, found `null`"],
    );
}

#[test]
fn only_places_are_assigned_to() {
    entry_refuses(
        "
E = 1;
Red.x = 2;
",
        &[
            "1:1 QP0214 `E` is a value, and no place for one | on the left there can be a variable, `x.field`, `x.0` or `x[i]`",
            "2:1 QP0214 `Red` is a value, and no place for one | on the left there can be a variable, `x.field`, `x.0` or `x[i]`",
        ],
    );
}

#[test]
fn operands_must_fit() {
    entry_refuses(
        "
var i: int; var b: bool; var x: float; var s: string;
i = i + b;
i = i - s;
x = x * i;
b = Red < Green;
b = b < b;
i = i % x;
b = !i;
i = -b;
b = i && b;
b = b || i;
s = s * s;
",
        &[
            "2:5 QP0215 `+` needs two `int`, two `float` or two `string`, found `int` and `bool`",
            "3:5 QP0215 `-` needs two `int` or two `float`, found `int` and `string`",
            "4:5 QP0215 `*` needs two `int` or two `float`, found `float` and `int` | convert one of them: `... to float`",
            "5:5 QP0215 `<` needs two `int`, two `float` or two `string`, found `Color` and `Color` | convert it: `... to int`",
            "6:5 QP0215 `<` needs two `int`, two `float` or two `string`, found `bool` and `bool`",
            "7:5 QP0215 `%` needs two `int` or two `float`, found `int` and `float` | convert one of them: `... to float`",
            "8:6 QP0212 expected `bool`, found `int`",
            "9:6 QP0212 expected `int` or `float`, found `bool`",
            "10:5 QP0212 expected `bool`, found `int`",
            "11:10 QP0212 expected `bool`, found `int`",
            "12:5 QP0215 `*` needs two `int` or two `float`, found `string` and `string`",
        ],
    );
}

#[test]
fn only_like_is_compared_with_like() {
    entry_refuses(
        "
var i: int; var b: bool;
b = i == b;
b = i != null;
b = E == Red;
",
        &[
            "2:5 QP0216 `int` and `bool` cannot be compared | only values of the same type are ever equal",
            "3:5 QP0216 `int` and `null` cannot be compared | only values of the same type are ever equal",
            "4:5 QP0216 `event` and `Color` cannot be compared | only values of the same type are ever equal",
        ],
    );
}

#[test]
fn fields_must_exist() {
    entry_refuses(
        "
var r: Pair; var t: (int, bool); var i: int; var m: machine;
i = r.z;
i = r.0;
i = t.x;
i = t.2;
i = i.x;
i = m.f;
r.z = 1;
t.5 = 1;
",
        &[
            "2:7 QP0217 `Pair` has no field `z` | it has these: `x`, `y`",
            "3:7 QP0217 `Pair` has no field `0` | its fields have names: use them",
            "4:7 QP0217 `(int, bool)` has no field `x` | the fields of a tuple are `.0`, `.1`, ...",
            "5:7 QP0217 `(int, bool)` has no field `2` | the last one is `.1`",
            "6:7 QP0217 `int` has no field `x` | only tuples with named fields have fields",
            "7:7 QP0217 `machine` has no field `f` | the variables of a machine are its own: ask it by an event",
            "8:3 QP0217 `Pair` has no field `z` | it has these: `x`, `y`",
            "9:3 QP0217 `(int, bool)` has no field `5` | the last one is `.1`",
        ],
    );
}

#[test]
fn indices_must_fit() {
    entry_refuses(
        "
var s: seq[int]; var t: set[int]; var m: map[bool, int]; var i: int;
i = s[true];
i = m[1];
i = i[0];
t[0] = 1;
s[true] = 1;
i = t[0];
",
        &[
            "2:7 QP0212 expected `int`, found `bool`",
            "3:7 QP0212 expected `bool`, found `int`",
            "4:5 QP0212 expected a sequence or map, found `int`",
            "5:1 QP0212 an element of a set cannot be replaced by its position | remove the old element with `-=`, add the new one with `+=`",
            "6:3 QP0212 expected `int`, found `bool`",
        ],
    );
}

#[test]
fn keys_and_sizes_are_of_collections() {
    entry_refuses(
        "
var i: int; var s: seq[int];
s = keys(s);
s = values(i);
i = sizeof(i);
",
        &[
            "2:10 QP0212 expected a map, found `seq[int]`",
            "3:12 QP0212 expected a map, found `int`",
            "4:12 QP0212 expected a sequence, set or map, found `int`",
        ],
    );
}

#[test]
fn only_collections_have_elements() {
    entry_refuses(
        "
var b: bool; var s: seq[int];
b = true in s;
b = 1 in b;
",
        &[
            "2:5 QP0212 expected `int`, found `bool`",
            "3:10 QP0212 expected a sequence, set or map, found `bool`",
        ],
    );
}

#[test]
fn changes_of_collections_must_fit() {
    entry_refuses(
        "
var s: seq[int]; var t: set[int]; var m: map[int, bool]; var i: int;
s += (true, 1);
s += (0, true);
m += (true, 1);
t += (1, 2);
s += (1);
m += (1);
t += (true);
i += (1);
i += (1, 2);
s -= (true);
i -= (1);
",
        &[
            "2:7 QP0212 expected `int`, found `bool`",
            "3:10 QP0212 expected `int`, found `bool`",
            "4:7 QP0212 expected `int`, found `bool`",
            "4:13 QP0212 expected `bool`, found `int`",
            "5:7 QP0212 a set takes one value, and no position | write `s += (x);`, or `s += ((x, y));` to add a tuple",
            "6:1 QP0212 expected a set, found `seq[int]` | say the position too: `x += (position, value);`",
            "7:1 QP0212 expected a set, found `map[int, bool]` | say the key too: `x += (key, value);`",
            "8:7 QP0212 expected `int`, found `bool`",
            "9:1 QP0212 expected a set, found `int`",
            "10:1 QP0212 expected a sequence or map, found `int`",
            "11:6 QP0212 expected `int`, found `bool`",
            "12:1 QP0212 expected a sequence, set or map, found `int`",
        ],
    );
}

#[test]
fn casts_must_be_able_to_succeed() {
    entry_refuses(
        "
var a: any; var i: int; var b: bool; var x: float;
i = b as int;
i = x as int;
a = i as any;
i = a as int;
",
        &[
            "2:5 QP0218 `bool` is never `int` | `as` only narrows a type, such as `any`, to a part of it",
            "3:5 QP0218 `float` is never `int` | `to` converts: `... to int`",
        ],
    );
}

#[test]
fn conversions_are_between_numbers() {
    entry_refuses(
        "
var i: int; var b: bool; var s: string;
i = b to int;
i = i to string;
i = Red to int;
",
        &[
            "2:5 QP0218 `bool` cannot be converted to `int` | `to` converts numbers and enum elements to `int` or `float`, and machines to interfaces",
            "3:5 QP0218 `int` cannot be converted to `string` | `to` converts numbers and enum elements to `int` or `float`, and machines to interfaces",
        ],
    );
}

#[test]
fn conversions_take_events_away() {
    refuses(
        "
event E; event F;
interface A() receives E;
interface B() receives E, F;
fun f(a: A, b: B) { a = b to A; b = a to B; }
",
        &["4:37 QP0218 `A` does not take `F`, but `B` does | `to` can only take events away"],
    );
}

#[test]
fn choices_are_of_numbers_and_collections() {
    entry_refuses(
        "
var i: int;
i = choose(true);
i = choose(10001);
i = choose(10000);
",
        &[
            "2:12 QP0232 `choose` needs a number, a sequence, a set or a map, found `bool` | `choose(n)` picks one of 0 to n - 1, `choose(s)` an element of `s`",
            "3:12 QP0232 `choose` offers at most 10000 choices, not 10001 | fewer choices usually show the same errors",
        ],
    );
}

#[test]
fn texts_need_their_values() {
    entry_refuses(
        r#"
print "{0}";
print format("{0} {1}", 1);
print format("{x}", 1);
print format("{{{0}}}", 1);
print "}";
"#,
        &[
            "1:7 QP0233 the text has places for 1 value, 0 are given | values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces",
            "2:7 QP0233 the text has places for 2 values, 1 is given | values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces",
            "3:7 QP0233 the braces in this text mean nothing | values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces",
            "5:7 QP0233 the braces in this text mean nothing | values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces",
        ],
    );
}

#[test]
fn numbers_are_not_too_large() {
    entry_refuses(
        "
var i: int;
i = 2147483648;
i = 2147483647;
",
        &[
            "2:5 QP0204 `2147483648` is too large to be written in P | the largest number is `2147483647`; larger ones are computed",
        ],
    );
}

#[test]
fn foreach_goes_over_sequences_and_sets() {
    entry_refuses(
        "
var m: map[int, int]; var i: int; var s: seq[bool];
foreach (i in m) { }
foreach (i in i) { }
foreach (i in s) { }
",
        &[
            "2:15 QP0212 `foreach` goes over sequences and sets, not over maps | say what you want of the map: `keys(...)` or `values(...)`",
            "3:15 QP0212 expected a sequence or set, found `int`",
            "4:10 QP0212 `i` is `int`, but the elements are `bool`",
        ],
    );
}

#[test]
fn only_the_same_permissions_fit() {
    refuses(
        "
event E; event F;
interface A() receives E;
interface B() receives E, F;
fun f(a: A, b: B, m: machine, d: data) { a = b; a = m; m = a; a = null; m = null; d = m; d = 1; }
",
        &[
            "4:46 QP0212 expected `A`, found `B`",
            "4:53 QP0212 expected `A`, found `machine` | say what it is: `... as A`",
            "4:67 QP0212 expected `A`, found `null`",
            "4:87 QP0212 expected `data`, found `machine`",
        ],
    );
}

#[test]
fn the_verifiers_words_mean_nothing_in_code() {
    entry_refuses(
        "
assert forall (i: int) :: i == i;
assert known(1);
",
        &[
            "1:8 QP0235 `forall` is for P's deductive verifier only | say it with `assert` or a spec instead",
            "2:8 QP0235 `known` is for P's deductive verifier only | write it with `fun`, and with a body: what runs must know its value",
        ],
    );
}
