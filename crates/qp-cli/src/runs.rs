//! Commands about saved runs and certificates, and the ones that only tell.

use std::path::Path;

use qp_report::{chart, explain as pages, mermaid, p_trace, svg, table};
use queueproof::{Loaded, Options, ReplayError, Replayed, Standing};

use crate::args::{Drawing, LookArgs, ReplayArgs, TraceArgs, VerifyArgs};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::{check, files, kept, print, tell};

pub(crate) fn replay(args: &ReplayArgs) -> Result<Exit, Trouble> {
    let (replayed, model) = if args.trace.is_empty() {
        replay_saved(&args.path, args.model.as_deref(), &args.look)?
    } else {
        let loaded = files::load(&files::model(&args.path, &args.reading)?, &args.look)?;
        let replayed = queueproof::replay_choices(&loaded, &args.trace);
        (replayed.map_err(|error| not_possible(&error))?, loaded.source.name)
    };
    let style = files::style(&args.look, &std::io::stdout());
    print(&chart::chart(&replayed.chart, &style));
    let (exit, said) = verdict(&replayed, &model);
    print(&said.map_or_else(String::new, |said| format!("\n{said}\n")));
    if let Some(path) = &args.trail {
        files::write(path, trail(&replayed)?)?;
    }
    Ok(exit)
}

/// How a run ends the command that takes it again, and what is to be said about it.
fn verdict(replayed: &Replayed, model: &str) -> (Exit, Option<String>) {
    let property = replayed.property.as_deref().unwrap_or_default();
    let changed = |what: &str| {
        // What a run does not show, another one may.
        let next = format!("next      queueproof check {model}");
        format!("changed   {property}: {what} (the model has changed)\n{next}")
    };
    match &replayed.standing {
        Standing::Taken => (Exit::Fine, None),
        Standing::Violates(message) => {
            let still = replayed.warning.as_ref().map_or("", |_| "the run still violates it: ");
            (Exit::Violated, Some(format!("violated  {property}: {still}{message}")))
        }
        Standing::Harmless => {
            let text = format!("the run can be taken and no longer violates {property}");
            (Exit::Fine, Some(changed(&text)))
        }
        Standing::Impossible(step) => {
            (Exit::Fine, Some(changed(&format!("the run can no longer be taken: {step}"))))
        }
        Standing::Unknown(why) => (Exit::Unknown, Some(changed(why))),
    }
}

pub(crate) fn trace(args: &TraceArgs) -> Result<Exit, Trouble> {
    let (replayed, model) = replay_saved(&args.path, args.model.as_deref(), &args.look)?;
    if !matches!(replayed.standing, Standing::Violates(_)) {
        tell(&verdict(&replayed, &model).1.map_or_else(String::new, |said| format!("{said}\n")));
    }
    let style = files::style(&args.look, &std::io::stdout());
    let text = match args.to {
        Drawing::Text => chart::chart(&replayed.chart, &style),
        Drawing::Svg => {
            let title = match &replayed.standing {
                Standing::Violates(message) => message,
                _ => "a run",
            };
            svg::svg(&replayed.chart, title)
        }
        Drawing::Mermaid => mermaid::mermaid(&replayed.chart),
        Drawing::P => p_trace::p_trace(&replayed.chart),
        Drawing::Spin => trail(&replayed)?.to_owned(),
    };
    match &args.output {
        Some(path) => files::write(path, &text)?,
        None => print(&text),
    }
    Ok(Exit::Fine)
}

/// The run as SPIN's simulator reads it.
fn trail(replayed: &Replayed) -> Result<&str, Trouble> {
    let message = "there is no trail of this run: SPIN follows runs of Promela models with declared \
                   channels";
    replayed.trail.as_deref().ok_or_else(|| Trouble::usage(message))
}

