//! P programs: files and projects, test cases, and the switches of the reader.

use serde_json::Value;

use crate::json::report;
use crate::place::Place;

/// A project of two folders that includes another project. Its second test case has a bug.
pub(crate) fn bank(name: &str) -> Place {
    let place = Place::new(name);
    place.file("bank/Bank.pproj", BANK);
    place.file("bank/PSrc/Account.p", ACCOUNT);
    place.file("bank/PTst/Tests.p", TESTS);
    place.file("timer/Timer.pproj", TIMER_PROJECT);
    place.file("timer/Timer.p", TIMER);
    place
}

pub(crate) const PROJECT: &str = "bank/Bank.pproj";

const BANK: &str = "<Project>
  <ProjectName>Bank</ProjectName>
  <InputFiles>
    <PFile>./PSrc/</PFile>
    <PFile>./PTst/</PFile>
  </InputFiles>
  <IncludeProject>../timer/Timer.pproj</IncludeProject>
</Project>
";

const TIMER_PROJECT: &str = "<Project>
  <ProjectName>Timer</ProjectName>
  <InputFiles><PFile>Timer.p</PFile></InputFiles>
</Project>
";

const TIMER: &str = "event eTick;
machine Timer {
  start state Ready {
    entry (owner: machine) { send owner, eTick; }
  }
}
";

const ACCOUNT: &str = "event eTake: (from: machine, sum: int);
event eTaken: int;
machine Account {
  var left: int;
  start state Open {
    entry (sum: int) { left = sum; }
    on eTake do (order: (from: machine, sum: int)) {
      left = left - order.sum;
      assert left >= 0, \"nothing is left\";
      send order.from, eTaken, left;
    }
  }
}
";

const TESTS: &str = "machine OnePayment {
  start state Begin {
    entry {
      var account: machine;
      account = new Account(5);
      send account, eTake, (from = this, sum = 3);
    }
    on eTaken do (left: int) { assert left == 2; }
  }
}
machine TwoPayments {
  var account: machine;
  start state Begin {
    entry {
      account = new Account(5);
      send account, eTake, (from = this, sum = 3);
      new Timer(this);
    }
    on eTick do { send account, eTake, (from = this, sum = 4); }
    ignore eTaken;
  }
}
test tcOne [main = OnePayment]: { OnePayment, Account };
test tcTwo [main = TwoPayments]: { TwoPayments, Account, Timer };
";

