use super::*;
use crate::samples::{self, PLAIN, assert_fits};

#[test]
fn show() {
    for c in [samples::crossing_chart(), samples::loop_chart(), samples::rich_chart()] {
        for s in [
            PLAIN,
            Style { unicode: true, ..PLAIN },
            Style { width: 80, ..PLAIN },
            Style { width: 60, ..PLAIN },
            Style { width: 40, ..PLAIN },
        ] {
            println!("{}", chart(&c, &s));
        }
    }
}
