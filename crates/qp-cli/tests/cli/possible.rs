//! What can always still happen: certificates, and who waits for what where it cannot.

use crate::json::report;
use crate::place::Place;

const NO_CORE: &str = "corpus/cfsm/no_core.cfsm";
const RACE: &str = "corpus/cfsm/cancel_race.cfsm";

#[test]
fn strategies_are_certified() {
    let place = Place::new("possible_certified");
    place.copy(NO_CORE);
    let words = ["check", NO_CORE, "--possible", "A.S0", "--possible", "b"];
    let out = place.expect(0, &words).out;
    assert!(out.contains("possible:A.S0"), "{out}");
    assert!(out.contains("progress proved stuck, orphan, possible:A.S0, possible:b"), "{out}");
    let folder = ".queueproof/corpus/cfsm/no_core.cfsm";
    for number in ["", "-2", "-3"] {
        let certificate = format!("{folder}/certificate{number}.json");
        if place.has(&certificate) {
            place.expect(0, &["cert", "verify", &certificate]);
        }
    }
}

#[test]
fn it_is_told_who_waits_for_what() {
    let place = Place::new("possible_waits");
    place.copy(RACE);
    let words = ["check", RACE, "--possible", "Server.Free", "--format", "json"];
    let json = report(&place.expect(1, &words).out);
    let message = |id: &str| {
        let all = json["properties"].as_array().expect("it is a list");
        let found = all.iter().find(|it| it["id"] == id).expect("it was asked");
        found["message"].as_str().expect("it is a text").to_owned()
    };
    let stuck = "Server is in Granted and can never move again; it waits for Release from Client, \
                 and Cancel is first in Server";
    assert_eq!(message("stuck"), stuck);
    assert_eq!(message("possible:Server.Free"), "Server can never be in Free again");
}
