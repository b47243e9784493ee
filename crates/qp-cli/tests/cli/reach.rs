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
