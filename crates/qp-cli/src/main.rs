//! The command line of Queueproof. Results go to standard output, everything else to standard error.

mod args;
mod bench;
mod bounds;
mod check;
mod cluster;
mod compare;
mod exit;
mod explore;
mod files;
mod kept;
mod memory;
mod progress;
mod reach;
mod runs;
mod translate;
mod units;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Args, CertCommand, Command, CompareCommand};
use crate::exit::{Exit, Trouble};

fn main() -> ExitCode {
    // Rust's default is to panic when the reader of a pipe goes away; leaving quietly is right.
    let exit =
        std::panic::catch_unwind(|| run(with_default_command(std::env::args_os().collect())));
    exit.unwrap_or(Exit::Internal).into()
}

fn run(words: Vec<OsString>) -> Exit {
    let wants_json = wants_json(&words);
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are not mistakes; everything else is wrong use, which must not look
            // like the exit code of an unknown verdict.
            let wrong = error.use_stderr();
            let _ = error.print();
            if wrong && wants_json {
                let text = error.render().to_string();
                let first = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
                let first = first.collect::<Vec<_>>().join(" ");
                print(&Trouble::usage(first.trim_start_matches("error: ")).json());
            }
            return if wrong { Exit::Usage } else { Exit::Fine };
        }
    };
    let result = match args.command {
        Command::Check(check) => check::check(&check),
        Command::Bounds(bounds) => bounds::bounds(&bounds),
        Command::Explore(explore) => explore::explore(&explore),
        Command::Reach(reach) => reach::reach(&reach),
        Command::Replay(replay) => runs::replay(&replay),
        Command::Trace(trace) => runs::trace(&trace),
        Command::Explain { code } => runs::explain(code.as_deref()),
        Command::Cert { command: CertCommand::Verify(verify) } => runs::verify(&verify),
        Command::Translate(translate) => translate::translate(&translate),
        Command::Compare { command: CompareCommand::Spin(spin) } => compare::spin(&spin),
        Command::Bench(bench) => bench::bench(&bench),
        Command::Engines => runs::engines(),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "queueproof", &mut text);
            print(&String::from_utf8_lossy(&text));
            Ok(Exit::Fine)
        }
        Command::Man { folder } => man(&folder),
    };
    result.unwrap_or_else(|trouble| {
        tell(&format!("queueproof: {}\n", trouble.message));
        let exit = trouble.exit;
        if wants_json {
            print(&trouble.json());
        }
        exit
    })
}

/// Writes a manual page for each command.
fn man(folder: &std::path::Path) -> Result<Exit, Trouble> {
    clap_mangen::generate_to(Args::command(), folder).map_err(|error| {
        Trouble::usage(format!("cannot write to {}: {error}", folder.display()))
    })?;
    Ok(Exit::Fine)
}

/// Whether the answer is for a script, which wants to know why there is none in the same way. The words are
/// asked, since they may be wrong as a whole.
fn wants_json(words: &[OsString]) -> bool {
    let pairs = words.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    pairs || words.iter().any(|word| word == "--format=json")
}

/// `queueproof model.cfsm` means `queueproof check model.cfsm`.
fn with_default_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.get(1).and_then(|word| word.to_str());
    let is_path = first.is_some_and(|word| {
        !word.starts_with('-')
            && Args::command().find_subcommand(word).is_none()
            && std::path::Path::new(word).exists()
    });
    if is_path {
        words.insert(1, "check".into());
    }
    words
}

/// Writes to standard output, as it is: whether there is colour was decided when the text was made. A
/// reader that went away is not an error.
fn print(text: &str) {
    let mut out = anstream::AutoStream::always(std::io::stdout());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
fn tell(text: &str) {
    let mut out = anstream::AutoStream::always(std::io::stderr());
    let _ = out.write_all(text.as_bytes());
}
