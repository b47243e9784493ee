//! `bounds`.

use std::path::{Path, PathBuf};

use qp_base::Budget;
use qp_report::{emit, json, text};
use queueproof::{Channels, Checked, Language, Loaded, Options, QueueStatus, Report, Switches};

use crate::args::{BoundsArgs, Emitted};
use crate::check::{self, Manner};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::{files, print};

pub(crate) fn bounds(args: &BoundsArgs) -> Result<Exit, Trouble> {
    let mut properties = vec!["bounded".to_owned()];
    properties.extend((!args.reading.set.is_empty()).then(|| "deadlock".to_owned()));
    let options = check::options(&args.limits, properties)?;
    let options = check::with_lists(options, &args.lists, &args.output.look)?;
    let mut models = files::models(&args.paths, &args.reading)?;
    for Wanted { path, switches, .. } in &mut models {
        // How long a channel can get is no question if the answer is its declaration.
        let language = switches.language_of(&path.to_string_lossy());
        if language == Some(Language::Promela) && switches.channels.is_none() {
            switches.channels = Some(Channels::Unbounded);
        }
    }
    let places = Places::new(args, models.len())?;
    let more = |wanted: &Wanted, loaded: &Loaded, budget: &Budget, checked: &mut Checked| {
        queueproof::bound_by_proofs(loaded, &options, budget, checked);
        rooms(args, &options, (wanted, loaded), budget, checked);
    };
    let whole: check::Write = |report, style, _| text::bounds(report, style);
    let write = (!places.on_stdout()).then_some(whole);
    let manner = Manner { more: &more, early: None, write, exit_of };
    let (exit, items) = check::over_models(&models, &options, &args.output, &manner)?;
    places.write(&args.emit, &items)?;
    if !places.on_stdout() {
        check::print_items(&items, &args.output);
    }
    Ok(exit)
}

/// Asks how much room queues need, and what given capacities change.
fn rooms(
    args: &BoundsArgs,
    options: &Options,
    (wanted, loaded): (&Wanted, &Loaded),
    budget: &Budget,
    checked: &mut Checked,
) {
    // Capacities are tried by searching, so who does not want that gets none.
    let searches =
        options.engines.is_empty() || options.engines.iter().any(|engine| engine == "explore");
    if !searches {
        return;
    }
    if !wanted.switches.capacities.is_empty() {
        let switches = Switches { capacities: Vec::new(), ..wanted.switches.clone() };
        let (path, input_max) = (wanted.path.clone(), wanted.input_max);
        let before = Wanted { path, switches, input_max };
        // It was read a moment ago.
        if let Ok(before) = files::load_quietly(&before, &args.output.look) {
            queueproof::compare_capacities(&before, loaded, options, budget, checked);
        }
    }
    if !args.no_capacities {
        queueproof::measure_capacities(loaded, options, budget, checked);
    }
}

/// Queues that grow are what `bounds` looks for: they count like violations.
fn exit_of(checked: &Checked) -> Exit {
    let has = |status| checked.report.queues.iter().any(|queue| queue.status == status);
    let deadlock = checked.report.changes.as_ref().map(|changes| changes.deadlock_after);
    match Exit::of(checked) {
        exit @ (Exit::Internal | Exit::Interrupted) => exit,
        _ if has(QueueStatus::Unbounded) => Exit::Violated,
        _ if deadlock == Some(queueproof::VerdictWord::Violated) => Exit::Violated,
        _ if has(QueueStatus::Unknown) => Exit::Unknown,
        _ if deadlock == Some(queueproof::VerdictWord::Unknown) => Exit::Unknown,
        _ => Exit::Fine,
    }
}

/// Where code goes.
enum Places {
    /// There is none.
    Nowhere,
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

impl Places {
    fn new(args: &BoundsArgs, n_models: usize) -> Result<Self, Trouble> {
        let single = args.emit.len() == 1 && n_models == 1;
        match &args.write_to {
            _ if args.emit.is_empty() => Ok(Self::Nowhere),
            None if !single => {
                Err(Trouble::usage("several files are to be written; name a folder with -o"))
            }
            None if !args.output.format.is_text() => Err(Trouble::usage(
                "--emit and --format both go to standard output; give one a file with -o",
            )),
            None => Ok(Self::Stdout),
            Some(path) if single && !is_folder(path) => Ok(Self::File(path.clone())),
            Some(path) => Ok(Self::Folder(path.clone())),
        }
    }

    fn on_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    fn write(&self, kinds: &[Emitted], items: &[json::Item]) -> Result<(), Trouble> {
        let mut taken = Vec::new();
        for item in items {
            let json::Item::Report(report) = item else { continue };
            for &kind in kinds {
                let text = emitted(kind, report);
                match self {
                    Self::Nowhere => {}
                    Self::Stdout => print(&text),
                    Self::File(path) => files::write(path, &text)?,
                    Self::Folder(folder) => {
                        files::write(&free(folder, kind, report, &mut taken), &text)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

fn emitted(kind: Emitted, report: &Report) -> String {
    match kind {
        Emitted::Json => emit::json(report),
        Emitted::Tokio => emit::tokio(report),
        Emitted::Akka => emit::akka(report),
    }
}

/// A file of its own in a folder: `leader.json`, `leader.rs`, `leader.conf`; with a number where models share a name.
fn free(folder: &Path, kind: Emitted, report: &Report, taken: &mut Vec<PathBuf>) -> PathBuf {
    let extension = match kind {
        Emitted::Json => "json",
        Emitted::Tokio => "rs",
        Emitted::Akka => "conf",
    };
    let stem = Path::new(&report.model.path).file_stem().unwrap_or_default().to_string_lossy();
    let name = |n: u32| match n {
        1 => format!("{stem}.{extension}"),
        _ => format!("{stem}-{n}.{extension}"),
    };
    let mut paths = (1..).map(|n| folder.join(name(n)));
    let path = paths.find(|path| !taken.contains(path)).expect("some number is free");
    taken.push(path.clone());
    path
}
