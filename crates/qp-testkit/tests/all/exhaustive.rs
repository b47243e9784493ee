//! All tiny systems against the reference interpreter.

use qp_testkit::compare::{Compared, compare};
use qp_testkit::net::Sharing;
use qp_testkit::tiny;

/// Compares every `stride`-th system; returns how many there are, how many of them were compared, and how
/// many configurations those have.
fn compare_all(sharing: Sharing, stride: usize) -> (usize, usize, usize) {
    let all = [tiny::choices(0), tiny::choices(1)];
    let systems = (0..all[0].len()).flat_map(|a| (0..all[1].len()).map(move |b| [a, b]));
    let (mut n_least, mut n_compared, mut n_configurations) = (0, 0, 0);
    for choices in systems.filter(|&choices| tiny::is_least(choices, &all)) {
        n_least += 1;
        if n_least % stride != 0 {
            continue;
        }
        let net = tiny::net(sharing, [&all[0][choices[0]], &all[1][choices[1]]]);
        match compare(&net, 2, 10_000) {
            Ok(Compared::Agrees(size)) => n_configurations += size,
            Ok(Compared::TooLarge) => panic!("a tiny system is not large"),
            Err(problem) => panic!("{problem}\n{}", net.text()),
        }
        n_compared += 1;
    }
    (n_least, n_compared, n_configurations)
}

#[test]
fn every_tiny_system_between_pairs() {
    let (n_least, n_compared, n_configurations) = compare_all(Sharing::Pairs, 1);
    println!("{n_compared} systems, {n_configurations} configurations");
    // 44,521 systems, of which up to four differ only in names.
    assert!(n_least > 44_521 / 4 && n_compared == n_least, "{n_least}");
}

#[test]
fn tiny_systems_with_mailboxes() {
    let (_, n_compared, n_configurations) = compare_all(Sharing::Mailbox, 7);
    assert!(n_compared > 1_000 && n_configurations > 3 * n_compared);
}

#[test]
fn tiny_systems_with_channels() {
    let (_, n_compared, n_configurations) = compare_all(Sharing::Channels, 13);
    assert!(n_compared > 500 && n_configurations > 3 * n_compared);
}
