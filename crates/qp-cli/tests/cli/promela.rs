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
    let trace = place.read(".queueproof/m/traces/assert.json");
    assert!(trace.contains("BAD=1") && trace.contains("statement"), "{trace}");
    place.expect(0, &["replay", ".queueproof/m/traces/assert.json"]);
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
