//! Sets that are not written down: the checker searches again.

use std::fmt::Write;

use crate::json::report;
use crate::place::Place;

const FILE: &str = ".queueproof/clocks.cfsm/certificate.json";

/// Clocks that do not mind each other: 4 to the power of 7 configurations.
fn clocks(place: &Place) {
    let mut text = String::new();
    for number in 0..7 {
        writeln!(
            text,
            "machine M{number} {{ init A: internal -> B  B: internal -> C  C: internal -> D  D: internal -> A }}"
        )
        .unwrap();
    }
    place.file("clocks.cfsm", text);
}

#[test]
fn a_large_search_is_certified_by_searching_again() {
    let place = Place::new("searches");
    clocks(&place);
    let asked =
        ["check", "clocks.cfsm", "--certified", "--engine", "explore", "--sets", "explicit"];
    let ended = place.expect(0, &[&asked[..], &["--format", "json"]].concat());
    let value = report(&ended.out);
    let deadlock = value["properties"].as_array().unwrap().iter().find(|it| it["id"] == "deadlock");
    assert_eq!(deadlock.unwrap()["verdict"], "proved");
    assert_eq!(deadlock.unwrap()["assurance"], "certified");
    let text = place.read(FILE);
    assert!(text.contains(r#""evidence":{"search":{"configurations":16384"#), "{text}");
    let verified = place.expect(0, &["cert", "verify", FILE]);
    assert!(verified.out.contains("a complete search of 16384 configurations"), "{}", verified.out);
    let told = place.expect(0, &asked);
    assert!(told.out.contains("certified"), "{}", told.out);
}

#[test]
fn a_search_that_counted_wrongly_is_refused() {
    let place = Place::new("searches_wrong");
    clocks(&place);
    place.expect(0, &["check", "clocks.cfsm", "--engine", "explore", "--sets", "explicit"]);
    let text = place.read(FILE);
    for wrong in ["16383", "16385", "1"] {
        place.file(FILE, text.replace("16384", wrong));
        let ended = place.expect(70, &["cert", "verify", FILE]);
        assert!(ended.err.contains("configurations than"), "{}", ended.err);
    }
}

#[test]
fn limits_are_kept_while_searching_again() {
    let place = Place::new("searches_limits");
    clocks(&place);
    place.expect(0, &["check", "clocks.cfsm", "--engine", "explore", "--sets", "explicit"]);
    for limit in [["--memory", "64KiB"], ["--time", "0s"]] {
        let ended = place.expect(2, &[&["cert", "verify", FILE], &limit[..]].concat());
        assert!(ended.err.contains("limit"), "{}", ended.err);
    }
}
