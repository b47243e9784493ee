//! Tables, texts of codes, and completion scripts.

use crate::place::{Place, repository};

#[test]
fn bench_writes_three_formats() {
    let place = Place::with_corpus("bench");
    let limits = ["--max-bound", "2", "--steps", "2000"];
    let run = |format: &[&str]| {
        let words = [&["bench", "corpus/scm", "corpus/fsa"][..], &limits, format].concat();
        place.expect(0, &words).out
    };
    let (text, markdown) = (run(&[]), run(&["--format", "markdown"]));
    let csv = run(&["--format", "csv"]);
    for table in [&text, &markdown, &csv] {
        for model in ["corpus/scm/commit.scm", "corpus/fsa/commit.fsa"] {
            assert!(table.contains(model), "{table}");
        }
    }
    assert!(markdown.lines().all(|line| line.starts_with("| ") && line.ends_with(" |")));
    let columns = "model,machines,queues,k,states,transitions,proved,violated,unknown,time";
    assert_eq!(csv.lines().next(), Some(columns));
    assert_eq!(csv.lines().count(), text.lines().count() - 1, "text has a line of dashes");
    place.file("wrong.cfsm", "machine");
    let ended = place.expect(3, &["bench", "corpus/scm", "wrong.cfsm"]);
    assert!(ended.out.contains("corpus/scm/commit.scm"), "{}", ended.out);
}

#[test]
fn every_code_is_listed_and_explained() {
    let place = Place::new("explain");
    let list = place.expect(0, &["explain"]).out;
    let mut n_codes = 0;
    for entry in std::fs::read_dir(repository().join("docs/errors")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(code) = name.strip_suffix(".md").filter(|name| name.starts_with("QP")) else {
            continue;
        };
        assert!(list.contains(code), "{code} is not listed");
        let page = std::fs::read_to_string(repository().join("docs/errors").join(&name)).unwrap();
        assert_eq!(place.expect(0, &["explain", code]).out, page, "{code}");
        n_codes += 1;
    }
    assert!(n_codes > 20);
}

#[test]
fn completions_know_the_commands() {
    let place = Place::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = place.expect(0, &["completions", shell]).out;
        for word in ["check", "bounds", "explore", "max-bound"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new("man");
    place.expect(0, &["man", "."]);
    for (page, word) in [("queueproof.1", "completions"), ("queueproof-check.1", "max\\-bound")] {
        assert!(place.read(page).contains(word), "{page}: {word}");
    }
    place.expect(64, &["man", "no/such/folder"]);
}
