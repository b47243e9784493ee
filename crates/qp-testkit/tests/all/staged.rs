//! Models played by machines that are created at run time: the answers stay the same.

use qp_machines::{Model, Property};
use qp_testkit::judge::{count, judge};
use qp_testkit::staged::{Staged, Staging};

const PING: &str = "machine A { init S: send B ping -> W  W: recv pong -> S }
                    machine B { init S: recv ping -> T  T: send A pong -> S }";
const DEAD: &str = "machine A { init S: send B ping -> W  W: recv pong -> S }
                    machine B { init S: recv ping -> T  T: recv ping -> S }";

fn model(text: &str) -> Model {
    qp_load::load_bytes("m.cfsm", text.as_bytes()).0.expect("it is a model")
}

fn stagings() -> impl Iterator<Item = Staging> {
    (0..16).map(|bits: u32| Staging {
        local: bits & 1 == 1,
        watched: bits & 2 == 2,
        assumed: (bits & 4 == 4).then_some(3),
        idles: bits & 8 == 8,
    })
}

#[test]
fn what_is_proved_of_a_model_is_proved_of_its_players() {
    for staging in stagings() {
        let played = Staged::new(&model(PING), staging).model();
        let judged = judge(&played, &[Property::Deadlock, Property::Bounded], 3).unwrap();
        assert_eq!(judged.counts, count(&played), "{staging:?}");
        for (property, word) in &judged.words {
            assert_eq!(word, "proved", "{property:?} {staging:?}");
        }
    }
}

/// Creating two machines, telling both to go, two receptions, a ping sent and taken: eight steps, and one
/// more where it is announced. A machine that also idles is never dead.
#[test]
fn a_deadlock_of_a_model_is_one_of_its_players() {
    for staging in stagings() {
        let played = Staged::new(&model(DEAD), staging).model();
        let judged = judge(&played, &[Property::Deadlock], 3).unwrap();
        let expected = match staging {
            Staging { idles: true, .. } => "proved",
            Staging { watched: true, .. } => "violated in 9",
            _ => "violated in 8",
        };
        assert_eq!(judged.words[0].1, expected, "{staging:?}");
    }
}

/// Nobody listens: the fourth message finds a mailbox with three, and who sends it fails.
#[test]
fn a_send_that_is_assumed_away_fails_instead() {
    let deaf = "machine A { init S: send B ping -> S }  machine B { init S: recv pong -> S }";
    for local in [false, true] {
        let staging = Staging { local, assumed: Some(3), ..Staging::default() };
        let played = Staged::new(&model(deaf), staging).model();
        let judged = judge(&played, &[Property::Assert], 4).unwrap();
        // Two created, one told to go and going, three pings, and the failure.
        assert_eq!(judged.words[0].1, "violated in 8", "local: {local}");
    }
}
