//! How Promela models are read.

use crate::place::{PROVED, Place};

/// A channel that holds less than is sent, unless a macro says otherwise.
const SENDER: &str = "#ifndef N
#define N 2
#endif
chan q = [N] of { byte };
active proctype A() { byte i; do :: i < 3 -> q!i; i++ :: else -> break od }
";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("sender.pml", SENDER);
    place.copy(PROVED);
    place
}

#[test]
fn macros_are_defined_as_compilers_do() {
    let place = place("promela_macros");
    let check = ["check", "sender.pml", "--property", "deadlock", "--no-files"];
    place.expect(1, &check);
    place.expect(0, &[&check[..], &["-D", "N=3"]].concat());
    place.expect(0, &[&check[..], &["-DN=3"]].concat());
    // Without a text it stands for 1, and the last one counts.
    place.expect(1, &[&check[..], &["-DN"]].concat());
    place.expect(64, &[&check[..], &["-D", "=3"]].concat());
}

#[test]
fn included_files_may_depend_on_macros() {
    let place = place("promela_include");
    place.file("main.pml", "#ifdef MORE\n#include \"inc/more.h\"\n#endif\ninit { assert(M) }");
    place.file("inc/more.h", "#define M 0\n");
    place.expect(3, &["check", "main.pml", "--no-files"]);
    place.expect(1, &["check", "main.pml", "--no-files", "-D", "MORE", "--property", "assert"]);
}

#[test]
fn the_report_says_how_channels_are_read() {
    let place = place("promela_channels");
    let check = ["check", "sender.pml", "--property", "deadlock", "--no-files"];
    let declared = place.expect(1, &check).out;
    assert!(declared.contains("channels declared"), "{declared}");
    let unbounded = place.expect(0, &[&check[..], &["--channels", "unbounded"]].concat()).out;
    assert!(unbounded.contains("channels unbounded (sends never wait)"), "{unbounded}");
    let bounds = place.expect(0, &["bounds", "sender.pml", "--no-files"]).out;
    assert!(
        bounds.contains("channels unbounded") && bounds.contains("q             2      3  explore"),
        "{bounds}"
    );
    let bounds = place.expect(0, &["bounds", "sender.pml", "--no-files", "--channels", "declared"]);
    assert!(
        bounds.out.contains("q             2      2  explore               2  capacity 3 "),
        "{}",
        bounds.out
    );
}

#[test]
fn tests_of_capacities_are_warned_about_where_channels_are_unbounded() {
    let place = Place::new("promela_capacity");
    place.file("full.pml", "chan q = [1] of { byte };\ninit { if :: full(q) :: nfull(q) fi }");
    let words = ["explore", "full.pml", "--no-files"];
    let declared = place.expect(0, &words);
    assert!(!declared.err.contains("QP0340"), "{}", declared.err);
    let unbounded = place.expect(0, &[&words[..], &["--channels", "unbounded"]].concat());
    assert_eq!(unbounded.err.matches("warning[QP0340]").count(), 2, "{}", unbounded.err);
}

#[test]
fn a_replay_reads_the_model_as_the_run_did() {
    let place = place("promela_replay");
    place.file("m.pml", "#ifdef BAD\ninit { assert(false) }\n#else\ninit { skip }\n#endif");
    let words =
        ["check", "m.pml", "-D", "BAD", "--granularity", "statement", "--property", "assert"];
    place.expect(1, &words);
    let trace = place.read(".queueproof/m.pml/traces/assert.json");
    assert!(trace.contains("BAD=1") && trace.contains("statement"), "{trace}");
    place.expect(1, &["replay", ".queueproof/m.pml/traces/assert.json"]);
    place.expect(0, &["check", "m.pml", "--property", "assert"]);
}

#[test]
fn options_for_promela_are_refused_elsewhere() {
    let place = place("promela_elsewhere");
    for words in [["--channels", "declared"], ["-D", "N"], ["--granularity", "visible"]] {
        let ended = place.expect(3, &[&["check", PROVED][..], &words].concat());
        assert!(ended.err.contains("error[QP0116]"), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(words[0]), "{words:?}: {}", ended.err);
    }
}

