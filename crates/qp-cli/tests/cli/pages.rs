//! What the documentation shows is what the binary prints.

use std::path::Path;

use crate::place::{Ended, Place, repository};

/// A block of a page, between two lines of backquotes.
struct Block<'t> {
    /// What stands behind the first backquotes.
    kind: &'t str,
    /// The number of its first line, counted from 0.
    first: usize,
    lines: Vec<&'t str>,
}

/// A command that a page shows, and what it prints.
struct Shown {
    command: String,
    /// The numbers of the lines that it prints, the last excluded.
    lines: std::ops::Range<usize>,
    output: Vec<String>,
}

/// Every page that shows commands: README, CONTRIBUTING, the corpus, the manual, the pages of codes.
fn pages() -> Vec<String> {
    let mut pages =
        ["README.md", "CONTRIBUTING.md", "corpus/README.md"].map(str::to_owned).to_vec();
    for folder in ["docs/manual", "docs/errors"] {
        let entries = std::fs::read_dir(repository().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(
            names
                .filter(|it| Path::new(it).extension().is_some_and(|end| end == "md"))
                .map(|it| format!("{folder}/{it}")),
        );
    }
    pages.sort();
    pages
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|(_, line)| *line != "```");
            let lines = inside.map(|(_, line)| line).collect();
            blocks.push(Block { kind, first: number + 1, lines });
        }
    }
    blocks
}

/// The commands of a `console` block. A line that ends with a backslash goes on in the next.
fn commands_of(block: &Block<'_>) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut goes_on = false;
    for (number, line) in block.lines.iter().enumerate().map(|(n, line)| (block.first + n, line)) {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (_, Some(last)) if goes_on => {
                last.command = format!("{}\n{line}", last.command);
                last.lines = number + 1..number + 1;
            }
            (Some(command), _) => all.push(Shown {
                command: command.to_owned(),
                lines: number + 1..number + 1,
                output: Vec::new(),
            }),
            (None, Some(last)) => {
                last.output.push((*line).to_owned());
                last.lines.end = number + 1;
            }
            (None, None) => {}
        }
        goes_on = line.ends_with('\\') && all.last().is_some_and(|last| last.output.is_empty());
    }
    all
}

/// Runs what a page shows, in one folder and in this order. The folder has the models of `corpus/` that the commands
/// name, and the files that the page shows itself, in blocks marked `file=NAME`. Returns what is wrong, and the
/// page with what the commands print.
fn run_page(page: &str, text: &str) -> (Vec<String>, String) {
    let place = Place::new(&format!("page_{}", page.replace(['/', '.'], "_")));
    for block in blocks(text) {
        if let Some(name) = block.kind.split(' ').find_map(|word| word.strip_prefix("file=")) {
            place.file(name, format!("{}\n", block.lines.join("\n")));
        }
    }
    let (mut problems, mut changes) = (Vec::new(), Vec::new());
    for block in blocks(text) {
        if block.kind == "console" {
            for shown in commands_of(&block) {
                if let Err((problem, printed)) = run_shown(&place, &shown) {
                    problems.push(format!("{page}:{}: {problem}", shown.lines.start));
                    changes.extend(printed.map(|printed| (shown.lines, printed)));
                }
            }
        } else {
            problems.extend(misplaced(page, &block));
        }
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // From the last to the first, so that numbers of lines stay what they are.
    for (range, printed) in changes.into_iter().rev() {
        lines.splice(range, printed);
    }
    (problems, lines.join("\n") + "\n")
}

/// Commands are shown in `console` blocks, where they are run, and nowhere else.
fn misplaced(page: &str, block: &Block<'_>) -> Vec<String> {
    let is_command = |line: &&&str| {
        let words = line.split_once("$ ").map_or(**line, |(_, command)| command).trim_start();
        words.starts_with("queueproof ") || words.starts_with("queueproof-cert ")
    };
    // These need a build with several processes, and two machines.
    let elsewhere = page == "docs/manual/distributed.md";
    let found = block.lines.iter().filter(|line| is_command(line) && !elsewhere);
    let number = block.first;
    found.map(|line| format!("{page}:{number}: not in a `console` block: {line}")).collect()
}

/// What differs, and what is printed instead, unless the page leaves lines out.
fn run_shown(place: &Place, shown: &Shown) -> Result<(), (String, Option<Vec<String>>)> {
    if !shown.command.starts_with("queueproof ") {
        return Err((format!("`{}` cannot be run", shown.command), None));
    }
    for word in shown.command.split_whitespace().filter(|word| word.starts_with("corpus/")) {
        copy_all(place, word);
    }
    let ended = shell(place, &shown.command, shown.output.iter().all(|line| line.is_ascii()));
    let printed: Vec<String> = format!("{}{}", ended.err, ended.out)
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    let found: Vec<String> = printed.iter().map(|line| normal(line)).collect();
    let expected: Vec<String> = shown.output.iter().map(|line| normal(line)).collect();
    let answered = matches!(ended.code, Some(0..=2));
    if matches(&expected, &found) && (answered || expected != ["..."]) {
        return Ok(());
    }
    let whole = !shown.output.iter().any(|line| line == "...");
    let problem = format!(
        "`{}` prints something else:\n{}\n\nthe page says:\n{}\n",
        shown.command,
        printed.join("\n"),
        shown.output.join("\n"),
    );
    Err((problem, whole.then_some(printed)))
}

/// A file of the repository, or all files of a folder.
fn copy_all(place: &Place, path: &str) {
    let path = path.trim_end_matches('/');
    let Ok(entries) = std::fs::read_dir(repository().join(path)) else { return place.copy(path) };
    for entry in entries.map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            place.copy(&format!("{path}/{}", entry.file_name().to_str().unwrap()));
        }
    }
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

