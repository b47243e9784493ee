//! What the documentation shows is what the binary prints.

use crate::place::{Ended, Place, repository};

/// Runs every `console` block of a page whose first line is `$ queueproof ...` and compares the output.
///
/// The commands of one page run one after the other in one folder that has a copy of `corpus/`. A line
/// `...` stands for any lines. Blocks with characters outside ASCII run in a UTF-8 locale.
fn check_page(page: &str, name: &str) -> usize {
    let Ok(text) = std::fs::read_to_string(repository().join(page)) else { return 0 };
    let place = Place::with_corpus(name);
    let blocks = console_blocks(&text);
    for (command, expected) in &blocks {
        let ended = shell(&place, command, expected.iter().all(|line| line.is_ascii()));
        let found = format!("{}{}", ended.err, ended.out);
        let found: Vec<String> = found.lines().map(normal).collect();
        let expected: Vec<String> = expected.iter().map(|line| normal(line)).collect();
        assert!(
            matches(&expected, &found),
            "{page}: `{command}` prints something else:\n{}\n\nthe page says:\n{}\n",
            found.join("\n"),
            expected.join("\n"),
        );
    }
    blocks.len()
}

fn shell(place: &Place, command: &str, ascii: bool) -> Ended {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_queueproof")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let template = place.command(&[]);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(command).current_dir(template.get_current_dir().unwrap());
    for (name, value) in template.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("LC_ALL", if ascii { "C" } else { "C.UTF-8" });
    shell.env("PATH", format!("{}:{path}", folder.display()));
    shell.output().unwrap().into()
}

/// The command and the shown output of each block.
fn console_blocks(text: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "```console" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let Some(command) = block.first().and_then(|first| first.strip_prefix("$ ")) else {
            continue;
        };
        if command.starts_with("queueproof ") {
            let shown = block[1..].iter().map(|&line| line.to_owned()).collect();
            blocks.push((command.to_owned(), shown));
        }
    }
    blocks
}

/// A line without what changes from run to run: times, and the spaces that make room for them.
fn normal(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let is_time = |pair: &[&str]| matches!(pair, [number, "ms" | "s"] if number.chars().all(|c| c.is_ascii_digit() || c == '.'));
    let Some(at) = words.windows(2).position(is_time) else { return line.trim_end().to_owned() };
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    words.splice(at..at + 2, ["N".to_owned()]);
    words.join(" ")
}

/// A text without times, for comparing two runs.
pub(crate) fn without_times(text: &str) -> String {
    text.lines().map(normal).collect::<Vec<_>>().join("\n")
}

/// Whether lines match, where a line `...` stands for any lines.
fn matches(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        Some((line, rest)) => {
            found.first().is_some_and(|first| first == line) && matches(rest, &found[1..])
        }
    }
}

#[test]
fn readme() {
    check_page("README.md", "page_readme");
}

#[test]
fn getting_started() {
    assert!(check_page("docs/manual/getting-started.md", "page_getting_started") >= 6);
}

#[test]
fn coming_from_p() {
    assert!(check_page("docs/manual/p.md", "page_coming_from_p") >= 2);
}

/// The page of commands has a section for each command, and mentions each option.
#[test]
fn commands() {
    let place = Place::new("page_commands");
    let page = std::fs::read_to_string(repository().join("docs/manual/commands.md")).unwrap();
    let sections: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`')).collect();
    let help = place.expect(0, &["--help"]).out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(sections, listed, "docs/manual/commands.md and --help list the same commands");
    for command in listed.into_iter().chain(["cert verify"]) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = place.expect(0, &words).out;
        let options = help.split(|c: char| !c.is_ascii_lowercase() && c != '-');
        for option in options.filter(|word| word.starts_with("--") && word.len() > 2) {
            assert!(page.contains(&format!("`{option}")), "commands.md: {command} {option}");
        }
    }
}

#[test]
fn lines_of_dots_stand_for_any_lines() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a ... d"), &lines("a b c d")));
    assert!(matches(&lines("a ..."), &lines("a")));
    assert!(!matches(&lines("a ... d"), &lines("a b c")));
    assert!(!matches(&lines("a b"), &lines("a")));
    assert_eq!(normal("  proved  x    12 ms"), normal("  proved  x     1.0 s"));
}
