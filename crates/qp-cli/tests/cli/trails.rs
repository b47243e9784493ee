//! Runs that SPIN's simulator follows.

use std::process::Command;

use crate::compare::compiler;
use crate::place::{Place, VIOLATED, repository};

/// What SPIN's simulator says when it follows a trail.
fn follow(place: &Place, trail: &str, model: &str) -> Option<String> {
    compiler()?;
    let template = place.command(&[]);
    let mut spin = Command::new("spin");
    spin.args(["-t", "-p", "-k", trail, model]).current_dir(template.get_current_dir().unwrap());
    let output = spin.output().unwrap();
    Some(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_failing_assertion_is_met_again_in_spin() {
    let place = Place::new("trail_assert");
    place.file(
        "m.pml",
        "chan q = [1] of { byte }; byte n;
         active proctype A() { q!1; atomic { q!2; n++ }; d_step { n++; n = n + 1 } }
         active proctype B() { byte x; q?x; q?x; n == 3; assert(x != 2) }",
    );
    place.expect(1, &["check", "m.pml", "--property", "assert"]);
    let trace = ".queueproof/m.pml/traces/assert.json";
    place.expect(0, &["trace", trace, "--to", "spin", "-o", "a.trail"]);
    place.expect(1, &["replay", trace, "--trail", "b.trail"]);
    let trail = place.read("a.trail");
    assert_eq!(trail, place.read("b.trail"));
    assert_eq!(trail, place.read(".queueproof/m.pml/traces/assert.trail"));
    assert!(trail.starts_with("1:"), "{trail}");
    let Some(said) = follow(&place, "a.trail", "m.pml") else { return };
    assert!(said.contains("text of failed assertion: assert((x!=2))"), "{said}");
    assert!(!said.contains("transition failed"), "{said}");
}

#[test]
fn a_deadlock_is_met_again_in_spin() {
    let place = Place::new("trail_deadlock");
    place.copy("corpus/promela/dining.pml");
    place.expect(1, &["check", "corpus/promela/dining.pml", "--property", "deadlock"]);
    let trail = ".queueproof/corpus/promela/dining.pml/traces/deadlock.trail";
    let steps = place.read(trail).lines().count();
    let Some(said) = follow(&place, trail, "corpus/promela/dining.pml") else { return };
    assert!(said.contains(&format!("spin: trail ends after {steps} steps")), "{said}");
}

/// Every violation of a state in the models of the corpus that have one on purpose.
#[test]
fn violations_of_the_corpus_are_met_again_in_spin() {
    let place = Place::new("trail_corpus");
    let mut followed = 0;
    for entry in std::fs::read_dir(repository().join("corpus/promela")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with("_bug.pml") {
            continue;
        }
        let model = format!("corpus/promela/{name}");
        place.copy(&model);
        place.run(&["check", &model, "--property", "assert", "--property", "deadlock"]);
        for kind in ["assert", "deadlock"] {
            let trail = format!(".queueproof/{model}/traces/{kind}.trail");
            if !place.has(&trail) {
                continue;
            }
            let steps = place.read(&trail).lines().count();
            let Some(said) = follow(&place, &trail, &model) else { return };
            let ends = format!("spin: trail ends after {steps} steps");
            assert!(said.contains(&ends), "{trail}: {said}");
            let failed = said.contains("text of failed assertion");
            assert_eq!(failed, kind == "assert", "{trail}: {said}");
            followed += 1;
        }
    }
    assert!(followed >= 10, "only {followed} trails were followed");
}

#[test]
fn other_models_have_no_trails() {
    let place = Place::new("trail_none");
    place.copy(VIOLATED);
    place.expect(1, &["check", VIOLATED]);
    let trace = ".queueproof/corpus/cfsm/cancel_race.cfsm/traces/unhandled.json";
    let ended = place.expect(64, &["trace", trace, "--to", "spin"]);
    assert!(ended.err.contains("Promela"), "{}", ended.err);
}
