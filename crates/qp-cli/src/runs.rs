//! Commands about saved runs and certificates, and the ones that only tell.

use std::path::{Path, PathBuf};

use qp_report::{chart, explain as pages, mermaid, p_trace, svg, table};
use queueproof::{Loaded, Options, ReplayError, Replayed};

use crate::args::{Drawing, LookArgs, ReplayArgs, TraceArgs, VerifyArgs};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::{check, files, print, tell};

pub(crate) fn replay(args: &ReplayArgs) -> Result<Exit, Trouble> {
    let replayed = if args.trace.is_empty() {
        replay_saved(&args.path, args.model.as_deref(), &args.look)?
    } else {
        let loaded = files::load(&files::model(&args.path, &args.reading)?, &args.look)?;
        queueproof::replay_choices(&loaded, &args.trace).map_err(|error| trouble(&error))?
    };
    let style = files::style(&args.look, &std::io::stdout());
    print(&chart::chart(&replayed.chart, &style));
    if let (Some(property), Some(message)) = (&replayed.property, &replayed.message) {
        print(&format!("\nviolated  {property}: {message}\n"));
    }
    if let Some(path) = &args.trail {
        files::write(path, trail(&replayed)?)?;
    }
    Ok(Exit::Fine)
}

pub(crate) fn trace(args: &TraceArgs) -> Result<Exit, Trouble> {
    let replayed = replay_saved(&args.path, args.model.as_deref(), &args.look)?;
    let style = files::style(&args.look, &std::io::stdout());
    let text = match args.to {
        Drawing::Text => chart::chart(&replayed.chart, &style),
        Drawing::Svg => {
            let title = replayed.message.as_deref().unwrap_or("a run");
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

fn replay_saved(path: &Path, model: Option<&Path>, look: &LookArgs) -> Result<Replayed, Trouble> {
    let text = files::read(path)?;
    let loaded = load_named(path, &text, model, look)?;
    let replayed = queueproof::replay_file(&loaded, &text).map_err(|error| trouble(&error))?;
    if let Some(warning) = &replayed.warning {
        tell(&format!("queueproof: {warning}\n"));
    }
    Ok(replayed)
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
        if late { Trouble { exit: Exit::Unknown, ..trouble } } else { trouble }
    })?;
    if let Some(warning) = &verified.warning {
        tell(&format!("queueproof: {warning}\n"));
    }
    print(&format!(
        "accepted  {}\n          {} proves, for every queue length: {}\n",
        args.path.display(),
        verified.evidence,
        verified.properties.join(", ")
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
    let (name, switches) = queueproof::model_of_file(text).map_err(|error| Trouble {
        exit: Exit::Refused,
        message: format!("{}: {error}", path.display()),
    })?;
    let named = || {
        let named = PathBuf::from(name);
        if named.exists() {
            return Ok(named);
        }
        let message =
            format!("the model {} is not here; say where it is with --model", named.display());
        Err(Trouble::usage(message))
    };
    let path = model.map_or_else(named, |model| Ok(model.to_owned()))?;
    Ok(files::load(&Wanted { path, switches, input_max: files::INPUT_MAX }, look)?)
}

/// A run or certificate that does not stand up: if we wrote it, it is our bug; if the model changed, it
/// is no longer about this model. Either way it is not an answer.
fn trouble(error: &ReplayError) -> Trouble {
    match error {
        ReplayError::Unreadable(text) => Trouble { exit: Exit::Refused, message: text.clone() },
        ReplayError::Refused(text) => {
            Trouble { exit: Exit::Internal, message: format!("refused: {text}") }
        }
    }
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
