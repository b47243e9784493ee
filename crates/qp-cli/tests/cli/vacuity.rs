//! Answers that would rest on nothing, and what no run comes to.

use serde_json::Value;

use crate::place::Place;

/// What was said about a property: the verdict and the line for people.
fn said(place: &Place, exit: i32, args: &[&str], id: &str) -> (String, String) {
    let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    let value: Value = serde_json::from_str(&place.expect(exit, &args).out).unwrap();
    let all = value["properties"].as_array().unwrap();
    let found = all.iter().find(|property| property["id"] == id).unwrap();
    let text = |field: &str| found[field].as_str().unwrap().to_owned();
    (text("verdict"), text("message"))
}

fn none(why: &str) -> (String, String) {
    ("none".to_owned(), why.to_owned())
}

#[test]
fn every_none_says_why() {
    let place = Place::new("vacuity_reasons");
    place.file("m.cfsm", "machine A { init S: send B m }  machine B { init S: recv m }");
    let ask = |id: &str| said(&place, 0, &["check", "m.cfsm", "--property", id], id);
    assert_eq!(ask("assert"), none("no machine has a failure"));
    assert_eq!(ask("divergence"), none("every step of a machine is one that others see"));
    assert_eq!(ask("livelock"), none("no state is marked as progress"));
    assert_eq!(ask("accept"), none("no state is marked as accepting"));
    assert_eq!(ask("live"), none("no attached spec has a hot state"));
}

#[test]
fn where_nothing_is_sent_nothing_is_proved_of_messages() {
    let place = Place::new("vacuity_silent");
    let text =
        "machine A { init S: internal -> S  T: send B m -> S }  machine B { end init S: recv m }";
    place.file("m.cfsm", text);
    for id in ["unhandled", "orphan", "bounded"] {
        let found = said(&place, 0, &["check", "m.cfsm", "--property", id], id);
        assert_eq!(found, none("no message is ever sent"), "{id}");
    }
    let sends = "machine A { init S: send B m -> T  T: }  machine B { end init S: recv m }";
    place.file("n.cfsm", sends);
    let found = said(&place, 0, &["check", "n.cfsm", "--property", "orphan"], "orphan");
    assert_eq!(found.0, "proved");
}

#[test]
fn a_handshake_leaves_nothing_in_a_queue() {
    let place = Place::new("vacuity_handshake");
    place.file(
        "m.pml",
        "chan c = [0] of { bit }; active proctype A() { c!1 } active proctype B() { c?1 }",
    );
    let found = said(&place, 0, &["check", "m.pml", "--property", "orphan"], "orphan");
    assert_eq!(found, none("no queue ever holds a message"));
}

#[test]
fn promela_has_no_unhandled_messages() {
    let place = Place::new("vacuity_promela");
    place.file("m.pml", "chan c = [1] of { bit }; active proctype A() { c!1; c?1 }");
    let found = said(&place, 0, &["check", "m.pml", "--property", "unhandled"], "unhandled");
    assert_eq!(found, none("Promela has no unhandled messages"));
    let found = said(&place, 0, &["check", "m.pml", "--property", "livelock"], "livelock");
    assert_eq!(found, none("no progress label"));
}

#[test]
fn progress_is_no_question_where_every_run_ends() {
    let place = Place::new("vacuity_ends");
    place.file("ends.pml", "byte n; active proctype A() { progress: n = 1; n = 2 }");
    place.file("goes_on.pml", "byte n; active proctype A() { do :: n = 1; progress: n = 2 od }");
    let ask = |model| said(&place, 0, &["check", model, "--property", "livelock"], "livelock");
    assert_eq!(ask("ends.pml"), none("no run is infinite"));
    assert_eq!(ask("goes_on.pml").0, "proved");
}

/// P calls an event that is raised unhandled, too: no queue is needed for that.
#[test]
fn a_raised_event_is_in_no_queue() {
    let place = Place::new("vacuity_raised");
    place.file("m.p", "event e; machine Main { start state S { entry { raise e; } on e do { } } }");
    let found = said(&place, 0, &["check", "m.p", "--property", "unhandled"], "unhandled");
    assert_eq!(found.0, "proved");
}

#[test]
fn what_has_no_hot_state_is_called_nothing() {
    let place = Place::new("vacuity_hot");
    let program = "event e; machine Main { start state S { entry { announce e; } } }
        spec Watch observes e { start hot state Waiting { on e goto Done; } state Done { ignore e; } }
        test t [main=Main]: assert Watch in { Main };";
    place.file("hot.p", program);
    place.file("cold.p", program.replace("hot ", "cold "));
    let found = said(&place, 0, &["check", "hot.p", "--property", "live"], "live:Watch");
    assert_eq!(found.0, "proved");
    let found = said(&place, 0, &["check", "cold.p", "--property", "live"], "live");
    assert_eq!(found, none("no attached spec has a hot state"));
}

