//! Configurations are the same when they arrive, in a process that numbers everything otherwise.

use qp_engines::{Stepper, Steps};
use qp_machines::{Config, Model, WordId};

use super::*;
use crate::bytes::Garbled;
use crate::prints::Prints;
use crate::rows::trimmed;

/// What a configuration says, without any number of a process.
fn described(stepper: &mut Stepper, row: &[u32]) -> String {
    let config: Config = stepper.config(row);
    let system = stepper.system();
    let program = system.program();
    let locals =
        config.machines().map(|machine| program.local_text(machine, config.local(machine)));
    let content = |&word: &WordId| -> Vec<String> {
        let messages = system.words().messages(word).into_iter();
        messages.map(|message| program.message_text(message)).collect()
    };
    let closed = config.words.iter().map(|&word| word == WordId::CLOSED);
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        locals.collect::<Vec<String>>(),
        config.words.iter().map(content).collect::<Vec<Vec<String>>>(),
        closed.collect::<Vec<bool>>(),
        config.kinds,
        system.store_text(config.store),
        config.holder
    )
}

/// Sends configurations of a model, as far as a search gets, in packets of several sizes. The receiver has met
/// others before, so that its numbers differ.
fn travels(model: &Model) {
    let (mut here, mut there) = (Stepper::new(model, &[]), Stepper::new(model, &[]));
    let met = reached(&mut here, 300, false);
    reached(&mut there, 20, true);
    let (mut prints, mut prints_there) = (Prints::default(), Prints::default());
    prints.learn(&mut here);
    let (mut writer, mut reader) = (Writer::new(2), Reader::default());
    let mut sent = Vec::new();
    for (number, row) in met.iter().enumerate() {
        let origin = Origin { print: 7, worker: 3, place: 1000 + number as u32 };
        writer.state(&mut here, 1, row, origin);
        sent.push((described(&mut here, row), prints.of(row), origin));
        if number % 7 != 0 && number + 1 < met.len() {
            continue;
        }
        let packet = writer.take(1).expect("something was written");
        let read = reader.read(&mut there, 3, &packet).expect("it can be read");
        prints_there.learn(&mut there);
        let mut arrived = Vec::new();
        for (row, origin) in read.rows() {
            assert!(prints_there.is_sound(row));
            arrived.push((described(&mut there, row), prints_there.of(row), origin));
        }
        assert_eq!(arrived, sent);
        sent.clear();
    }
    assert_eq!((writer.take(0), writer.take(1)), (None, None), "nothing is left");
}

/// Configurations in the order of a search; `backwards` takes steps in the opposite order.
fn reached(stepper: &mut Stepper, n: usize, backwards: bool) -> Vec<Vec<u32>> {
    let (mut met, mut steps) = (vec![Vec::new()], Steps::default());
    let mut next = 0;
    while next < met.len() && met.len() < n {
        let row: Vec<u32> = met[next].clone();
        stepper.expand([&row[..]].into_iter(), (5, 0), &mut steps).expect("keys are wide enough");
        let after = steps.rows.chunks_exact(steps.width).map(|row| trimmed(row).to_vec());
        let mut after: Vec<Vec<u32>> = after.collect();
        if backwards {
            after.reverse();
        }
        for row in after {
            if !met.contains(&row) {
                met.push(row);
            }
        }
        next += 1;
    }
    met
}

/// A step changes the fingerprint by what the changed parts say.
#[test]
fn fingerprints_follow_steps() {
    let mut stepper = Stepper::new(&corpus("p/german_1.p"), &[]);
    let (mut prints, mut steps) = (Prints::default(), Steps::default());
    for row in reached(&mut stepper, 100, false) {
        stepper.expand([&row[..]].into_iter(), (5, 0), &mut steps).expect("keys are wide enough");
        prints.learn(&mut stepper);
        for after in steps.rows.chunks_exact(steps.width) {
            assert_eq!(prints.after(prints.of(&row), &row, after), prints.of(trimmed(after)));
        }
    }
}

fn corpus(path: &str) -> Model {
    let path = format!("{}/../../corpus/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("it is in the corpus");
    qp_load::load(&path, &text).0.expect("it is a model")
}

#[test]
fn configurations_of_every_language_arrive_as_they_were_sent() {
    for path in [
        "cfsm/german.cfsm",
        "cfsm/defer_reorder.cfsm",
        "p/german_1.p",
        "p/failure_detector.p",
        "promela/leader_5.pml",
        "promela/children.pml",
        "promela/atomic_blocks.pml",
    ] {
        travels(&corpus(path));
    }
}

/// A random system: three machines with a few states, any sends and receives.
fn random(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let mut text = Vec::new();
    for machine in ["A", "B", "C"] {
        text.push(format!("machine {machine} {{"));
        let n_states = 1 + below(4);
        for number in 0..n_states {
            let init = if number == 0 { "init " } else { "" };
            let mut ways = Vec::new();
            for _ in 0..=below(3) {
                let (message, to) = (["m", "n", "o"][below(3) as usize], below(n_states));
                let other = ["A", "B", "C"][below(3) as usize];
                ways.push(match below(2) {
                    0 => format!("send {other} {message} -> S{to}"),
                    _ => format!("recv {message} -> S{to}"),
                });
            }
            text.push(format!("    {init}S{number}: {}", ways.join(" | ")));
        }
        text.push("}".to_owned());
    }
    text.join("\n")
}

#[test]
fn configurations_of_random_systems_arrive_as_they_were_sent() {
    let mut tried = 0;
    for seed in 1..=40 {
        if let Some(model) = qp_load::load("random.cfsm", &random(seed)).0 {
            travels(&model);
            tried += 1;
        }
    }
    assert!(tried >= 20, "only {tried} were models");
}

#[test]
fn packets_that_are_cut_or_changed_or_out_of_order_are_refused_or_read_without_a_panic() {
    for path in ["cfsm/german.cfsm", "promela/children.pml", "p/german_1.p"] {
        let model = corpus(path);
        let mut here = Stepper::new(&model, &[]);
        let mut writer = Writer::new(1);
        let origin = Origin { print: 0, worker: 0, place: 0 };
        for row in reached(&mut here, 20, false) {
            writer.state(&mut here, 0, &row, origin);
        }
        let packet = writer.take(0).expect("something was written");
        let read = |packet: &[u8]| {
            let (mut there, mut prints) = (Stepper::new(&model, &[]), Prints::default());
            let arrived = Reader::default().read(&mut there, 0, packet)?;
            prints.learn(&mut there);
            for (row, _) in arrived.rows().filter(|(row, _)| prints.is_sound(row)) {
                there.config(row);
            }
            Ok(())
        };
        assert_eq!(read(&packet), Ok(()));
        for at in 0..packet.len() {
            let mut changed = packet.clone();
            changed[at] ^= 0x15;
            let _ = read(&changed);
            let _ = read(&packet[..at]);
        }
        let mut second = packet.clone();
        second[0] = 1;
        assert_eq!(read(&second), Err(Garbled), "the first packet is missing");
    }
}
