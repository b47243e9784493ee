//! `check`, and what it shares with other commands.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qp_base::Budget;
use qp_report::formats::{self, Format};
use qp_report::text::Told;
use qp_report::{Style, json, text};
use queueproof::{Artifact, Checked, Lists, Loaded, Options, Order, Refused, Report, Sets};

use crate::args::{
    ApartArgs, CheckArgs, LimitArgs, ListArgs, LookArgs, OrderKind, OutputArgs, ReportForm, SetKind,
};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::kept::Folders;
use crate::progress::Ticker;
use crate::{files, kept, print, tell};

pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Trouble> {
    if args.list {
        return list(args);
    }
    let options = options(&args.limits, args.property.clone())?;
    let options = with_lists(options, &args.lists, &args.output.look)?;
    let ApartArgs { reduce, no_reduce, no_sorts } = args.apart;
    let sets = if no_reduce { options.sets.with_all_orders() } else { options.sets };
    let options = Options { reduce, sorts: !no_sorts, sets, ..options };
    let models = files::models(&args.paths, &args.reading)?;
    let (early, write) = (Some(text::news as Write), Some(text::rest as Write));
    let manner = Manner { more: &|_, _, _, _| {}, early, write, exit_of: Exit::of };
    let reports = reports(&args.reports)?;
    let (exit, items) = over_models(&models, &options, &args.output, &manner)?;
    for (path, format) in reports {
        files::write(path, &format.written(&items))?;
    }
    print_items(&items, &args.output);
    Ok(exit)
}

/// The form of each report that is to be written to a file; said before anything is checked.
fn reports(paths: &[PathBuf]) -> Result<Vec<(&Path, Format)>, Trouble> {
    let form = |path: &'_ PathBuf| {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        Format::of_ending(&ending.to_ascii_lowercase()).ok_or_else(|| {
            let known: Vec<&str> =
                formats::FORMATS.iter().flat_map(|format| format.endings).copied().collect();
            Trouble::usage(format!(
                "{}: the ending of a report says its form: .{}",
                path.display(),
                known.join(", .")
            ))
        })
    };
    paths.iter().map(|path| Ok((path.as_path(), form(path)?))).collect()
}

/// What a command makes of each model.
pub(crate) struct Manner<'a> {
    /// What it asks when everything else is answered.
    pub(crate) more: &'a More<'a>,
    /// How it writes for people what is violated as soon as that is known, if at all.
    pub(crate) early: Option<Write>,
    /// How it writes the report for people, or what is left of it, if at all.
    pub(crate) write: Option<Write>,
    /// How it ends.
    pub(crate) exit_of: fn(&Checked) -> Exit,
}

pub(crate) type Write = fn(&Report, &Style, &mut Told) -> String;

pub(crate) type More<'a> = dyn Fn(&Wanted, &Loaded, &Budget, &mut Checked) + 'a;

/// Prints all reports, if they are for another program.
pub(crate) fn print_items(items: &[json::Item], output: &OutputArgs) {
    if let ReportForm::Written(format) = output.format {
        print(&format.written(items));
    }
}

/// The test cases, one per line.
fn list(args: &CheckArgs) -> Result<Exit, Trouble> {
    for path in files::paths_of_models(&args.paths)? {
        let tests = files::tests(&path, &args.reading);
        if tests.is_empty() {
            // A program without any is refused, and the user sees why there is none.
            let (switches, input_max) = (args.reading.switches(), args.reading.input_max);
            files::load(&Wanted { path, switches, input_max }, &args.output.look)?;
        }
        for test in tests {
            print(&format!("{test}\n"));
        }
    }
    Ok(Exit::Fine)
}

/// Checks model after model and prints each report as soon as it is there.
pub(crate) fn over_models(
    models: &[Wanted],
    options: &Options,
    output: &OutputArgs,
    manner: &Manner<'_>,
) -> Result<(Exit, Vec<json::Item>), Trouble> {
    let mut exit = Exit::Fine;
    let (mut items, mut folders) = (Vec::new(), Folders::new(&output.out));
    for (number, wanted) in models.iter().enumerate() {
        // Reading counts.
        let budget = options.budget();
        let loaded = match files::load(wanted, &output.look) {
            Ok(loaded) => loaded,
            Err(error) => {
                exit = exit.max(complain(error.into(), wanted, &mut items));
                continue;
            }
        };
        if let Err(unknown) = options.selected(loaded.model.outline()) {
            let trouble = Trouble::usage(format!("{}: {unknown}", wanted.path.display()));
            exit = exit.max(complain(trouble, wanted, &mut items));
            continue;
        }
        if let Some(unknown) = options.unknown_name(loaded.model.outline()) {
            let trouble = Trouble::usage(format!("{}: {unknown}", wanted.path.display()));
            exit = exit.max(complain(trouble, wanted, &mut items));
            continue;
        }
        let more = |budget: &Budget, checked: &mut Checked| {
            (manner.more)(wanted, &loaded, budget, checked);
        };
        let mut page = Page {
            style: files::style(&output.look, &std::io::stdout()),
            told: Told::default(),
            early: manner.early.filter(|_| output.format.is_text()),
            gap: number > 0,
        };
        let folder = folders.of(&loaded);
        let run = Run { loaded: &loaded, options, budget: &budget, output, folder: &folder };
        let checked = run.more(&mut page, &more)?;
        exit = exit.max((manner.exit_of)(&checked));
        page.print(&checked.report, manner.write.filter(|_| output.format.is_text()));
        items.push(json::Item::Report(Box::new(checked.report)));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok((exit, items))
}

/// What was printed of a report.
struct Page {
    style: Style,
    told: Told,
    /// How early news are written.
    early: Option<Write>,
    /// Whether an empty line comes before it.
    gap: bool,
}

impl Page {
    fn print(&mut self, report: &Report, write: Option<Write>) {
        if let Some(write) = write {
            let gap = if std::mem::take(&mut self.gap) { "\n" } else { "" };
            print(&format!("{gap}{}", write(report, &self.style, &mut self.told)));
        }
    }
}

/// Says why there is no answer about a model, here and in the list of reports.
fn complain(trouble: Trouble, wanted: &Wanted, items: &mut Vec<json::Item>) -> Exit {
    tell(&format!("queueproof: {}\n", trouble.message));
    let exit = trouble.exit;
    items.push(trouble.item(&wanted.path));
    exit
}

/// Checks one model, shows progress, keeps what is left behind.
pub(crate) fn run(
    loaded: &Loaded,
    options: &Options,
    output: &OutputArgs,
    folders: &mut Folders,
) -> Result<Checked, Trouble> {
    let style = files::style(&output.look, &std::io::stdout());
    let mut page = Page { style, told: Told::default(), early: None, gap: false };
    let (budget, folder) = (&options.budget(), &folders.of(loaded));
    Run { loaded, options, budget, output, folder }.more(&mut page, &|_, _| {})
}

/// One model, what is asked about it, and where results go.
struct Run<'a> {
    loaded: &'a Loaded,
    options: &'a Options,
    budget: &'a Budget,
    output: &'a OutputArgs,
    folder: &'a Path,
}

