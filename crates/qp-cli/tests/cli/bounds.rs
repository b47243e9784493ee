//! `bounds`: how much room queues need, what capacities change, and code that sets them.

use std::process::Command;

use serde_json::Value;

use crate::place::Place;

/// Both send twice before they listen: with room for one on both sides they wait for each other.
const CROSSING: &str = "queues channels;
channel ab, ba;
machine A { init S: send ab m -> T  T: send ab m -> U  U: recv ba m -> V  V: recv ba m -> S }
machine B { init S: send ba m -> T  T: send ba m -> U  U: recv ab m -> V  V: recv ab m -> S }
";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("crossing.cfsm", CROSSING);
    place
}

#[test]
fn the_table_has_the_smallest_capacities() {
    let out = place("bounds_table").expect(0, &["bounds", "crossing.cfsm"]).out;
    let table = "\
  queue  declared  bound  proved by  longest seen  never blocks with  no deadlock alone
  -----  --------  -----  ---------  ------------  -----------------  -----------------
  ab     -             4  explore               4  capacity 4         capacity 1
  ba     -             4  explore               4  capacity 4         capacity 1
";
    assert!(out.contains(table), "{out}");
}

/// The Server's mailbox is bounded by invariants that are found while something else is proved.
#[test]
fn proofs_of_other_things_bound_queues() {
    let place = Place::new("bounds_by_proofs");
    place.copy("corpus/p/german_1.p");
    let ended = place.expect(1, &["bounds", "corpus/p/german_1.p", "--no-capacities"]);
    assert!(ended.out.contains("Server(1)  -         1          converge"), "{}", ended.out);
    let ended = place.expect(1, &["bounds", "corpus/p/german_1.p", "--emit", "tokio"]);
    assert!(ended.out.contains("SERVER_1_CAPACITY: usize = 1;"), "{}", ended.out);
}

#[test]
fn capacities_can_be_left_out() {
    let out = place("bounds_no_capacities")
        .expect(0, &["bounds", "crossing.cfsm", "--no-capacities"])
        .out;
    assert!(!out.contains("no deadlock alone"), "{out}");
    assert!(
        out.contains("  ab     -             4  explore               4  capacity 4\n"),
        "{out}"
    );
}

/// Each queue can do with room for one, but not both at once.
#[test]
fn capacities_that_are_right_together_can_be_pasted() {
    let place = place("bounds_together");
    let out = place.expect(0, &["bounds", "crossing.cfsm"]).out;
    let told = "
  together   no deadlock, proved for all of these at once:
             --set ab=1 --set ba=2

  alone      that queue has this capacity and all others are as they are
";
    assert!(out.contains(told), "{out}");
    place.expect(0, &["bounds", "crossing.cfsm", "--set", "ab=1", "--set", "ba=2"]);
    let out = place.expect(0, &["bounds", "crossing.cfsm", "--format", "json"]).out;
    let value: Value = serde_json::from_str(&out).unwrap();
    let capacities = &value["together"]["capacities"];
    assert_eq!((&capacities[0]["queue"], &capacities[0]["capacity"]), (&"ab".into(), &1.into()));
    assert_eq!((&capacities[1]["queue"], &capacities[1]["capacity"]), (&"ba".into(), &2.into()));
}

#[test]
fn capacities_that_deadlock_are_shown_with_the_run() {
    let place = place("bounds_set");
    let set = ["bounds", "crossing.cfsm", "--set", "ab=1", "--set", "ba=1"];
    let out = place.expect(1, &set).out;
    assert!(out.contains("violated[QP1003] deadlock:"), "{out}");
    let told = "\
  set        ab=1: a send waits when it holds 1 message
             ba=1: a send waits when it holds 1 message
  deadlock   these capacities bring a deadlock, which there is not without them
";
    assert!(out.contains(told), "{out}");
    // The file of the run knows the capacities: without them it is no deadlock.
    let trace = ".queueproof/crossing.cfsm/traces/deadlock.json";
    place.expect(1, &["replay", trace]);
}

#[test]
fn a_capacity_that_is_enough_changes_nothing() {
    let out =
        place("bounds_set_enough").expect(0, &["bounds", "crossing.cfsm", "--set", "ab=4"]).out;
    let told = "  set        ab=4: no send ever waits\n  deadlock   proved: there is none with these capacities\n";
    assert!(out.contains(told), "{out}");
}

#[test]
fn a_queue_that_there_is_not_is_refused() {
    let err =
        place("bounds_set_unknown").expect(3, &["bounds", "crossing.cfsm", "--set", "ac=1"]).err;
    assert!(err.contains("error[QP0117]: there is no queue `ac`"), "{err}");
    assert!(err.contains("there are ab, ba"), "{err}");
    place("bounds_set_wrong").expect(64, &["bounds", "crossing.cfsm", "--set", "ab=0"]);
}

