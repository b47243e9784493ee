//! The table of rounds.

use std::path::{Path, PathBuf};

use qp_report::ksync::{self, Row};
use queueproof::{Loaded, Options};

use super::over_models;
use crate::args::{BenchArgs, LookArgs};
use crate::exit::{Exit, Trouble};
use crate::files::Wanted;
use crate::print;

/// The ends of the names of models that have a row.
const ENDS: [&str; 2] = ["cfsm", "p"];

pub(super) fn table(args: &BenchArgs, options: &Options, look: &LookArgs) -> Result<Exit, Trouble> {
    if !args.limits.engine.is_empty() {
        return Err(Trouble::usage("--table ksync picks its engine itself; leave --engine out"));
    }
    let options = Options {
        properties: vec!["sync".to_owned()],
        engines: vec!["exchange".to_owned()],
        ..options.clone()
    };
    let switches = args.reading.switches();
    let models: Vec<Wanted> = models(&args.paths)?
        .into_iter()
        .map(|path| Wanted { path, switches: switches.clone(), input_max: crate::files::INPUT_MAX })
        .collect();
    let mut rows = Vec::new();
    let exit = over_models(&models, &options, look, |loaded, checked| {
        let name = stem(Path::new(&loaded.source.name));
        rows.push(Row::new(&name, machines(loaded, &options), &checked.report));
    });
    print(&ksync::written(args.format.into(), &rows));
    Ok(exit)
}

/// The models that paths stand for, in the order of the table: of a folder, those with a row.
fn models(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Trouble> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        for stem in ksync::stems() {
            let names = ENDS.map(|end| path.join(format!("{stem}.{end}")));
            found.extend(names.into_iter().filter(|model| model.is_file()));
        }
        if found.len() == before {
            let message =
                format!("{}: none of the models of the table is in this folder", path.display());
            return Err(Trouble::usage(message));
        }
    }
    let place = |path: &PathBuf| ksync::stems().position(|known| known == stem(path));
    found.sort_by_key(|path| place(path).unwrap_or(usize::MAX));
    Ok(found)
}

/// How many machines there are. Those that are created are met when something runs.
fn machines(loaded: &Loaded, options: &Options) -> u64 {
    const STATES_MAX: u64 = 1_000;
    let options = Options {
        properties: vec!["assert".to_owned()],
        engines: vec!["explore".to_owned()],
        states_max: STATES_MAX,
        ..options.clone()
    };
    let report = queueproof::check(loaded, &options, &options.budget()).report;
    let met = report.figures("machines").max();
    met.unwrap_or(0).max(report.model.machines as u64)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
