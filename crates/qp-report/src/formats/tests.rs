use qp_base::{Code, Diagnostic, Source, Span};

use super::*;
use crate::json::ErrorReport;
use crate::samples;

/// A report with a violation and something unknown, a refused model, and a file that is not there.
fn items() -> Vec<Item> {
    let source = Source::new("models/odd name.cfsm", "machine A { init S }\n");
    let refused = Diagnostic::error(Code(101), "`A` is <odd> & \"so\"", Span::new(8..9));
    let refused = refused.help("write\nB");
    let failed = ErrorReport { kind: "unreadable", exit: 3, message: "100% gone: a,b".to_owned() };
    vec![
        Item::Report(Box::new(samples::mixed_report())),
        Item::Refused(source, vec![refused]),
        Item::Failed("gone.cfsm".to_owned(), failed),
    ]
}

#[test]
fn every_format_has_a_name_and_takes_anything() {
    for format in FORMATS {
        assert_eq!(Format::named(format.name).map(|it| it.name), Some(format.name));
        for ending in format.endings {
            assert_eq!(Format::of_ending(ending).map(|it| it.name), Some(format.name));
        }
        assert!(format.written(&items()).ends_with('\n'), "{}", format.name);
        let _ = format.written(&[]);
    }
    assert!(Format::named("yaml").is_none());
}

#[test]
fn annotations_follow_the_documented_grammar() {
    let text = Format::named("github").expect("it exists").written(&items());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    for line in &lines {
        let (command, rest) = line[2..].split_once(' ').expect("a command and its properties");
        assert!(line.starts_with("::") && ["error", "warning"].contains(&command), "{line}");
        let (properties, message) = rest.split_once("::").expect("properties and a message");
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').expect("a name and a value");
            let known = ["file", "line", "endLine", "col", "endColumn", "title"];
            assert!(known.contains(&name) && !value.contains(':'), "{line}");
        }
        assert!(!message.is_empty() && !message.contains('\n'), "{line}");
    }
    assert!(
        text.contains("file=models/odd name.cfsm,line=1,endLine=1,col=9,endColumn=10"),
        "{text}"
    );
    assert!(text.contains("::`A` is <odd> & \"so\"%0Ahelp: write%0AB\n"), "{text}");
    assert!(text.contains("file=gone.cfsm,title=queueproof::100%25 gone: a,b\n"), "{text}");
}

#[test]
fn tests_of_junit_add_up() {
    let text = Format::named("junit").expect("it exists").written(&items());
    let count = |what: &str| text.matches(what).count();
    let head = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        count("<testcase "),
        count("<failure "),
        count("<error "),
        count("<skipped "),
    );
    assert!(text.contains(&format!("<testsuites name=\"queueproof\" {head}")), "{head}\n{text}");
    assert!(count("<failure ") > 0 && count("<error ") > 2 && count("<testsuite ") == 3, "{text}");
    assert!(text.contains("&lt;odd&gt; &amp; &quot;so&quot;"), "{text}");
}

#[test]
fn results_of_sarif_have_rules_places_and_flows() {
    let text = Format::named("sarif").expect("it exists").written(&items());
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let run = &value["runs"][0];
    let (rules, results) = (&run["tool"]["driver"]["rules"], &run["results"]);
    let results = results.as_array().expect("there are results");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("it has a rule") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64().is_some_and(|line| line > 0), "{result}");
        let fail = result["kind"] == "fail";
        assert_eq!(fail, result["level"] != "none", "{result}");
    }
    assert!(results.iter().any(|result| result["codeFlows"].is_array()), "{text}");
    assert!(text.contains("models/odd%20name.cfsm"), "{text}");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

/// Lines that are put before a place do not make a finding another one.
#[test]
fn fingerprints_survive_moved_lines() {
    let prints = |moved: u32| {
        let mut report = samples::mixed_report();
        for location in report.properties.iter_mut().filter_map(|it| it.location.as_mut()) {
            location.line += moved;
            location.end_line += moved;
        }
        let text =
            Format::named("sarif").expect("it exists").written(&[Item::Report(Box::new(report))]);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let results = value["runs"][0]["results"].as_array().expect("there are results").clone();
        results.iter().map(|it| it["partialFingerprints"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(prints(0), prints(7));
    let mut different = prints(0);
    different.dedup();
    assert_eq!(different.len(), prints(0).len());
}

#[test]
fn a_summary_has_a_table_and_runs() {
    let text = Format::named("markdown").expect("it exists").written(&items());
    assert!(text.contains("| model") && text.contains("```mermaid\nsequenceDiagram"), "{text}");
    assert!(text.contains("&lt;odd> &amp;"), "{text}");
}
