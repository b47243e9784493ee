use super::*;
use crate::samples::{PLAIN, assert_fits, mixed_report};

#[test]
fn show() {
    for w in [100, 80, 50] {
        println!("{}", report(&mixed_report(), &Style { width: w, ..PLAIN }));
    }
    println!("{}", report(&mixed_report(), &Style { color: true, unicode: true, ..PLAIN }));
}
