//! Very large nonsense is refused like small nonsense.

use crate::place::Place;

const LENGTH: usize = 100_000_000;

#[test]
fn a_hundred_megabytes_of_random_bytes() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let bytes: Vec<u8> = (0..LENGTH / 8).flat_map(|_| next().to_le_bytes()).collect();
    refused("random", "noise.cfsm", &bytes, "QP0114");
}

#[test]
fn a_hundred_megabytes_of_beginnings() {
    let text = "machine A {".repeat(LENGTH / 11);
    refused("beginnings", "begin.cfsm", text.as_bytes(), "QP0119");
}

#[test]
fn a_hundred_megabytes_of_open_parentheses() {
    let text = format!("machine A {{ init S: }} bad b: queue A matches {}", "(".repeat(LENGTH));
    refused("parentheses", "deep.cfsm", text.as_bytes(), "QP0103");
}

fn refused(name: &str, file: &str, content: &[u8], code: &str) {
    let place = Place::new(name);
    place.file(file, content);
    let ended = place.expect(3, &["check", file, "--input-max", "200MiB"]);
    assert!(ended.out.is_empty());
    assert!(ended.err.contains(code), "{}", ended.err.chars().take(3000).collect::<String>());
    assert!(ended.err.len() < 100_000, "the message is {} bytes long", ended.err.len());
    // A hundred megabytes are not left behind.
    place.file(file, "");
}
