//! Seeded random systems against the reference interpreter and against their twins.

use qp_testkit::compare::Compared;
use qp_testkit::fuzz;

#[test]
fn agrees_with_the_reference_on_random_systems() {
    let (mut n_compared, mut n_large, mut n_configurations) = (0, 0, 0);
    for seed in 0..800 {
        match fuzz::try_seed(seed) {
            Ok(Compared::Agrees(size)) => {
                n_compared += 1;
                n_configurations += size;
            }
            Ok(Compared::TooLarge) => n_large += 1,
            Err(problem) => panic!("{problem}"),
        }
    }
    println!("{n_compared} systems, {n_configurations} configurations, {n_large} too large");
    assert!(n_compared > 700);
}
