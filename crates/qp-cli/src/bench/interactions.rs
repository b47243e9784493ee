//! The table of conversations and queue lengths.

use qp_report::table;
use queueproof::{Checked, Loaded, Options, VerdictWord, peer_sizes};

use crate::args::{BenchArgs, LookArgs};
use crate::exit::{Exit, Trouble};
use crate::{files, print};

use super::over_models;

/// The models of a folder that have a row, in the order of the paper's table, with its answer.
const KNOWN: [(&str, &str); 10] = [
    ("meta_conversation", "some k"),
    ("reservation_session", "some k"),
    ("tpm_contract", "some k"),
    ("tpm_contract_fixed", ""),
    ("tcp_contract", "some k"),
    ("keyboard_contract", "some k"),
    ("stock_broker", "none"),
    ("abp_timeout", "none"),
    ("abp_no_timeout", "some k"),
    ("snoopy_cache", "none"),
];

const HEADERS: [&str; 7] =
    ["model", "machines", "states, transitions", "k", "paper", "configurations", "time"];

/// The property that the table is about, and the engine that answers it.
const NAME: &str = "sendlang";

pub(super) fn table(args: &BenchArgs, options: &Options, look: &LookArgs) -> Result<Exit, Trouble> {
    let mut wanted = files::models(&args.paths, &args.reading)?;
    let place = |path: &std::path::Path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        KNOWN.iter().position(|(name, _)| Some(*name) == stem)
    };
    wanted.retain(|it| args.paths.contains(&it.path) || place(&it.path).is_some());
    wanted.sort_by_key(|it| place(&it.path).unwrap_or(KNOWN.len()));
    let options = Options {
        properties: vec![NAME.to_owned()],
        engines: vec![NAME.to_owned()],
        ..options.clone()
    };
    let mut rows = Vec::new();
    let exit = over_models(&wanted, &options, look, |loaded, checked| {
        let path = std::path::Path::new(&checked.report.model.path);
        let paper = place(path).map_or("", |number| KNOWN[number].1);
        rows.push(row(loaded, checked, paper));
    });
    print(&table::written(args.format.into(), &HEADERS, &rows));
    Ok(exit)
}

fn row(loaded: &Loaded, checked: &Checked, paper: &str) -> Vec<String> {
    let report = &checked.report;
    let engine = report.engine(NAME);
    let figure = |name| {
        let figure = engine.and_then(|engine| engine.figure(name));
        figure.map(|n| n.to_string()).unwrap_or_default()
    };
    let verdict = report.properties.iter().find(|property| property.id == NAME);
    let answer = match verdict.map(|property| property.verdict) {
        Some(VerdictWord::Proved | VerdictWord::ProvedUpToFailure) => figure("least_k"),
        Some(VerdictWord::Violated) => "none".to_owned(),
        _ => "unknown".to_owned(),
    };
    let sizes: Vec<String> =
        peer_sizes(loaded).iter().map(|(states, arcs)| format!("({states}, {arcs})")).collect();
    vec![
        report.model.path.clone(),
        report.model.machines.to_string(),
        sizes.join(" "),
        answer,
        paper.to_owned(),
        figure("configurations"),
        format!("{:.3}", engine.map_or(0.0, |engine| engine.time_s)),
    ]
}