#[test]
fn scripts_get_capacities_and_changes() {
    let place = place("bounds_json");
    let out =
        place.expect(0, &["bounds", "crossing.cfsm", "--set", "ab=1", "--format", "json"]).out;
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["queues"][0]["never_blocks"]["known"], "smallest");
    assert_eq!(value["queues"][0]["never_blocks"]["capacity"], 4);
    assert_eq!(value["queues"][1]["no_deadlock"]["capacity"], 2);
    assert_eq!(value["changes"]["set"][0]["queue"], "ab");
    assert_eq!(value["changes"]["set"][0]["waits"], true);
    assert_eq!(value["changes"]["deadlock_before"], "proved");
    assert_eq!(value["changes"]["deadlock_after"], "proved");
    let out = place.expect(0, &["check", "crossing.cfsm", "--format", "json"]).out;
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["queues"][0]["never_blocks"], Value::Null);
    assert_eq!(value["changes"], Value::Null);
}

/// What is used of tokio, without anything behind it.
const STUB: &str = "
#![allow(dead_code)]
mod emitted;
pub mod tokio {
    pub mod sync {
        pub mod mpsc {
            pub struct Sender<T>(std::marker::PhantomData<T>);
            pub struct Receiver<T>(std::marker::PhantomData<T>);
            pub struct UnboundedSender<T>(std::marker::PhantomData<T>);
            pub struct UnboundedReceiver<T>(std::marker::PhantomData<T>);
            pub fn channel<T>(_: usize) -> (Sender<T>, Receiver<T>) { loop {} }
            pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) { loop {} }
        }
    }
}
";

#[test]
fn emitted_tokio_code_compiles() {
    let place = place("bounds_emit_tokio");
    place.file("flood.cfsm", "machine match { init S: send B m } machine B { init S: recv m }");
    for model in ["crossing.cfsm", "flood.cfsm"] {
        place.run(&["bounds", model, "--emit", "tokio", "-o", "emitted.rs"]);
        let code = place.read("emitted.rs").replace("use tokio::", "use crate::tokio::");
        place.file("emitted.rs", code);
        place.file("lib.rs", STUB);
        let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let mut command = Command::new(compiler);
        command.args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "-Dwarnings"]);
        // Where there is no compiler, nothing can be said.
        let Ok(output) = command.arg("lib.rs").current_dir(place.path()).output() else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn code_goes_to_standard_output_alone_or_into_a_folder() {
    let place = place("bounds_emit_places");
    let out = place.expect(0, &["bounds", "crossing.cfsm", "--emit", "json"]).out;
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["queues"][1]["capacity"], 4);
    place.expect(64, &["bounds", "crossing.cfsm", "--emit", "json,akka"]);
    place.expect(64, &["bounds", "crossing.cfsm", "--emit", "json", "--format", "json"]);
    let out =
        place.expect(0, &["bounds", "crossing.cfsm", "--emit", "json,tokio,akka", "-o", "out"]).out;
    assert!(out.contains("never blocks with"), "{out}");
    let written: Value = serde_json::from_str(&place.read("out/crossing.json")).unwrap();
    assert_eq!(written, value);
    assert!(place.read("out/crossing.rs").contains("pub const AB_CAPACITY: usize = 4;"));
    assert!(place.read("out/crossing.conf").contains("ab-mailbox {"));
}

#[test]
fn the_tables_stand_beside_those_of_the_paper() {
    let place = Place::new("bench_ciclo");
    for model in ["client_server", "train_controller", "sip"] {
        place.copy(&format!("corpus/promela/{model}.pml"));
    }
    let out = place.expect(0, &["bench", "corpus/promela", "--table", "ciclo"]).out;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = out.lines().map(words).collect();
    for begin in [
        "client_server here bounded by 2 ",
        "train_controller paper unknown - 0.810 s ",
        "client_server here livelock flow ",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(begin)), "{begin}\n{out}");
    }
    let table = ["bench", "corpus/promela", "--table", "ciclo", "--format", "json"];
    let value: Value = serde_json::from_str(&place.expect(0, &table).out).unwrap();
    assert_eq!(value["schema"], "queueproof.ciclo/1");
    assert_eq!(value["tables"][0]["rows"][0]["model"], "client_server");
    place.expect(64, &[&table[..], &["--engine", "flow"]].concat());
    place.file("empty/m.cfsm", CROSSING);
    place.expect(64, &["bench", "empty", "--table", "ciclo"]);
}
