//! `cargo xtask`: the automation of the project.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

use xtask::bench::{emit, families};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let a: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let k: usize = a[1].parse().expect("bound");
    let network = families::build(a[0], &a[2..]).expect("network");
    if k == 0 {
        print!("{}", emit::cfsm(&network))
    } else {
        print!("{}", emit::promela(&network, k))
    }
}
