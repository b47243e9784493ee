//! What users of P are told about what is not checked, not read and not kept.

use crate::json::report;
use crate::place::Place;

const HOT: &str = "corpus/p/features/hot_at_the_end.p";

#[test]
fn a_run_that_ends_hot_is_shown() {
    let place = Place::new("p_hot");
    place.copy(HOT);
    let ended = place.expect(1, &["check", HOT, "--no-files", "--width", "200"]);
    let told = "live:Answered: the run ends after step 3 while Answered is in a hot state";
    assert!(ended.out.contains(told) && ended.out.contains("QP1039"), "{}", ended.out);
    for more in [&[][..], &["--property", "live"], &["--property", "live:Answered"]] {
        let words = ["check", HOT, "--no-files", "--format", "json"];
        let value = report(&place.expect(1, &[&words[..], more].concat()).out);
        let live = value["properties"].as_array().unwrap().last().unwrap();
        assert_eq!((&live["id"], &live["verdict"]), (&"live:Answered".into(), &"violated".into()));
        assert_eq!((&live["code"], &live["location"]["line"]), (&"QP1039".into(), &16.into()));
        assert_eq!(live["fair"], true);
    }
}

const PUT_OFF: &str = "event eAsk: machine; event eTell; event eLater;
machine Client { start state Asking { entry { send new Server(), eAsk, this; } on eTell do { } } }
machine Server { var client: machine; start state Working {
    on eAsk do (who: machine) { client = who; send this, eLater; }
    on eLater do { if ($) { send client, eTell; } else { send this, eLater; } } } }
spec Told observes eAsk, eTell {
    start cold state Quiet { on eAsk goto Waiting; }
    hot state Waiting { on eTell goto Quiet; } }
test tc [main = Client]: assert Told in { Client, Server };
";

#[test]
fn runs_that_stay_hot_and_proofs_of_the_contrary_are_kept() {
    let place = Place::new("p_stays_hot");
    place.file("told.p", PUT_OFF);
    place.expect(0, &["check", "told.p"]);
    place.expect(0, &["cert", "verify", ".queueproof/told.p/certificate.json"]);
    place.file("never.p", PUT_OFF.replace("if ($) { send client, eTell; } else", ""));
    let ended = place.expect(1, &["check", "never.p", "--width", "200"]);
    let told = "for ever and Told stays hot; the run is fair to machines and choices";
    assert!(ended.out.contains(told), "{}", ended.out);
    let ended = place.expect(1, &["replay", ".queueproof/never.p/traces/live-Told.json"]);
    assert!(ended.out.contains("live:Told"), "{}", ended.out);
}

#[test]
fn live_is_void_without_a_hot_state_that_somebody_attached() {
    let place = Place::new("p_not_hot");
    place.copy(HOT);
    let text = place.read(HOT);
    place.file("cold.p", text.replace("hot state", "cold state"));
    place.file("idle.p", text.replace("assert Answered in", ""));
    for model in ["cold.p", "idle.p"] {
        let words = ["check", model, "--no-files", "--format", "json", "--property", "live"];
        let value = report(&place.expect(0, &words).out);
        assert_eq!(value["properties"][0]["verdict"], "none", "{model}");
        place.expect(0, &["check", model, "--no-files"]);
    }
}

