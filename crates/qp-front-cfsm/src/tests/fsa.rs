use super::{check_means, check_says, read_fsa};

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    check_means(read_fsa, text, expect);
}

#[track_caller]
fn check_wrong(text: &str, expect: &[&str]) {
    check_says(read_fsa, text, expect);
}

pub(super) const PING: &str = "
-- two machines
.outputs
.state graph
q0 1 ! ping q1   -- a comment
q1 1 ? pong<int> q0
.marking q0
.end
/* the
   other */
.outputs
.state graph
q0 0 ? ping q1
q1 0 ! pong< int > q0
.marking q0
.end
";

const PING_MEANS: [&str; 12] = [
    "queue 0->1 Unbounded Never",
    "queue 1->0 Unbounded Never",
    "machine 0 from q0",
    "  q0",
    "    0->1!ping -> q1",
    "  q1",
    "    1->0?pong<int> -> q0",
    "machine 1 from q0",
    "  q0",
    "    0->1?ping -> q1",
    "  q1",
    "    1->0!pong<int> -> q0",
];

#[test]
fn machines_are_numbered() {
    check(PING, &PING_MEANS);
}

#[test]
fn line_breaks_and_spaces_do_not_count() {
    let text = PING.replace("-- a comment", "").replace("-- two machines", "");
    check(&text.replace('\n', " ").replace(" ! ", "!"), &PING_MEANS);
    check(&PING.replace('\n', "\r\n"), &PING_MEANS);
}

#[test]
fn machines_and_peers_may_have_names() {
    check(
        ".outputs A .state graph s-0 B ! x_1 s-1 s-1 1 ! y s-0 .marking s-0 .end
         .outputs B-2 .state graph 0 A ? x_1 0 0 0 ? y 0 .marking 0 .end .outputs B .state graph
         0 A ? x_1 0 .marking 0 .end",
        &[
            "queue A->B Unbounded Never",
            "queue A->B-2 Unbounded Never",
            "machine A from s-0",
            "  s-0",
            "    A->B!x_1 -> s-1",
            "  s-1",
            "    A->B-2!y -> s-0",
            "machine B-2 from 0",
            "  0",
            "    A->B-2?x_1 -> 0",
            "    A->B-2?y -> 0",
            "machine B from 0",
            "  0",
            "    A->B?x_1 -> 0",
        ],
    );
}

#[test]
fn a_machine_may_have_no_transition() {
    check(".outputs A .state graph .marking only .end", &["machine A from only", "  only"]);
}

#[test]
fn wrong_texts() {
    check_wrong("", &["QP0110 1:1 there is no machine"]);
    check_wrong("hello", &["QP0102 1:1 expected `.outputs`, found `hello`"]);
    check_wrong(
        ".outputs A\n.state graph\n0 B ! x\n0 1 x 0\n0 0 ! m < 0\n0 7 ! m 0\n.end",
        &[
            "QP0102 4:7 expected `!` or `?`, found `0`",
            "QP0102 6:5 expected `>`, found `!`",
            "QP0102 7:1 expected `.marking`, found `.end`",
        ],
    );
    check_wrong(
        ".outputs Server\n.state graph\n0 Sever ! x 0\n0 9 ? x 0\n.marking 0\n.end",
        &["QP0104 3:3 there is no machine `Sever`", "QP0104 4:3 there is no machine `9`"],
    );
    check_wrong(
        ".outputs A .state graph .marking 0 .end .outputs A .state graph .marking 0 .end",
        &["QP0105 1:50 machine `A` is declared twice"],
    );
    check_wrong(
        ".outputs 1 .state graph .marking 0 .end .outputs .state graph .marking 0 .end",
        &["QP0105 1:10 machine `1` is declared twice"],
    );
    check_wrong(
        ".outputs A .state graph .marking 0 1 .end",
        &["QP0106 1:36 a machine has one initial state"],
    );
    check_wrong("/* no end", &["QP0101 1:1 this comment does not end"]);
}
