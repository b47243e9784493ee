//! `reach`: tables of contents.

use crate::place::Place;

const MODEL: &str = "queues channels;\nchannel q;\nmachine A { init S: send q a | send q b }\n\
                     machine B { init S: recv q a -> S | recv q b -> T  T: }\n";

#[test]
fn a_table_is_exact_and_says_so() {
    let place = Place::new("reach_text");
    place.file("m.cfsm", MODEL);
    let ended = place.expect(0, &["reach", "m.cfsm"]);
    let expected = "A  B  q\n-  -  --------\nS  S  (a | b)*\nS  T  (a | b)*\n\n\
                    These are exactly the contents that can be reached.\n";
    assert_eq!(ended.out, expected);
}

#[test]
fn a_blurred_table_leaves_the_answer_unknown() {
    let place = Place::new("reach_blur");
    place.file("m.cfsm", MODEL);
    let ended = place.expect(2, &["reach", "m.cfsm", "--blur", "1", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(json["schema"], "queueproof.reach/1");
    assert_eq!(json["exact"], false);
    assert_eq!(json["queues"][0], "q");
}

#[test]
fn a_search_that_does_not_end_is_unknown() {
    let place = Place::new("reach_unknown");
    let twice =
        "queues channels;\nchannel p, q;\nmachine A { init S: send p a -> send q b -> S }\n";
    place.file("m.cfsm", twice);
    let ended = place.expect(2, &["reach", "m.cfsm", "--steps", "2000"]);
    assert!(ended.err.contains("unknown: the search met a limit"), "{}", ended.err);
}

#[test]
fn a_search_with_one_cycle_is_bound_to_end() {
    let place = Place::new("reach_will_end");
    let model = "queues channels;\nchannel q;\nmachine A { init S: send q a }\n";
    place.file("m.cfsm", model);
    let ended = place.expect(0, &["reach", "m.cfsm", "--will-end"]);
    let expected = "The search is bound to come to an end: there is one cycle of steps, and it leaves \
                    regular contents.\nThe longest cycle has 1 steps (--cycles 1).\n";
    assert_eq!(ended.out, expected);
}

#[test]
fn two_cycles_that_are_in_the_way_are_named() {
    let place = Place::new("reach_in_the_way");
    place.file("m.cfsm", MODEL);
    let ended = place.expect(2, &["reach", "m.cfsm", "--will-end"]);
    let expected = "Nothing guarantees that the search comes to an end: it makes a difference whether a \
                    cycle is taken before a step of another one or after it.\nThe cycle:\n  \
                    A in S sends a to q\nThe other cycle:\n  A in S sends b to q\n\
                    The step: A in S sends b to q.\n";
    assert_eq!(ended.out, expected);
}

#[test]
fn queues_that_count_together_are_named() {
    let place = Place::new("reach_counting");
    let twice =
        "queues channels;\nchannel p, q;\nmachine A { init S: send p a -> send q b -> S }\n";
    place.file("m.cfsm", twice);
    let ended = place.expect(2, &["reach", "m.cfsm", "--will-end", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(json["schema"], "queueproof.ending/1");
    assert_eq!(json["will_end"], false);
    assert_eq!(json["because"], "p and q both tell how often a cycle was taken");
    assert_eq!(json["cycles"][0][0], "A in S sends a to p");
    assert_eq!(json["cycles"].as_array().unwrap().len(), 1);
}

#[test]
fn a_step_that_depends_on_a_capacity_is_named() {
    let place = Place::new("reach_depends");
    let model = "queues channels;\nchannel q 2;\nmachine A { init S: send q a }\n\
                 machine B { init T: recv q a }\n";
    place.file("m.cfsm", model);
    let ended = place.expect(2, &["reach", "m.cfsm", "--will-end"]);
    assert!(ended.out.ends_with("The step: A in S sends a to q.\n"), "{}", ended.out);
}