impl Run<'_> {
    /// Checks one model as [`run`] does, and asks more about it before anything is kept.
    fn more(
        &self,
        page: &mut Page,
        more: &dyn Fn(&Budget, &mut Checked),
    ) -> Result<Checked, Trouble> {
        let Self { loaded, options, budget, output, folder } = *self;
        let ticker = Ticker::start(output.progress, budget.progress().clone());
        let mut tell = |mut news: Report, artifacts: &[Artifact]| {
            // What cannot be written is a trouble at the end, when it is tried again.
            if output.no_files || kept::keep_so_far(&mut news, artifacts, (loaded, folder)).is_err()
            {
                kept::forget(&mut news);
            }
            ticker.make_room();
            page.print(&news, page.early);
        };
        let mut checked = queueproof::check_telling(loaded, options, budget, &mut tell);
        more(budget, &mut checked);
        drop(ticker);
        if output.no_files {
            kept::forget(&mut checked.report);
        } else {
            kept::keep(&mut checked, loaded, folder)?;
        }
        for error in &checked.errors {
            crate::tell(&format!(
                "queueproof: bug in Queueproof [{}]: {}\n  please report it with the model\n",
                error.code, error.message
            ));
        }
        Ok(checked)
    }
}

/// A configuration takes at least so much memory.
const CONFIGURATION_BYTES: u64 = 10;

pub(crate) fn options(limits: &LimitArgs, properties: Vec<String>) -> Result<Options, Trouble> {
    for name in &limits.engine {
        if !queueproof::engines().any(|(engine, _)| engine == name) {
            let known: Vec<&str> = queueproof::engines().map(|(engine, _)| engine).collect();
            let message = format!("there is no engine {name}; there are: {}", known.join(", "));
            return Err(Trouble::usage(message));
        }
    }
    let default = Options::default();
    Ok(Options {
        properties,
        engines: limits.engine.clone(),
        time: limits.time.0,
        memory_bytes: limits.memory,
        certified: limits.certified,
        // Whatever fits into the memory: the least that a configuration takes there.
        states_max: limits.steps.unwrap_or(limits.memory / CONFIGURATION_BYTES),
        bound_max: limits.max_bound.unwrap_or(default.bound_max).max(1),
        bound_rises: limits.max_bound.is_none(),
        jobs: limits.jobs.unwrap_or(default.jobs).max(1),
        sets: match limits.sets {
            SetKind::Auto => default.sets,
            SetKind::Explicit => Sets::Explicit,
            SetKind::Symbolic => Sets::Symbolic,
        },
        order: match limits.order {
            OrderKind::Auto => Order::Auto,
            OrderKind::Hub => Order::Hub,
            OrderKind::Close => Order::Close,
            OrderKind::Reverse => Order::Reverse,
            OrderKind::Model => Order::Model,
        },
        walks: limits.random.walks(default.walks),
        resident: Some(crate::memory::resident),
        cancelled: cancelled_by_ctrl_c(),
        ..default
    })
}

/// Adds how contents of queues are looked at, and what is said about them.
pub(crate) fn with_lists(
    options: Options,
    args: &ListArgs,
    look: &LookArgs,
) -> Result<Options, Trouble> {
    let lists = Lists {
        prefix: args.prefix,
        counted: args.counted,
        suggest: !args.no_suggest,
        ..options.lists
    };
    let refused = |Refused { source, diagnostics }: Refused| {
        let style = files::style(look, &std::io::stderr());
        tell(&qp_report::diagnostics::diagnostics(&source, &diagnostics, &style));
        Trouble::refused(source, diagnostics)
    };
    let mut invariants = Vec::new();
    for text in &args.invariant {
        let wrong = |wrong| Trouble::usage(refused(wrong).message);
        invariants.push(queueproof::read_invariant(text).map_err(wrong)?);
    }
    for path in &args.invariants {
        let (name, text) = (path.to_string_lossy(), files::read(path)?);
        invariants.extend(queueproof::read_invariants(&name, &text).map_err(refused)?);
    }
    Ok(Options { invariants, lists, ..options })
}

/// Ctrl-C asks the run to stop and print what is known, and so does whoever ends the process in an orderly way; a
/// second time leaves at once.
pub(crate) fn cancelled_by_ctrl_c() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = cancelled.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C still ends the program, only without partial results.
    let _ = ctrlc::set_handler(handler);
    cancelled
}
