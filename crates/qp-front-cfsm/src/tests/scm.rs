use super::{check_means, check_says, read_scm};

pub(super) const CONNECTION: &str = "
scm connection :
/* client and server */
nb_channels = 2 ;
lossy : 1
parameters :
real o ; real c ;
int d ;

automaton client :
initial : 0
state 0 :
to 1 : when true , 0 ! o ;
state 1 :
to 0 : when true , 0 ! c ;
to 0 : when true , 1 ? d ;

automaton server :
initial : 0, 1
state 0 : to 1 : when true , 0 ? o ;
state 1 : to 0 : when true , 0 ? c ; to 2 : when true , 1 ! d ; to 1 : when true ;
bad_states :
(automaton client : in 0 : true in 1 : true automaton server : in 2 : true
 with o.(c|o)^*.#.d^+)
(automaton server : in 2 : true)
";

#[test]
fn a_model_of_everything() {
    check_means(
        read_scm,
        CONNECTION,
        &[
            "queue 0 Unbounded Never",
            "queue 1 Unbounded Always",
            "machine client from 0",
            "  0",
            "    0!o -> 1",
            "  1",
            "    0!c -> 0",
            "    1?d -> 0",
            "machine server from (initial)",
            "  0",
            "    0?o -> 1",
            "  1",
            "    0?c -> 0",
            "    1!d -> 2",
            "    internal -> 1",
            "  2",
            "  (initial)",
            "    internal -> 0",
            "    internal -> 1",
            "bad bad_states: client in 0|1 and server in 2 \
             and 0 matches Sequence([One([e0]), Star(Choice([One([e1]), One([e0])]))]) \
             and 1 matches Sequence([One([e2]), Star(One([e2]))]) or server in 2",
        ],
    );
}

/// The cases that an expression over two channels is taken apart into.
#[track_caller]
fn check_contents(regexp: &str, expect: &str) {
    let text = format!(
        "scm x : nb_channels = 2 ; parameters : real a ; real b ; automaton p : initial : 0
         bad_states : (with {regexp})"
    );
    let (automata, diagnostics) = read_scm(&text);
    let automata = automata.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let found = super::dump(&automata).pop().unwrap();
    assert_eq!(found, format!("bad bad_states: {expect}"));
}

#[test]
fn contents_are_taken_apart() {
    check_contents("#", "0 matches Empty and 1 matches Empty");
    check_contents("_.#._", "0 matches Empty and 1 matches Empty");
    check_contents("a.#.b", "0 matches One([e0]) and 1 matches One([e1])");
    check_contents("a.b.#", "0 matches Sequence([One([e0]), One([e1])]) and 1 matches Empty");
    check_contents(
        "(a.#|#.b)",
        "0 matches One([e0]) and 1 matches Empty or 0 matches Empty and 1 matches One([e1])",
    );
    check_contents(
        "(a.#|#).b",
        "0 matches One([e0]) and 1 matches One([e1]) or 0 matches Empty and 1 matches One([e1])",
    );
    check_contents(
        "(a|(b|_)).#.(a)^*",
        "0 matches Choice([One([e0]), Choice([One([e1]), Empty])]) and 1 matches Star(One([e0]))",
    );
}

#[track_caller]
fn check_wrong(body: &str, expect: &[&str]) {
    let text = format!("scm x : nb_channels = 2 ; parameters : real a ; real b ;\n{body}");
    check_says(read_scm, &text, expect);
}

#[test]
fn numbers_are_refused_by_name_and_place() {
    check_wrong(
        "automaton p : int n = 3 ; real r ; initial : 0 state 0 :
to 1 : when n < 3 , 0 ! a ;
to 1 : when true , 0 ! a with n = n + 1 ;
to 1 : when true , 0 ! c ;
bad_states : (automaton p : in 0 : n = 3)",
        &[
            "QP0112 2:15 the variable `n` of an automaton is not supported",
            "QP0112 2:21 the value of `n` is not supported",
            "QP0112 2:27 the variable `r` of an automaton is not supported",
            "QP0112 3:13 the condition `n < 3` is not supported",
            "QP0112 4:26 the assignment to `n` is not supported",
            "QP0112 6:36 the condition `n = 3` is not supported",
        ],
    );
}

#[test]
fn wrong_texts() {
    check_says(read_scm, "", &["QP0102 1:1 expected `scm`, found the end of the text"]);
    check_wrong("", &["QP0110 1:1 there is no machine"]);
    check_wrong(
        "automaton p : initial : 0 state 0 : to 0 : when true , 2 ! a ; to 0 : when true , 0 ? A ;
         bad_states : (automaton q : in 0 : true) (automaton p : in 3 : true with c.#)",
        &[
            "QP0104 2:56 there is no channel `2`",
            "QP0104 2:87 there is no message `A`",
            "QP0104 3:34 there is no automaton `q`",
            "QP0104 3:69 there is no state `3`",
            "QP0104 3:83 there is no message `c`",
        ],
    );
    check_wrong(
        "automaton p : initial : 0 bad_states : (with a) (with (a.#)^*) (with (a|#)) (with #.#)",
        &[
            "QP0113 2:46 the number of channels is 2, but this expression describes 1",
            "QP0113 2:55 `#` is repeated, but the number of channels is fixed",
            "QP0113 2:70 the number of channels is 2, but this expression describes 1",
            "QP0113 2:83 the number of channels is 2, but this expression describes 3",
        ],
    );
    check_wrong(
        "automaton p : initial : 0 state 0 : to 1 when true ; to 0 : when ; state : to 1 : true;
         automaton p initial : 0 automaton q : initial : 0",
        &[
            "QP0102 2:42 expected `:`, found `when`",
            "QP0102 2:66 expected `true`, found `;`",
            "QP0102 2:74 expected the number of a state, found `:`",
            "QP0102 2:83 expected `when`, found `true`",
            "QP0102 3:22 expected `:`, found `initial`",
        ],
    );
    check_wrong(
        "automaton p : initial : 0 automaton p : initial : 0",
        &["QP0105 2:37 automaton `p` is declared twice"],
    );
    let many = "(a|#).".repeat(20);
    check_wrong(
        &format!("automaton p : initial : 0 bad_states : (with {many}a)"),
        &["QP0103 2:46 this expression is too large when its choices are written out"],
    );
}
