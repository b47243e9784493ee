//! Seeded random systems against the reference interpreter.

use qp_testkit::compare::{Compared, compare};
use qp_testkit::make;

#[test]
fn agrees_with_the_reference_on_random_systems() {
    let (mut n_compared, mut n_large, mut n_configurations) = (0, 0, 0);
    for seed in 0..2_000 {
        let net = make::net(seed);
        match compare(&net, 3, 3_000) {
            Ok(Compared::Agrees(size)) => {
                n_compared += 1;
                n_configurations += size;
            }
            Ok(Compared::TooLarge) => n_large += 1,
            Err(problem) => panic!("seed {seed}: {problem}\n{}", net.text()),
        }
    }
    println!("{n_compared} systems, {n_configurations} configurations, {n_large} too large");
    assert!(n_compared > 1_000);
}
