//! `compare spin`. What needs SPIN is tested where it is installed.

use std::process::Command;

use crate::place::{PROVED, Place};

/// A compiler that is there beside SPIN, the fastest first.
pub(crate) fn compiler() -> Option<&'static str> {
    let runs = |program: &str, option: &str| Command::new(program).arg(option).output().is_ok();
    let compiler = ["tcc", "gcc", "cc"].into_iter().find(|it| runs(it, "-v"))?;
    runs("spin", "-V").then_some(compiler)
}

fn spin(place: &Place, code: i32, words: &[&str]) -> Option<String> {
    let compiler = compiler()?;
    let words = [&["compare", "spin"][..], words, &["--compiler", compiler]].concat();
    Some(place.expect(code, &words).out)
}

#[test]
fn without_spin_it_says_how_to_get_it() {
    let place = Place::new("compare_missing");
    place.file("a.pml", "init { skip }");
    let mut command = place.command(&["compare", "spin", "a.pml"]);
    let ended = command.env("PATH", "/nowhere").output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("spin is not on the PATH") && said.contains("install"), "{said}");
}

#[test]
fn only_promela_models_can_be_compared() {
    let place = Place::new("compare_other");
    place.copy(PROVED);
    place.file("wrong.pml", "init { x = }");
    let ended = place.expect(64, &["compare", "spin", PROVED]);
    assert!(ended.err.contains("SPIN reads Promela models only"), "{}", ended.err);
    place.expect(3, &["compare", "spin", "wrong.pml"]);
}

#[test]
fn equal_answers_give_zero() {
    let place = Place::new("compare_same");
    place.copy("corpus/promela/dining.pml");
    let Some(out) = spin(&place, 0, &["corpus/promela/dining.pml"]) else { return };
    let line = |name: &str| -> Vec<String> {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line[name.len()..].split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(line("deadlock"), ["violated", "violated", "violated"], "{out}");
    assert_eq!(line("stored states")[..2], ["13", "13"], "{out}");
    assert!(out.contains("the same: every verdict, and the number of states"), "{out}");
    // Nothing is left behind.
    assert!(!place.has("pan.c") && !place.has("pan") && !place.has(".queueproof"));
}

#[test]
fn nothing_is_called_the_same_that_is_not() {
    let place = Place::new("compare_failing");
    let text = "byte x; active proctype P() { x = 1; assert(x == 0); x = 2; x = 3 }";
    place.file("a.pml", text);
    let Some(out) = spin(&place, 0, &["a.pml"]) else { return };
    assert!(out.contains("\nthe same: every verdict\n"), "{out}");
    assert!(out.contains("is not compared (2 states here, 6 in SPIN)"), "{out}");
}

#[test]
fn includes_and_macros_reach_spin() {
    let place = Place::new("compare_include");
    place.file("m/main.pml", "#include \"../inc/x.h\"\nbyte b = N;\ninit { assert(b < 3); X }");
    place.file("inc/x.h", "#define X b++; b++\n");
    let words = ["m/main.pml", "-D", "N=(1 + 1)", "--format", "json"];
    let Some(out) = spin(&place, 0, &words) else { return };
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["schema"], "queueproof.comparison/1");
    assert_eq!(json["outcome"], "same");
    assert_eq!(json["runs"][0]["states"], json["runs"][1]["states"]);
    assert_eq!(json["model"]["options"][0], "-D");
    let out = spin(&place, 0, &["m/main.pml", "-D", "N=3"]).unwrap();
    assert!(out.lines().any(|line| line.starts_with("assert") && line.contains("violated")));
}

#[test]
fn a_search_that_is_stopped_is_not_compared() {
    let place = Place::new("compare_stopped");
    let text = "byte a[8]; active [6] proctype P() {
        do :: a[_pid]++ :: a[_pid] > 3 -> a[_pid] = a[(_pid + 1) % 6] od }";
    place.file("big.pml", text);
    let words = ["big.pml", "--time", "1s"];
    let start = std::time::Instant::now();
    let Some(out) = spin(&place, 2, &words) else { return };
    assert!(start.elapsed().as_secs() < 60, "it took {:?}", start.elapsed());
    assert!(out.contains("not compared: "), "{out}");
}

#[test]
fn a_model_that_spin_refuses_is_not_compared() {
    let place = Place::new("compare_refused");
    // SPIN verifies no step that is always possible and leads nowhere.
    place.file("a.pml", "init { l: if :: true -> goto l :: true -> skip fi }");
    let Some(out) = spin(&place, 2, &["a.pml"]) else { return };
    assert!(out.contains("not compared: assert: SPIN has no answer"), "{out}");
}