const IDLE: &str = "event eA assume 3;
machine Main { start state Init { entry { send this, eA; } ignore eA; } }
spec Never observes eA { start state Init { on eA do { assert false, \"it watches\"; } } }
";

#[test]
fn a_spec_that_no_test_attaches_is_named() {
    let place = Place::new("p_idle_spec");
    // A script that links a program of 2018 attaches none; without any test all watch.
    place.file("linked.p", format!("{IDLE}test tcOne: main Main in {{ Main }};\n"));
    let ended = place.expect(0, &["check", "linked.p", "--no-files"]);
    let told = "warning[QP0263]: the spec `Never` is not checked: no test case attaches it";
    assert!(ended.err.contains(told) && ended.err.contains("linked.p:3:6"), "{}", ended.err);
    place.file("alone.p", IDLE);
    let ended = place.expect(1, &["check", "alone.p", "--no-files"]);
    assert!(ended.out.contains("it watches") && ended.err.is_empty(), "{}", ended.err);
    let today = IDLE.replace(" assume 3", "");
    place.file("today.p", &today);
    assert!(place.expect(0, &["check", "today.p", "--no-files"]).err.contains(told));
    // What one test attaches, another may leave out.
    let tests = "test tcOne [main = Main]: { Main };
                 module Watched = assert Never in { Main };
                 test tcTwo [main = Main]: Watched;";
    place.file("two.p", format!("{today}{tests}"));
    let ended = place.expect(0, &["check", "two.p", "--no-files", "--test", "tcOne"]);
    assert_eq!(ended.err, "");
    place.expect(1, &["check", "two.p", "--no-files", "--test", "tcTwo"]);
}

#[test]
fn every_model_of_a_folder_is_checked() {
    let place = Place::new("p_folder");
    for (from, to) in [("p/cancel_fixed.p", "m/a.p"), ("cfsm/cancel_race.cfsm", "m/race.cfsm")] {
        let path = crate::place::repository().join("corpus").join(from);
        place.file(to, std::fs::read(path).unwrap());
    }
    place.file("m/lib.p", "event eX; machine Y { start state S { on eX goto S; } }");
    let ended = place.expect(1, &["check", "m", "--no-files"]);
    assert!(ended.out.contains("4 proved"), "{}", ended.out);
    assert!(ended.out.contains("m/race.cfsm"), "{}", ended.out);
}

const PROJECT: &str = "<Project>
  <ProjectName>X</ProjectName>
  <InputFiles><PFile>./PSrc/</PFile><PFile>./PForeign/</PFile></InputFiles>
</Project>
";

#[test]
fn what_a_project_lacks_and_what_it_leaves_out_is_named() {
    let place = Place::new("p_missing_folder");
    place.file("m/X.pproj", PROJECT);
    place.file("m/PSrc/main.p", "machine Main { start state S { } }");
    place.file("m/old/main.p", "machine Main { start state S { } }");
    let ended = place.expect(0, &["check", "m", "--no-files"]);
    let told = "warning[QP0264]: the project names `./PForeign/`, which is not there";
    assert!(ended.err.contains(told) && ended.err.contains("m/X.pproj:3:"), "{}", ended.err);
    assert!(ended.err.contains("passed over m/old/main.p"), "{}", ended.err);
    // A file is another matter.
    place.file("m/X.pproj", PROJECT.replace("./PForeign/", "./gone.p"));
    place.expect(3, &["check", "m/X.pproj", "--no-files"]);
}

#[test]
fn a_program_for_the_deductive_verifier_is_sent_there() {
    let place = Place::new("p_deductive");
    let text = "event eLock;
pure server(): machine;
init-condition forall (m: machine) :: m is Node == (m != server());
machine Node { start state Idle { entry { send server(), eLock; } } }
";
    place.file("lock.p", text);
    let ended = place.expect(3, &["check", "lock.p"]);
    let told = "error[QP0265]: this program is for P's deductive verifier";
    assert!(ended.err.contains(told) && ended.err.contains("PVerifier"), "{}", ended.err);
    assert!(!ended.err.contains("QP0235"), "{}", ended.err);
    let more = "machine Main { start state S { entry { new Node(); } } }";
    place.file("run.p", format!("{text}{more}"));
    assert!(place.expect(3, &["check", "run.p"]).err.contains("QP0235"));
}

/// Nobody reads who the client is, nor what is chosen.
const BANK: &str = "event eWithdraw: (amount: int, client: int);
event eDone: int;
machine Main {
  start state Init {
    entry {
      var luck: bool;
      luck = $;
      send this, eWithdraw, (amount = 2, client = 7);
      send this, eDone, 5;
    }
    on eWithdraw do (order: (amount: int, client: int)) { assert order.amount < 2, \"too much\"; }
    ignore eDone;
  }
}
test tcOne [main = Main]: { Main };
";

#[test]
fn charts_have_the_values_that_are_sent() {
    let place = Place::new("p_values");
    place.file("bank.p", BANK);
    let ended = place.expect(1, &["check", "bank.p", "--out", "kept", "--width", "200"]);
    assert!(ended.out.contains("eWithdraw(amount = 2, client = 7)"), "{}", ended.out);
    assert!(ended.out.contains("eDone(5)"), "{}", ended.out);
    let trace = "kept/bank.p/traces/assert.json";
    for to in ["text", "svg", "mermaid"] {
        let drawn = place.expect(0, &["trace", trace, "--to", to, "--width", "200"]).out;
        assert!(drawn.contains("client = 7") && !drawn.contains("client = 0"), "{drawn}");
    }
    let drawn = place.expect(0, &["trace", trace, "--to", "p"]).out;
    assert!(drawn.contains("\"client\": 7") && !drawn.contains("\"client\": 0"), "{drawn}");
    let json = place.expect(1, &["check", "bank.p", "--no-files", "--format", "json"]).out;
    assert!(json.contains("client = 7") && !json.contains("client = 0"), "{json}");
}
