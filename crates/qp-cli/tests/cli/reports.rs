//! Reports for other programs, and those programs where they are installed.

use std::process::Command;

use crate::place::{PROVED, VIOLATED, with_samples};

#[test]
fn several_reports_of_one_run() {
    let place = with_samples("reports");
    let files = ["r.json", "r.sarif", "r.xml", "r.md"];
    let outputs = files.iter().flat_map(|file| ["--output", file]);
    let words: Vec<&str> = ["check", VIOLATED, PROVED].into_iter().chain(outputs).collect();
    let ended = place.expect(1, &words);
    assert!(ended.out.contains("violated") && ended.out.contains("proved"), "{}", ended.out);
    assert!(place.read("r.json").contains("\"schema\": \"queueproof.reports/1\""));
    let sarif: serde_json::Value = serde_json::from_str(&place.read("r.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let flow = &sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(flow.as_array().is_some_and(|steps| steps.len() > 2), "{sarif}");
    assert!(place.read("r.xml").contains("<failure type=\"QP1001\""));
    assert!(place.read("r.md").contains("```mermaid"));

    // What reads such files, where it is installed.
    let junit = "from junitparser import JUnitXml; x = JUnitXml.fromfile('r.xml'); \
                 assert x.failures == 4 and len(list(x)) == 2, (x.failures, list(x))";
    let loader = "from sarif import loader; f = loader.load_sarif_file('r.sarif'); \
                  c = f.get_report().get_issue_count_for_severity('error'); assert c == 4, c";
    for (module, script) in [("junitparser", junit), ("sarif", loader)] {
        let python = |script: &str| {
            let mut command = Command::new("python3");
            command.args(["-c", script]).current_dir(place.path()).output()
        };
        if python(&format!("import {module}")).is_ok_and(|it| it.status.success()) {
            let read = python(script).unwrap();
            assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        }
    }
}

#[test]
fn a_report_whose_form_is_not_known_is_refused_before_anything_is_checked() {
    let place = with_samples("odd_report");
    let ended = place.expect(64, &["check", VIOLATED, "--output", "report.pdf"]);
    assert!(ended.err.contains(".sarif, .xml, .md"), "{}", ended.err);
    assert_eq!(ended.out, "");
    let ended = place.expect(64, &["check", VIOLATED, "--format", "yaml"]);
    assert!(ended.err.contains("possible values: text, json, sarif"), "{}", ended.err);
}

#[test]
fn what_cannot_be_read_is_in_every_report() {
    let place = with_samples("report_of_nothing");
    place.file("wrong.cfsm", "machine");
    for (format, says) in [
        ("github", "::error file=wrong.cfsm,line=1"),
        ("junit", "errors=\"1\""),
        ("sarif", "\"ruleId\": \"QP"),
        ("markdown", "| `wrong.cfsm` | refused |"),
    ] {
        let ended = place.expect(3, &["check", "wrong.cfsm", "--format", format]);
        assert!(ended.out.contains(says), "{format}: {}", ended.out);
    }
}
