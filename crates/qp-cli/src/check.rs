//! `check`, and what it shares with other commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qp_base::Budget;
use qp_report::{json, text};
use queueproof::{Checked, Lists, Loaded, Options, Order, Refused, Report, Sets};

use crate::args::{
    CheckArgs, Format, LimitArgs, ListArgs, LookArgs, OrderKind, OutputArgs, SetKind,
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
    let options = Options { reduce: args.reduce, ..options };
    let models = files::models(&args.paths, &args.reading)?;
    let manner = Manner { more: &|_, _, _, _| {}, write: Some(text::report), exit_of: Exit::of };
    let (exit, items) = over_models(&models, &options, &args.output, &manner)?;
    print_json(&items, &args.output);
    Ok(exit)
}

/// What a command makes of each model.
pub(crate) struct Manner<'a> {
    /// What it asks when everything else is answered.
    pub(crate) more: &'a More<'a>,
    /// How it writes the report for people, if at all.
    pub(crate) write: Option<fn(&Report, &qp_report::Style) -> String>,
    /// How it ends.
    pub(crate) exit_of: fn(&Checked) -> Exit,
}

pub(crate) type More<'a> = dyn Fn(&Wanted, &Loaded, &Budget, &mut Checked) + 'a;

/// Prints all reports, if they are to be JSON.
pub(crate) fn print_json(items: &[json::Item], output: &OutputArgs) {
    if output.format == Format::Json {
        print(&json::items(items));
    }
}

/// The test cases, one per line.
fn list(args: &CheckArgs) -> Result<Exit, Trouble> {
    for path in files::paths_of_models(&args.paths)? {
        let tests = files::tests(&path, &args.reading);
        if tests.is_empty() {
            // A program without any is refused, and the user sees why there is none.
            files::load(&Wanted { path, switches: args.reading.switches() }, &args.output.look)?;
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
        let checked = run_more(&loaded, options, output, &mut folders, &more)?;
        exit = exit.max((manner.exit_of)(&checked));
        if let (Format::Text, Some(write)) = (output.format, manner.write) {
            let gap = if number > 0 { "\n" } else { "" };
            let style = files::style(&output.look, &std::io::stdout());
            print(&format!("{gap}{}", write(&checked.report, &style)));
        }
        items.push(json::Item::Report(Box::new(checked.report)));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok((exit, items))
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
    run_more(loaded, options, output, folders, &|_, _| {})
}

/// Checks one model as [`run`] does, and asks more about it before anything is kept.
fn run_more(
    loaded: &Loaded,
    options: &Options,
    output: &OutputArgs,
    folders: &mut Folders,
    more: &dyn Fn(&Budget, &mut Checked),
) -> Result<Checked, Trouble> {
    let budget = options.budget();
    let ticker = Ticker::start(output.progress, budget.progress().clone());
    let mut checked = queueproof::check(loaded, options, &budget);
    more(&budget, &mut checked);
    drop(ticker);
    if output.no_files {
        kept::forget(&mut checked);
    } else {
        kept::keep(&mut checked, loaded, &folders.of(loaded))?;
    }
    for error in &checked.errors {
        tell(&format!(
            "queueproof: bug in Queueproof [{}]: {}\n  please report it with the model\n",
            error.code, error.message
        ));
    }
    Ok(checked)
}

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
        states_max: limits.steps,
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

/// Ctrl-C asks the run to stop and print what is known; a second one leaves at once.
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
