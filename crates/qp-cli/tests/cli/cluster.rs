//! `explore --processes` and `explore --hosts`.

use crate::place::{GROWING, with_samples};

#[cfg(not(feature = "distributed"))]
#[test]
fn other_builds_say_how_to_build_with_it() {
    let place = with_samples("cluster_absent");
    for words in [&["--processes", "2"][..], &["--hosts", "hosts", "--process", "0"]] {
        let ended = place.expect(64, &[&["explore", GROWING], words].concat());
        assert!(ended.err.contains("--features distributed"), "{}", ended.err);
    }
}

#[test]
fn the_options_belong_together() {
    let place = with_samples("cluster_options");
    place.expect(64, &["explore", GROWING, "--hosts", "hosts"]);
    place.expect(64, &["explore", GROWING, "--process", "1"]);
    place.expect(64, &["explore", GROWING, "--processes", "0"]);
    place.expect(64, &["explore", GROWING, "--processes", "2", "--hosts", "h", "--process", "0"]);
}

#[cfg(feature = "distributed")]
mod with_it {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use super::*;
    use crate::place::Ended;

    /// The table of configurations and the verdicts, without anything that may differ.
    fn essence(text: &str) -> Vec<String> {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut found = vec![json["engines"][0]["bounds"].to_string()];
        for property in json["properties"].as_array().unwrap() {
            let length = property["trace"]["choices"].as_array().map(Vec::len);
            found.push(format!("{} {} {length:?}", property["id"], property["verdict"]));
        }
        found
    }

    #[test]
    fn several_processes_report_what_one_reports() {
        let place = with_samples("cluster_same");
        for model in ["cfsm/german.cfsm", "cfsm/cancel_race.cfsm", "promela/dining.pml"] {
            let path = format!("corpus/{model}");
            place.copy(&path);
            let words = ["explore", &path, "--bound", "3", "--all-errors", "--format", "json"];
            let alone = place.run(&words);
            let together = place.run(&[&words[..], &["--processes", "2"]].concat());
            assert_eq!(together.code, alone.code, "{model}: {}", together.err);
            assert_eq!(essence(&together.out), essence(&alone.out), "{model}");
            assert!(together.out.contains("\"processes\": 2"), "{}", together.out);
        }
    }

    #[test]
    fn a_wrong_list_is_refused_with_the_place() {
        let place = with_samples("cluster_hosts");
        place.file("hosts", "127.0.0.1:2101\n10.0.0.7:2101\n");
        let ended = place.expect(3, &["explore", GROWING, "--hosts", "hosts", "--process", "0"]);
        assert!(ended.err.contains("QP0401") && ended.err.contains("hosts:2"), "{}", ended.err);
        place.file("hosts", "127.0.0.1:2101\n127.0.0.1:2102\n");
        let ended = place.expect(64, &["explore", GROWING, "--hosts", "hosts", "--process", "2"]);
        assert!(ended.err.contains("numbered from 0 to 1"), "{}", ended.err);
    }

    #[test]
    fn a_lost_process_leaves_what_was_counted() {
        let place = with_samples("cluster_lost");
        let addresses = queueproof::free_addresses(2).unwrap();
        place.file("hosts", addresses.join("\n"));
        let words = ["explore", GROWING, "--bound", "60", "--all-errors", "--hosts", "hosts"];
        let more =
            ["--steps", "1000000000000", "--time", "none", "--progress", "lines", "--process"];
        let start = |process: &str| {
            let mut command = place.command(&[&words[..], &more, &[process]].concat());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let (mut first, mut second) = (start("0"), start("1"));
        let mut line = String::new();
        let mut progress = BufReader::new(first.stderr.as_mut().unwrap());
        while !line.contains("configurations") {
            line.clear();
            assert!(progress.read_line(&mut line).unwrap() > 0);
        }
        std::thread::sleep(std::time::Duration::from_secs(2));
        second.kill().unwrap();
        second.wait().unwrap();
        let ended: Ended = first.wait_with_output().unwrap().into();
        assert!(
            matches!(ended.code, Some(1 | 2)),
            "{:?}\n{}\n{}",
            ended.code,
            ended.out,
            ended.err
        );
        assert!(ended.err.contains("another process of the cluster was lost"), "{}", ended.err);
        assert!(ended.out.contains("a process was lost"), "{}", ended.out);
        assert!(ended.out.contains("queue length"), "{}", ended.out);
    }
}
