//! Guarded commands of machines against moves and receptions, which say the same for programs that have them.

use std::collections::BTreeSet;

use qp_machines::{
    Commands, Config, Effect, Guard, LocalId, MachineId, MessageId, Model, Move, Place, QueueId,
    Reception, Sending, System,
};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;

/// How many local states were compared, and how many are beyond commands.
#[derive(Default, Debug)]
struct Tally {
    commands: usize,
    beyond: usize,
    heard: usize,
}

/// Some configurations that are reached while queues are short.
fn reached(system: &mut System, most: usize) -> Vec<Config> {
    let mut all = vec![system.initial()];
    let mut seen: BTreeSet<Config> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() && all.len() < most {
        for outcome in system.successors(&all[next].clone()) {
            let words = &outcome.config.words;
            let short = words.iter().all(|&word| system.words().len(word) < 3);
            if short && seen.insert(outcome.config.clone()) {
                all.push(outcome.config);
            }
        }
        next += 1;
    }
    all
}

/// What moves come to, read one by one; `None` where they ask or do more.
fn plain(moves: &[Move]) -> Option<Commands> {
    let mut found = Commands::default();
    for mv in moves {
        if !mv.guards.is_empty() || mv.store.is_some() || mv.announce.is_some() || mv.hold {
            return None;
        }
        match mv.effect {
            Effect::Internal => found.internals.push(mv.next),
            Effect::Send { queue, message, place: Place::Back } => {
                found.sends.push(Sending { queue, message, next: mv.next });
            }
            Effect::Receive { queue, .. } => found.listens.push(queue),
            Effect::Fail { failure } => found.fails.push(failure),
            Effect::Spawn { .. } => found.creates = true,
            Effect::Send { place: Place::Sorted, .. }
            | Effect::Exit { .. }
            | Effect::Close { .. }
            | Effect::GiveUp { .. } => return None,
        }
    }
    found.listens.sort_unstable();
    found.listens.dedup();
    Some(found)
}

/// Where a machine goes with a message at the front of a queue, and whether it may skip it.
fn heard(
    system: &mut System,
    config: &Config,
    (machine, local): (MachineId, LocalId),
    (queue, message): (QueueId, MessageId),
) -> Option<(Vec<LocalId>, bool)> {
    let (mut takes, mut skips) = (Vec::new(), false);
    for mv in system.moves(machine, local, config.store)?.iter() {
        let Effect::Receive { queue: at, ear } = mv.effect else { continue };
        if at != queue {
            continue;
        }
        match system.program_mut().as_moves()?.reception(machine, local, 0, ear, message) {
            Reception::Take(ways) => {
                if ways.iter().any(|way| way.keep || way.hold || way.store.is_some()) {
                    return None;
                }
                takes.extend(ways.iter().map(|way| way.next));
            }
            Reception::Skip => skips = true,
            Reception::Refuse | Reception::Crash => {}
        }
    }
    Some((takes, skips))
}

fn compare(name: &str, model: &Model, tally: &mut Tally) {
    let mut system = model.system();
    if system.program_mut().as_moves().is_none() {
        return;
    }
    let mut seen = BTreeSet::new();
    let configs = reached(&mut system, 300);
    let held = configs.iter().flat_map(|it| it.words.clone()).collect::<BTreeSet<_>>();
    let messages: BTreeSet<MessageId> =
        held.into_iter().flat_map(|word| system.words().messages(word)).collect();
    for config in &configs {
        for machine in config.machines() {
            let local = config.local(machine);
            if seen.insert((machine, local)) {
                compare_at(name, &mut system, config, machine, &messages, tally);
            }
        }
    }
}

fn compare_at(
    name: &str,
    system: &mut System,
    config: &Config,
    machine: MachineId,
    messages: &BTreeSet<MessageId>,
    tally: &mut Tally,
) {
    let at = (machine, config.local(machine));
    let moves = system.moves(machine, at.1, config.store).expect("it says commands");
    let found = system.commands(config, machine, at.1);
    let limited = config.queues().all(|queue| system.is_limited(config, queue).is_ok());
    let Some(expected) = plain(&moves).filter(|_| limited) else {
        let asks = |guard: &Guard| matches!(guard, Guard::Holds(..) | Guard::HoldsNot(..));
        let odd = moves.iter().any(|mv| mv.guards.iter().any(asks));
        assert!(!odd || found.is_err(), "{name}: {moves:?} are {found:?}");
        tally.beyond += 1;
        return;
    };
    assert_eq!(found.as_ref(), Ok(&expected), "{name}: {at:?} {moves:?}");
    tally.commands += 1;
    for &queue in &expected.listens {
        for &message in messages {
            let Some((takes, skips)) = heard(system, config, at, (queue, message)) else {
                continue;
            };
            let found = system.hearing(config, at, (queue, message)).expect("it is plain");
            assert_eq!((found.takes, found.skips), (takes, skips), "{name}: {at:?} {message:?}");
            tally.heard += 1;
        }
    }
}

#[test]
fn commands_are_what_moves_say_in_the_corpus() {
    let mut tally = Tally::default();
    for case in cases().into_iter().flatten() {
        compare(&case.name, &case.loaded.model, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.commands > 2_000 && tally.heard > 2_000, "{tally:?}");
}

#[test]
fn commands_are_what_moves_say_in_random_systems() {
    let mut tally = Tally::default();
    for seed in 0..1_500 {
        let net = make::net(seed);
        if let Ok(loaded) = loaded(&net) {
            compare(&format!("seed {seed}\n{}", net.text()), &loaded.model, &mut tally);
        }
        compare(&format!("lazy {seed}"), &Lazy::new(seed).model(), &mut tally);
        compare(&format!("crowd {seed}"), &Crowd::new(seed, seed % 2 == 0).model(), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.commands > 10_000 && tally.beyond > 1_000, "{tally:?}");
}