/// A saved run, and the name of its model.
fn replay_saved(
    path: &Path,
    model: Option<&Path>,
    look: &LookArgs,
) -> Result<(Replayed, String), Trouble> {
    let text = files::read(path)?;
    let loaded = load_named(path, &text, model, look)?;
    let replayed = queueproof::replay_file(&loaded, &text).map_err(|error| trouble(&error))?;
    if let Some(warning) = &replayed.warning {
        tell(&format!("queueproof: {warning}\n"));
    }
    Ok((replayed, loaded.source.name))
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<Exit, Trouble> {
    let budget = Options {
        time: args.time.0,
        memory_bytes: args.memory,
        states_max: u64::MAX,
        resident: Some(crate::memory::resident),
        cancelled: check::cancelled_by_ctrl_c(),
        ..Options::default()
    };
    let budget = budget.budget();
    let text = files::read_at_most(&args.path, args.memory / 16, "--memory allows more")?;
    let look = LookArgs {
        color: crate::args::When::Auto,
        unicode: crate::args::When::Auto,
        width: None,
        full: false,
    };
    let mut loaded = load_named(&args.path, &text, args.model.as_deref(), &look)?;
    loaded.model = loaded.model.heeding(&budget);
    let verified = queueproof::verify_certificate(&loaded, &text).map_err(|error| {
        let late = budget.ask().is_err();
        let trouble = trouble(&error);
        if late { Trouble::new(Exit::Unknown, trouble.message) } else { trouble }
    })?;
    if let Some(warning) = &verified.warning {
        tell(&format!("queueproof: {warning}\n"));
    }
    print(&format!(
        "accepted  {}\n          {} proves, for every queue length: {}{}\n",
        args.path.display(),
        verified.evidence,
        verified.properties.join(", "),
        verified.reach
    ));
    Ok(Exit::Fine)
}

/// Loads the model that a trace or certificate is about.
fn load_named(
    path: &Path,
    text: &str,
    model: Option<&Path>,
    look: &LookArgs,
) -> Result<Loaded, Trouble> {
    let (name, switches) = queueproof::model_of_file(text)
        .map_err(|error| Trouble::new(Exit::Refused, format!("{}: {error}", path.display())))?;
    let missing = || {
        let message = format!("the model {name} is not here; say where it is with --model");
        Trouble::usage(message)
    };
    let model = model.map(Path::to_owned).or_else(|| kept::model_of(path, &name));
    let input_max = files::INPUT_MAX;
    Ok(files::load(&Wanted { path: model.ok_or_else(missing)?, switches, input_max }, look)?)
}

/// A run or certificate that does not stand up although its model is the same: if we wrote it, it is our bug.
fn trouble(error: &ReplayError) -> Trouble {
    match error {
        ReplayError::Unreadable(text) => Trouble::new(Exit::Refused, text.clone()),
        ReplayError::Unchecked(text) => Trouble::new(Exit::Unknown, text.clone()),
        ReplayError::Refused(text) => Trouble::new(Exit::Internal, format!("refused: {text}")),
        ReplayError::Outdated(text) => Trouble::new(
            Exit::Unknown,
            format!("not accepted: {text}; the model has changed since this file was written"),
        ),
    }
}

/// Choices on a command line that cannot be taken are the user's.
fn not_possible(error: &ReplayError) -> Trouble {
    Trouble::usage(error.to_string())
}

pub(crate) fn explain(code: Option<&str>) -> Result<Exit, Trouble> {
    let Some(code) = code else {
        let rows: Vec<Vec<String>> =
            pages::codes().map(|(code, title)| vec![code.to_owned(), title.to_owned()]).collect();
        print(&table::table(&["code", "about"], &rows));
        return Ok(Exit::Fine);
    };
    let Some(page) = pages::explain(code) else {
        let message = format!("there is no code {code}; `queueproof explain` lists all");
        return Err(Trouble::usage(message));
    };
    print(page);
    Ok(Exit::Fine)
}

#[expect(clippy::unnecessary_wraps, reason = "all commands have one type")]
pub(crate) fn engines() -> Result<Exit, Trouble> {
    let rows: Vec<Vec<String>> = queueproof::engines()
        .map(|(name, about)| vec![name.to_owned(), about.to_owned()])
        .collect();
    print(&table::table(&["engine", "what it does"], &rows));
    Ok(Exit::Fine)
}