#[test]
fn fairness_is_shown_for_every_language() {
    let place = place("promela_fair");
    for model in ["sender.pml", PROVED] {
        let words = ["explore", model, "--fair", "--no-files", "--bound", "4"];
        let out = place.run(&words).out;
        assert!(out.contains("fairness weak"), "{model}: {out}");
    }
}

/// A statement, its line, what it assigns and what it sends: in every way of drawing.
#[test]
fn a_run_says_what_each_step_does() {
    let place = Place::new("promela_told");
    let text = "mtype = { req, ack };
chan c = [2] of { mtype, byte };
mtype last;
byte a[2];
active proctype Client() {
  byte n;
  printf(\"begin\\n\");
again: n = n + 1;
  a[1] = n;
  c!req(n);
  n < 2;
  goto again
}
active proctype Server() {
  byte m;
  c?last,m;
  assert(m != 1)
}
";
    place.file("m.pml", text);
    place.expect(1, &["check", "m.pml", "--granularity", "statement", "--property", "assert"]);
    let trace = ".queueproof/m.pml/traces/assert.json";
    let out = place.expect(1, &["replay", trace, "--width", "150"]).out;
    for told in [
        "line 7: printf(\"begin\\n\")",
        "line 8: n=(n+1)   n = 1",
        "line 9: a[1]=n   a[1] = 1",
        "line 10: c!req,n",
        "c queue: req,1",
        "line 16: c?last,m",
        "c queue: (empty)",
        "last = req, m = 1",
        "line 17: assert((m!=1))",
    ] {
        assert!(words(&out).contains(&words(told)), "{told} is missing in\n{out}");
    }
    assert!(!out.contains("printf'") && !out.contains("''"), "{out}");
    for kind in ["mermaid", "svg"] {
        let drawn = place.expect(0, &["trace", trace, "--to", kind]).out;
        for told in ["line 9: a[1]=n", "a[1] = 1", "line 16: c?last,m"] {
            assert!(drawn.contains(told), "{told} is missing in\n{drawn}");
        }
    }
    let stuck = "byte x; active proctype P() { printf(\"a\"); printf(\"b\"); wait: x == 1 }";
    place.file("stuck.pml", stuck);
    let out = place.expect(1, &["check", "stuck.pml", "--property", "deadlock"]).out;
    assert!(out.contains("P is at wait (line 1)"), "{out}");
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A SPIN user is asked what SPIN asks, and told what else there is.
#[test]
fn what_spin_does_not_ask_is_asked_on_request() {
    let place = Place::new("promela_asked");
    // Somebody waits for ever while others go on, and a message is never taken: SPIN finds no error.
    let text = "chan c = [1] of { byte }; byte x;
        active proctype A() { c!1; do :: x = 1 - x od }
        active proctype B() { x == 2 }";
    place.file("m.pml", text);
    let out = place.expect(0, &["check", "m.pml"]).out;
    assert!(out.contains("stuck, orphan; --property all does"), "{out}");
    let out = place.expect(1, &["check", "m.pml", "--property", "all"]).out;
    for id in ["stuck", "orphan"] {
        assert!(out.contains(&format!("violated  {id} ")), "{id}: {out}");
    }
    assert!(!out.contains("not asked"), "{out}");
    place.expect(1, &["check", "m.pml", "--property", "stuck"]);
}

/// What fits into channels changes nothing in models without any: atomic sequences and `_last` are seen as SPIN has them.
#[test]
fn unlimited_channels_change_nothing_where_there_are_none() {
    let place = Place::new("promela_unlimited");
    let atomic = "byte x; active [2] proctype P() { atomic { x++; x++ } }
        ltl even { [] (x % 2 == 0) }";
    let last = "byte x; active [2] proctype P() { x++; x++ }
        never { do :: x == 3 && _last == 1 -> break :: true od; do :: x == 4 && _last == 0 -> break :: true od }";
    for (text, property, code) in [(atomic, "ltl:even", 0), (last, "ltl:never", 1)] {
        place.file("m.pml", text);
        for channels in ["declared", "unbounded"] {
            place.expect(code, &["check", "m.pml", "--property", property, "--channels", channels]);
        }
    }
}
