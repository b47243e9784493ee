//! `bench`: tables over a folder.

mod answers;
mod ciclo;
mod ksync;
mod interactions;

use std::path::Path;

use qp_base::names::grouped;
use qp_report::{pat, table};
use queueproof::{Checked, Lists, Loaded, Options, QueueStatus, VerdictWord};

use crate::args::{BenchArgs, LookArgs, TableFormat, TableName, When};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::{check, files, print, tell};

const HEADERS: [&str; 10] = [
    "model",
    "machines",
    "queues",
    "k",
    "states",
    "transitions",
    "proved",
    "violated",
    "unknown",
    "time",
];

pub(crate) fn bench(args: &BenchArgs) -> Result<Exit, Trouble> {
    let look = LookArgs { color: When::Never, unicode: When::Auto, width: None, full: false };
    let options = check::options(&args.limits, Vec::new())?;
    let options = check::with_lists(options, &args.lists, &look)?;
    match args.table {
        TableName::Verdicts => verdicts(args, &options, &look),
        TableName::Answers => answered(args, &options, &look),
        TableName::Pat => proofs(args, options, &look),
        TableName::Ciclo => ciclo::tables(args, &options, &look),
        TableName::Ksync => ksync::table(args, &options, &look),
        TableName::Interactions => interactions::table(args, &options, &look),
    }
}

fn verdicts(args: &BenchArgs, options: &Options, look: &LookArgs) -> Result<Exit, Trouble> {
    let wanted = files::models(&args.paths, &args.reading)?;
    let mut rows = Vec::new();
    let exit = over_models(&wanted, options, look, |_, checked| {
        rows.push(row(checked, args.format));
    });
    print(&table::written(args.format.into(), &HEADERS, &rows));
    Ok(exit)
}

/// The table of single answers.
fn answered(args: &BenchArgs, options: &Options, look: &LookArgs) -> Result<Exit, Trouble> {
    let wanted = files::models(&args.paths, &args.reading)?;
    let mut all = Vec::new();
    let exit = over_models(&wanted, options, look, |_, checked| all.push(answers::rows(checked)));
    print(&table::written(args.format.into(), &answers::HEADERS, &all.concat()));
    if args.format == TableFormat::Text {
        print(&answers::summary(&all));
    }
    Ok(exit)
}

/// The table of proofs for every queue length, of the P programs that are directly in the folders.
fn proofs(args: &BenchArgs, options: Options, look: &LookArgs) -> Result<Exit, Trouble> {
    let options = Options { lists: Lists { figures: true, ..options.lists }, ..options };
    let mut wanted = files::models(&args.paths, &args.reading)?;
    let named = |path: &Path| args.paths.iter().any(|it| it == path);
    wanted.retain(|it| named(&it.path) || it.path.parent().is_some_and(named));
    let mut rows = Vec::new();
    let exit = over_models(&wanted, &options, look, |loaded, checked| {
        if checked.report.model.language == "p" {
            rows.push(pat::Row::new(&checked.report, &loaded.source.text));
        }
    });
    let peak = crate::memory::peak();
    print(&pat::written(args.format.into(), &rows, peak));
    if let (Some(peak), TableFormat::Text) = (peak, args.format) {
        print(&format!("\npeak memory of the process: {}\n", pat::mebibytes(peak)));
    }
    Ok(exit)
}

/// Checks model after model. Verdicts do not change the exit code; trouble does.
fn over_models(
    models: &[Wanted],
    options: &Options,
    look: &LookArgs,
    mut each: impl FnMut(&Loaded, &Checked),
) -> Exit {
    let mut exit = Exit::Fine;
    for wanted in models {
        let loaded = match files::load_quietly(wanted, look) {
            Ok(loaded) => loaded,
            Err(error) => {
                let trouble = Trouble::from(error);
                exit = exit.max(trouble.exit);
                tell(&format!("queueproof: {}\n", trouble.message));
                continue;
            }
        };
        let checked = queueproof::check(&loaded, options, &options.budget());
        for error in &checked.errors {
            tell(&format!(
                "queueproof: {}: bug [{}]: {}\n",
                wanted.path.display(),
                error.code,
                error.message
            ));
            exit = Exit::Internal;
        }
        each(&loaded, &checked);
        if Exit::of(&checked) == Exit::Interrupted {
            return Exit::Interrupted;
        }
    }
    exit
}

fn row(checked: &Checked, format: TableFormat) -> Vec<String> {
    let report = &checked.report;
    // Programs read the one, people the others.
    let number = |n: u64| {
        if matches!(format, TableFormat::Csv | TableFormat::Json) {
            n.to_string()
        } else {
            grouped(n)
        }
    };
    let ids = |word| {
        let mut ids: Vec<&str> =
            report.properties.iter().filter(|p| p.verdict == word).map(|p| p.id.as_str()).collect();
        let all = |status: fn(QueueStatus) -> bool| report.queues.iter().all(|q| status(q.status));
        if word == VerdictWord::Proved && all(|s| matches!(s, QueueStatus::Bounded(_))) {
            ids.push("bounded");
        }
        ids.join(" ")
    };
    let proved = [ids(VerdictWord::Proved), ids(VerdictWord::ProvedUpToFailure)].join(" ");
    let proved = proved.trim().to_owned();
    let figure = |name| report.figures(name).max().unwrap_or(0);
    let time: f64 = report.engines.iter().map(|engine| engine.time_s).fold(0.0, f64::max);
    vec![
        report.model.path.clone(),
        report.model.machines.to_string(),
        report.model.queues.to_string(),
        figure("bound").to_string(),
        number(figure("states")),
        number(figure("transitions")),
        proved,
        ids(VerdictWord::Violated),
        ids(VerdictWord::Unknown),
        format!("{time:.3}"),
    ]
}