/// One queue is bounded and another grows, so only something about a queue is certified.
#[test]
fn a_certificate_of_a_bound_does_not_seem_to_cover_verdicts() {
    let place = Place::new("vacuity_certified");
    let text = "byte n; chan a = [1] of { byte }; chan b = [1] of { byte };
        active proctype A() { do :: a!1 od }
        active proctype B() { b!1; b?1 }";
    place.file("m.pml", text);
    let args = ["check", "m.pml", "--channels", "unbounded", "--property", "stuck"];
    let out = place.expect(2, &args).out;
    let line = out.lines().find(|line| line.trim_start().starts_with("certified"));
    let line = line.unwrap_or_else(|| panic!("{out}"));
    assert!(line.contains("certified  the bound of one queue: "), "{out}");
}

const SERVER: &str = "machine Client { init S: send Server ask -> T  T: recv ok -> S }
machine Server {
    init S: recv ask -> T
          | recv quit -> End
    T:      send Client ok -> S
    End:
    Lost:   recv ask -> S
}
";

#[test]
fn what_no_run_comes_to_is_listed_after_a_complete_search() {
    let place = Place::new("unreached_cfsm");
    place.file("m.cfsm", SERVER);
    let out = place.expect(0, &["check", "m.cfsm"]).out;
    let told = "
  unreached  Server: transition recv quit in S, line 4
             Server: state End, line 6
             Server: state Lost, line 7
";
    assert!(out.contains(told), "{out}");
    let out = place.expect(0, &["check", "m.cfsm", "--format", "json"]).out;
    let value: Value = serde_json::from_str(&out).unwrap();
    let first = &value["unreached"][0];
    assert_eq!(value["unreached"].as_array().unwrap().len(), 3);
    assert_eq!((&first["machine"], &first["kind"]), (&"Server".into(), &"transition".into()));
    assert_eq!((&first["name"], &first["location"]["line"]), (&"recv quit in S".into(), &4.into()));
}

#[test]
fn nothing_is_listed_where_something_was_cut() {
    let place = Place::new("unreached_open");
    place.file("m.cfsm", "machine A { init S: send B m  T: }  machine B { init S: recv m }");
    let args = ["check", "m.cfsm", "--engines", "explore", "--format", "json"];
    let value: Value = serde_json::from_str(&place.run(&args).out).unwrap();
    assert_eq!(value["unreached"], Value::Null);
    // A proof for every queue length tells.
    let value: Value =
        serde_json::from_str(&place.run(&["check", "m.cfsm", "--format", "json"]).out).unwrap();
    assert_eq!(value["unreached"][0]["name"], "T");
}

#[test]
fn statements_of_promela_models_are_listed_with_their_lines() {
    let place = Place::new("unreached_promela");
    let text = "byte n;
active proctype A() {
  if
  :: n > 3 ->
     n = 7
  :: else
  fi;
  d_step {
    n = 1;
    if
    :: n == 2 ->
       n = 3
    :: else
    fi
  }
}
proctype Never() { n = 9 }
";
    place.file("m.pml", text);
    let out = place.expect(0, &["check", "m.pml"]).out;
    let told = "
  unreached  A: statement n=7, line 5
             A: statement n=3, line 12
             Never is never created, line 17
";
    assert!(out.contains(told), "{out}");
}

/// Orders of steps that are left out may come to more.
#[test]
fn nothing_is_listed_where_orders_are_left_out() {
    let place = Place::new("unreached_reduced");
    let text = "active proctype A() { byte n; n = 1; n = 2; if :: n == 3 -> n = 4 :: else fi }
        active proctype B() { byte n; n = 1; n = 2; n = 3 }";
    place.file("m.pml", text);
    let listed = |more: &[&str]| {
        let args = ["check", "m.pml", "--granularity", "statement", "--format", "json"];
        let args: Vec<&str> = args.iter().chain(more).copied().collect();
        let value: Value = serde_json::from_str(&place.expect(0, &args).out).unwrap();
        value["unreached"].clone()
    };
    assert_eq!(listed(&[])[0]["name"], "n=4");
    assert_eq!(listed(&["--reduce"]), Value::Null);
}

#[test]
fn states_handlers_and_code_of_p_programs_are_listed() {
    let place = Place::new("unreached_p");
    let text = "event ePing: int;
event eStop;
machine Main {
  var other: machine;
  start state S {
    entry {
      other = new Echo(this);
      send other, ePing, 1;
    }
    on ePing do (n: int) {
      if (n > 5) {
        send other, eStop;
      }
    }
    on eStop goto Done;
  }
  state Done { }
}
machine Echo {
  start state Wait {
    entry (peer: machine) { send peer, ePing, 2; }
    on ePing do { }
    on eStop do { raise halt; }
  }
}
machine Spare { start state S { } }
test t [main=Main]: { Main, Echo, Spare };
";
    place.file("m.p", text);
    let out = place.expect(0, &["check", "m.p"]).out;
    for told in [
        "Main: statement in on ePing in S, line 12\n",
        "Main: handler on eStop in S, line 5\n",
        "Main: state Done, line 17\n",
        "Echo: handler on eStop in Wait, line 23\n",
        "Spare is never created, line 26\n",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    assert_eq!(out.matches(", line ").count(), 5, "{out}");
}