/// A program of 2018 whose assertion fails only if two events can wait.
pub(crate) const OLD: &str = "event eGo assume 1;
machine Main {
  var got: int;
  start state S {
    entry { send this, eGo; send this, eGo; goto T; }
  }
  state T {
    on eGo do { got = got + 1; assert got < 2, \"the second one came\"; }
  }
}
";

const FOREIGN: &str = "fun Ready(): bool;
machine Main {
  start state S { entry { assert Ready(), \"not ready\"; } }
}
";

fn verdict(value: &Value, id: &str) -> String {
    let properties = value["properties"].as_array().unwrap();
    let property = properties.iter().find(|property| property["id"] == id).unwrap();
    property["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn a_file_with_a_main_machine_is_checked() {
    let place = Place::new("p_main");
    place.file("main.p", "machine Main { start state S { } }");
    let ended = place.expect(0, &["check", "main.p"]);
    assert!(ended.out.starts_with("main.p   P, test Main, dialect current (recognised)"));
    assert!(ended.out.contains("\n4 proved\n"), "{}", ended.out);
    assert_eq!(ended.err, "");
}

#[test]
fn test_cases_are_listed() {
    let place = bank("p_list");
    assert_eq!(place.expect(0, &["check", PROJECT, "--list"]).out, "tcOne\ntcTwo\n");
    assert!(!place.has(".queueproof"));
    place.file("main.p", "machine Main { start state S { } }");
    assert_eq!(place.expect(0, &["check", "main.p", "--list"]).out, "Main\n");
}

#[test]
fn a_program_without_test_cases_is_explained() {
    let place = Place::new("p_list_none");
    place.file("broken.p", "mashine Main { start state S { } }");
    let ended = place.expect(3, &["check", "broken.p", "--list"]);
    assert!(ended.err.contains("error[QP02"), "{}", ended.err);
    place.file("none.p", "event eGo;");
    let ended = place.expect(3, &["check", "none.p", "--list"]);
    assert!(ended.err.contains("error[QP0208]"), "{}", ended.err);
}

#[test]
fn other_models_have_no_test_cases() {
    let place = Place::new("p_not_p");
    place.copy(crate::place::PROVED);
    assert_eq!(place.expect(0, &["check", crate::place::PROVED, "--list"]).out, "");
    let ended = place.expect(3, &["check", crate::place::PROVED, "--test", "tcOne"]);
    assert!(ended.err.contains("error[QP0261]: there is no test case `tcOne`"), "{}", ended.err);
    assert!(ended.err.contains("only P programs have test cases"), "{}", ended.err);
}

#[test]
fn one_of_several_test_cases_must_be_chosen() {
    let place = bank("p_several");
    let ended = place.expect(3, &["check", PROJECT]);
    assert!(ended.err.contains("error[QP0207]: the program has 2 test cases"), "{}", ended.err);
    assert!(ended.err.contains("--all-tests: tcOne, tcTwo"), "{}", ended.err);
    assert_eq!(ended.out, "");
}

#[test]
fn an_unknown_test_case_is_refused_with_a_near_name() {
    let place = bank("p_unknown");
    let ended = place.expect(3, &["check", PROJECT, "--test", "tcOn"]);
    assert!(ended.err.contains("error[QP0261]: there is no test case `tcOn`"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `tcOne`?"), "{}", ended.err);
}

#[test]
fn the_chosen_test_case_is_checked() {
    let place = bank("p_test");
    let ended = place.expect(0, &["check", PROJECT, "--test", "tcOne"]);
    assert!(ended.out.contains("\n4 proved\n"), "{}", ended.out);
    assert!(place.has(".queueproof/bank/Bank.pproj-tcOne/certificate.json"));
    let ended = place.expect(1, &["check", PROJECT, "--test", "tcTwo"]);
    assert!(ended.out.contains("\n1 violated, 3 proved up to a failure\n"), "{}", ended.out);
}

#[test]
fn every_test_case_has_its_report_and_folder() {
    for (name, words) in [
        ("p_all_tests", &["--all-tests"][..]),
        ("p_two_tests", &["--test", "tcOne", "--test", "tcTwo"]),
    ] {
        let place = bank(name);
        let all = [&["check", PROJECT, "--format", "json", "--out", "kept"], words].concat();
        let ended = place.expect(1, &all);
        let value: Value = serde_json::from_str(&ended.out).unwrap();
        let reports = value["reports"].as_array().unwrap();
        let tests: Vec<&Value> = reports.iter().map(|report| &report["model"]["test"]).collect();
        assert_eq!(tests, ["tcOne", "tcTwo"]);
        assert!(place.has("kept/bank/Bank.pproj-tcOne/certificate.json"));
        assert!(!place.has("kept/bank/Bank.pproj-tcOne/traces"));
        assert!(place.has("kept/bank/Bank.pproj-tcTwo/traces/assert.json"));
    }
    bank("p_both").expect(64, &["check", PROJECT, "--all-tests", "--test", "tcOne"]);
}

#[test]
fn the_text_of_a_violation_says_who_where_and_why() {
    let place = bank("p_text");
    let ended = place.expect(1, &["check", PROJECT, "--test", "tcTwo"]);
    for part in [
        "violated[QP1002] assert: Account(1) is in Open and fails: nothing is left",
        "--> bank/PSrc/Account.p:9:7",
        "eTake(from = TwoPayments(0), sum = 4)",
        "nothing is left Account.p:9",
        "Tests.p:19",
        "Timer.p:4",
        "dialect current (recognised), assume honour",
        "left out payload of eTaken",
    ] {
        assert!(ended.out.contains(part), "{part}:\n{}", ended.out);
    }
}

#[test]
fn a_syntax_error_names_the_file_of_the_project() {
    let place = bank("p_syntax");
    place.file("bank/PSrc/Account.p", ACCOUNT.replace("left - order.sum", "left - "));
    let ended = place.expect(3, &["check", PROJECT, "--all-tests", "--format", "json"]);
    assert!(ended.err.contains("bank/PSrc/Account.p:8:21"), "{}", ended.err);
    let value: Value = serde_json::from_str(&ended.out).unwrap();
    let refused = &value["reports"][0]["refused"][0];
    assert_eq!(refused["code"], "QP0202");
    assert_eq!(refused["file"], "bank/PSrc/Account.p");
    assert_eq!((&refused["line"], &refused["column"]), (&8.into(), &21.into()));
}

#[test]
fn the_only_file_of_a_project_has_its_own_name() {
    let place = Place::new("p_only_file");
    place.file("Timer.pproj", TIMER_PROJECT);
    place.file("Timer.p", "event eTick;\nevent eTick;\n");
    let ended = place.expect(3, &["check", "Timer.pproj"]);
    assert!(ended.err.contains(" Timer.p:2:7\n"), "{}", ended.err);
}

#[test]
fn a_broken_project_is_refused_by_name() {
    let place = bank("p_project");
    place.file("timer/Timer.pproj", "<Project><ProjectName>Timer</ProjectName>");
    for words in [&["--test", "tcOne"][..], &["--all-tests"], &["--list"]] {
        let ended = place.expect(3, &[&["check", PROJECT], words].concat());
        assert!(ended.err.contains("timer/Timer.pproj:1:"), "{words:?}: {}", ended.err);
    }
    place.file("timer/Timer.pproj", TIMER_PROJECT.replace("Timer.p<", "Gone.p<"));
    let ended = place.expect(3, &["check", PROJECT, "--test", "tcOne"]);
    assert!(ended.err.contains("cannot read timer/Gone.p: "), "{}", ended.err);
}

#[test]
fn assume_is_honoured_or_stripped() {
    let place = Place::new("p_assume");
    place.file("old.p", OLD);
    let ended = place.expect(0, &["check", "old.p", "--format", "json"]);
    let value = report(&ended.out);
    assert_eq!(verdict(&value, "assert"), "proved");
    assert_eq!(value["model"]["assume"], "honour");
    assert_eq!(value["model"]["dialect"], "2018");
    assert_eq!(value["model"]["test"], "Main");
    let caveat = value["caveats"][0].as_str().unwrap();
    assert!(caveat.starts_with("`assume` is honoured"), "{caveat}");
    let ended = place.expect(1, &["check", "old.p", "--assume", "strip", "--format", "json"]);
    let value = report(&ended.out);
    assert_eq!(verdict(&value, "assert"), "violated");
    assert_eq!(value["model"]["assume"], "strip");
    let text = place.expect(1, &["check", "old.p", "--assume", "strip"]).out;
    assert!(text.contains("dialect 2018 (recognised), assume strip"), "{text}");
}

#[test]
fn the_dialect_can_be_forced() {
    let place = Place::new("p_dialect");
    place.file("old.p", OLD);
    let ended = place.expect(3, &["check", "old.p", "--dialect", "current"]);
    assert!(ended.err.contains("error[QP0238]"), "{}", ended.err);
    assert!(ended.err.contains("old.p:1:11"), "{}", ended.err);
    place.file("new.p", "machine Main { start state S { } }");
    let words = ["check", "new.p", "--dialect", "2018"];
    let text = place.expect(0, &words).out;
    assert!(text.contains("dialect 2018 (as asked for), assume honour"), "{text}");
    let ended = place.expect(0, &[&words[..], &["--format", "json"]].concat());
    assert_eq!(report(&ended.out)["model"]["dialect"], "2018");
}

/// All specs watch in 2018; today only those that a test attaches.
#[test]
fn the_dialect_changes_the_verdict() {
    let place = Place::new("p_specs");
    place.file(
        "spec.p",
        "event eBad; machine Main { start state S { entry { announce eBad; } } }
         spec Never observes eBad { start state S { on eBad do { assert false; } } }",
    );
    place.expect(0, &["check", "spec.p"]);
    place.expect(1, &["check", "spec.p", "--dialect", "2018"]);
}

#[test]
fn foreign_functions_are_refused_or_return_anything() {
    let place = Place::new("p_foreign");
    place.file("foreign.p", FOREIGN);
    let ended = place.expect(3, &["check", "foreign.p"]);
    assert!(ended.err.contains("error[QP0234]: `Ready` is foreign"), "{}", ended.err);
    assert!(ended.err.contains("--foreign havoc"), "{}", ended.err);
    let words = ["check", "foreign.p", "--foreign", "havoc", "--format", "json"];
    let value = report(&place.expect(1, &words).out);
    assert_eq!(verdict(&value, "assert"), "violated");
    let caveat = "the foreign function `Ready` may return anything, and does nothing else";
    assert_eq!(value["caveats"][0], caveat);
}

#[test]
fn foreign_functions_that_return_numbers_have_a_range() {
    let place = Place::new("p_foreign_range");
    let text = "fun Rand(): int; machine Main { start state S { entry { assert Rand() < 3; } } }";
    place.file("rand.p", text);
    let ended = place.expect(3, &["check", "rand.p", "--foreign", "havoc"]);
    assert!(ended.err.contains("--foreign Rand=0..3"), "{}", ended.err);
    place.expect(0, &["check", "rand.p", "--foreign", "Rand=0..2"]);
    let ended = place.expect(1, &["check", "rand.p", "--foreign", "Rand=0..3"]);
    assert!(ended.out.contains("may return 0 to 3"), "{}", ended.out);
    // The trace is played again with the same range.
    place.expect(1, &["replay", ".queueproof/rand.p/traces/assert.json"]);
    place.expect(64, &["check", "rand.p", "--foreign", "Rand=3..0"]);
}

#[test]
fn specs_that_no_test_attaches_can_be_attached() {
    let place = Place::new("p_all_specs");
    place.file(
        "idle.p",
        "event eBad; machine Main { start state S { entry { announce eBad; } } }
         spec Never observes eBad { start state S { on eBad do { assert false; } } }
         test tc [main = Main]: { Main };",
    );
    let ended = place.expect(0, &["check", "idle.p"]);
    assert!(
        ended.err.contains("warning[QP0263]: the spec `Never` is not checked"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("--all-specs"), "{}", ended.err);
    let ended = place.expect(1, &["check", "idle.p", "--all-specs"]);
    assert!(!ended.err.contains("QP0263"), "{}", ended.err);
}

const PAIR: &str = "event ePing: machine;
event ePong;
machine Main {
  var server: machine;
  start state Init { entry { server = new Server(); goto Ask; } }
  state Ask {
    entry { send server, ePing, this; }
    on ePong do { if ($) { goto Rest; } send server, ePing, this; }
  }
  state Rest { }
}
machine Server {
  start state Wait { on ePing do (who: machine) { send who, ePong; } }
}
";

#[test]
fn progress_is_what_the_user_names() {
    let place = Place::new("p_progress");
    place.file("pair.p", PAIR);
    let words = ["check", "pair.p", "--property", "livelock", "--out", "kept"];
    let asked = |name: &'static str| [&words[..], &["--progress-at", name]].concat();
    place.expect(0, &asked("ePong"));
    place.expect(0, &["cert", "verify", "kept/pair.p/certificate.json"]);
    let out = place.expect(1, &asked("Main.Rest")).out;
    assert!(out.contains("progress Main.Rest"), "{out}");
    place.expect(1, &["replay", "kept/pair.p/traces/livelock.json"]);
}

#[test]
fn what_cannot_be_progress_is_refused() {
    let place = Place::new("p_no_progress");
    place.file("pair.p", PAIR);
    let err = place.expect(3, &["check", "pair.p", "--progress-at", "Main.Rset"]).err;
    assert!(err.contains("did you mean `Main.Rest`?"), "{err}");
    place.file("one.cfsm", "machine A { init S: send A m -> T  T: recv m -> S }");
    let err = place.expect(3, &["check", "one.cfsm", "--progress-at", "S"]).err;
    assert!(err.contains("`--progress-at` is for P programs"), "{err}");
}
