//! Certificates of the corpus, damaged as texts: whatever stands in a file, it is read or refused with a message, and
//! proves nothing that is not true. `QP_SEEDS` says how often each is damaged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use qp_base::{Budget, Limits};
use qp_check::{Referee, Ruling, Verdict};
use qp_claim::{Claim, read_certificate};
use qp_machines::Property;
use qp_testkit::corpus::cases;
use qp_testkit::rng::Rng;
use queueproof::VerdictWord;

/// Larger files are damaged in the same ways as smaller ones, and take longer.
const BYTES_MAX: usize = 20_000;

#[test]
fn damaged_files_prove_nothing_that_is_false() {
    let rounds: usize = std::env::var("QP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(8);
    let mut rng = Rng::new(91);
    let (mut n_files, mut n_damaged, mut n_read, mut n_accepted) = (0, 0, 0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases().into_iter().flatten() {
        let checked = case.check(&[], 2);
        let outline = case.loaded.model.outline();
        let property = |id: &str| Property::from_id(id, outline).expect("the report has it");
        let violated =
            checked.report.properties.iter().filter(|it| it.verdict == VerdictWord::Violated);
        let violated: Vec<Property> = violated.map(|it| property(&it.id)).collect();
        let is_too_short = |property: Property| {
            let Property::Length(queue, n) = property else { return false };
            let name = outline.queues.get(queue).map(|queue| &queue.name);
            let mut queues = checked.report.queues.iter();
            queues.any(|seen| Some(&seen.name) == name && seen.longest_seen > n)
        };
        let certificates = checked.artifacts.iter().filter(|it| it.name.contains("certificate"));
        for artifact in certificates.filter(|it| it.text.len() < BYTES_MAX) {
            n_files += 1;
            let kind = artifact.text.split("\"evidence\":{\"").nth(1).expect("it has evidence");
            *kinds.entry(kind.split('"').next().unwrap_or_default().to_owned()).or_default() += 1;
            for _ in 0..rounds {
                n_damaged += 1;
                let Ok(file) = read_certificate(&damaged(&artifact.text, &mut rng)) else {
                    continue;
                };
                n_read += 1;
                let limits = Limits {
                    time: Some(Duration::from_secs(20)),
                    memory_bytes: 1 << 30,
                    states_max: 1_000_000,
                };
                let budget = Budget::start(limits, Arc::default());
                let mut referee = Referee::new(&case.loaded.model.heeding(&budget), usize::MAX);
                let claim = Claim::Holds(file.proof);
                for id in &file.properties {
                    let Some(property) = Property::from_id(id, outline) else { continue };
                    if referee.check(property, &claim).is_ok() {
                        n_accepted += 1;
                        assert!(!is_too_short(property), "{}: {id}: {claim:?}", case.name);
                    }
                }
                for &property in &violated {
                    let verdict = referee.check(property, &claim);
                    let proved = matches!(
                        verdict.as_ref().map(Verdict::ruling),
                        Ok(Ruling::Proved(_) | Ruling::Searched { .. })
                    );
                    assert!(!proved, "{}: {property:?} is violated: {claim:?}", case.name);
                }
            }
        }
    }
    println!(
        "{n_files} files {kinds:?}, {n_damaged} damaged, {n_read} read, {n_accepted} accepted"
    );
    assert!(kinds.len() > 8 && n_read * 5 > n_damaged, "{kinds:?} {n_read} {n_damaged}");
}

/// A text with one to three changes: a number is another, something is gone, there twice or elsewhere, a byte is
/// another, or the end is missing.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let n = bytes.len();
        if n < 2 {
            break;
        }
        let from = rng.below(n);
        let to = (from + 1 + rng.below(12)).min(n);
        match rng.below(10) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let part = bytes[from..to].to_vec();
                let at = rng.below(n);
                bytes.splice(at..at, part);
            }
            2 => bytes[from] = rng.below(256) as u8,
            3 => bytes.truncate(from.max(n - n.min(20))),
            _ => other_number(&mut bytes, from, rng),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Puts another number in place of the first one behind a place: one near it, or one that is far from everything.
fn other_number(bytes: &mut Vec<u8>, from: usize, rng: &mut Rng) {
    let digit = |at: &usize| bytes.get(*at).is_some_and(u8::is_ascii_digit);
    let Some(first) = (from..bytes.len()).find(digit) else { return };
    let end = (first..bytes.len()).find(|at| !digit(at)).unwrap_or(bytes.len());
    let old: i128 = std::str::from_utf8(&bytes[first..end]).map_or(0, |it| it.parse().unwrap_or(0));
    let new = match rng.below(8) {
        0 => -1,
        1 => i128::from(u32::MAX),
        2 => i128::from(u64::MAX),
        3 | 4 => old - 1,
        5 | 6 => old + 1,
        _ => rng.below(4) as i128,
    };
    bytes.splice(first..end, new.to_string().into_bytes());
}