/// Everything that is shown anywhere. With `QP_BLESS=1`, outputs that are shown whole are written anew.
#[test]
fn pages_show_what_is_printed() {
    let bless = std::env::var_os("QP_BLESS").is_some_and(|value| value == "1");
    let (mut problems, mut n_commands) = (Vec::new(), 0);
    for page in pages() {
        let text = std::fs::read_to_string(repository().join(&page)).unwrap();
        n_commands += text.lines().filter(|line| line.starts_with("$ ")).count();
        let (found, printed) = run_page(&page, &text);
        if bless && printed != text {
            std::fs::write(repository().join(&page), printed).unwrap();
        }
        problems.extend(found);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(n_commands >= 40, "only {n_commands} commands are shown");
}

#[test]
fn commands_outside_of_console_blocks_are_found() {
    let found = |kind: &str, line: &str| {
        let page = format!("A\n\n```{kind}\n{line}\n```\n");
        run_page("docs/manual/untidy.md", &page).0.len()
    };
    assert_eq!(found("text", "queueproof check a.cfsm"), 1);
    assert_eq!(found("text", "$ queueproof check a.cfsm"), 1);
    assert_eq!(found("sh", "  queueproof-cert a.json"), 1);
    assert_eq!(found("text", "cargo build # queueproof is there"), 0);
    assert_eq!(found("console", "$ queueproof --no-such-option"), 1);
    assert_eq!(found("console", "$ cargo build"), 1);
}

/// A command that prints something else gives a page that shows what it prints, unless lines are left out.
#[test]
fn outputs_that_are_shown_whole_can_be_written_anew() {
    let page = "```cfsm file=a.cfsm\nmachine A { init S: }\n```\n\n\
                ```console\n$ queueproof check a.cfsm \\\n    --no-such\nfalse\n$ queueproof --version\n\
                false\n...\n```\n";
    let (problems, printed) = run_page("docs/manual/anew.md", page);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(printed.contains("unexpected argument"), "{printed}");
    assert!(printed.ends_with("$ queueproof --version\nfalse\n...\n```\n"), "{printed}");
}

/// The names of all commands, as `--help` lists them.
fn listed(place: &Place) -> Vec<String> {
    let help = place.expect(0, &["--help"]).out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.split_whitespace().next()?;
        (name != "help").then(|| name.to_owned())
    });
    names.collect()
}

/// The options that stand in a text.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 2 && !word.starts_with("---"))
}

/// The page of commands has a section for each command, and mentions each option.
#[test]
fn commands() {
    let place = Place::new("page_commands");
    let page = std::fs::read_to_string(repository().join("docs/manual/commands.md")).unwrap();
    let sections: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`')).collect();
    let listed = listed(&place);
    assert_eq!(sections, listed, "docs/manual/commands.md and --help list the same commands");
    for command in listed.iter().map(String::as_str).chain(["cert verify"]) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        for option in options(&place.expect(0, &words).out) {
            assert!(page.contains(&format!("`{option}")), "commands.md: {command} {option}");
        }
    }
}

/// Options of cargo, of `cargo xtask` and of the P checker.
const OTHERS: &str = "--all-targets --example --features --list-tests --max-steps --minutes --only --path --release \
                      --replay --rounds --seed --version --workspace";

/// No page names an option that no command has.
#[test]
fn options_that_pages_name_exist() {
    let place = Place::new("page_options");
    let mut known = OTHERS.to_owned();
    for command in listed(&place).iter().map(String::as_str).chain(["cert verify", "compare spin"])
    {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        known.push_str(&place.expect(0, &words).out);
    }
    let known: Vec<&str> = options(&known).collect();
    for page in pages() {
        let text = std::fs::read_to_string(repository().join(&page)).unwrap();
        for option in options(&text) {
            assert!(known.contains(&option), "{page} names {option}, which no command has");
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
