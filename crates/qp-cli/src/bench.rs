//! `bench`: a table over a folder.

use qp_report::table;
use queueproof::{Checked, QueueStatus, VerdictWord};

use crate::args::{BenchArgs, LookArgs, TableFormat, When};
use crate::exit::{Exit, Trouble};
use crate::progress::grouped;
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
    let options = check::options(&args.limits, Vec::new())?;
    let look = LookArgs { color: When::Never, unicode: When::Auto, width: None, full: false };
    let (mut rows, mut exit) = (Vec::new(), Exit::Fine);
    for wanted in files::models(&args.paths, &args.reading)? {
        let loaded = match files::load_quietly(&wanted, &look) {
            Ok(loaded) => loaded,
            Err(error) => {
                let trouble = Trouble::from(error);
                exit = exit.max(trouble.exit);
                tell(&format!("queueproof: {}\n", trouble.message));
                continue;
            }
        };
        let checked = queueproof::check(&loaded, &options, &options.budget());
        for error in &checked.errors {
            tell(&format!(
                "queueproof: {}: bug [{}]: {}\n",
                wanted.path.display(),
                error.code,
                error.message
            ));
            exit = Exit::Internal;
        }
        rows.push(row(&checked, args.format));
        if Exit::of(&checked) == Exit::Interrupted {
            exit = Exit::Interrupted;
            break;
        }
    }
    print(&match args.format {
        TableFormat::Text => table::table(&HEADERS, &rows),
        TableFormat::Markdown => table::markdown(&HEADERS, &rows),
        TableFormat::Csv => table::csv(&HEADERS, &rows),
    });
    Ok(exit)
}

fn row(checked: &Checked, format: TableFormat) -> Vec<String> {
    let report = &checked.report;
    // Programs read the one, people the others.
    let number = |n: u64| if format == TableFormat::Csv { n.to_string() } else { grouped(n) };
    let ids = |word| {
        let mut ids: Vec<&str> =
            report.properties.iter().filter(|p| p.verdict == word).map(|p| p.id.as_str()).collect();
        let all = |status: fn(QueueStatus) -> bool| report.queues.iter().all(|q| status(q.status));
        if word == VerdictWord::Proved && all(|s| matches!(s, QueueStatus::Bounded(_))) {
            ids.push("bounded");
        }
        ids.join(" ")
    };
    let figure = |name: &str| {
        let detail = report.engines.iter().flat_map(|engine| &engine.detail);
        detail.filter(|(n, _)| n == name).map(|(_, figure)| *figure).max().unwrap_or(0)
    };
    let time: f64 = report.engines.iter().map(|engine| engine.time_s).fold(0.0, f64::max);
    vec![
        report.model.path.clone(),
        report.model.machines.to_string(),
        report.model.queues.to_string(),
        figure("bound").to_string(),
        number(figure("states")),
        number(figure("transitions")),
        ids(VerdictWord::Proved),
        ids(VerdictWord::Violated),
        ids(VerdictWord::Unknown),
        format!("{time:.3}"),
    ]
}
