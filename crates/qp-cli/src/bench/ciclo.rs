//! The tables of boundedness and livelock freedom.

use std::path::{Path, PathBuf};

use qp_report::ciclo::{self, Answer, Row, Size};
use queueproof::{
    Channels, Checked, Language, Loaded, Options, QueueStatus, Switches, VerdictWord,
};

use crate::args::{BenchArgs, LookArgs};
use crate::exit::{Exit, Trouble};
use crate::files::{self, Wanted};
use crate::{print, tell};

/// The models of a folder that have a row, in the order of the paper's tables.
const KNOWN: [&str; 13] = [
    "client_server",
    "leader_5",
    "snoopy_cache",
    "credit_recovery",
    "conway_cards",
    "conway",
    "sleep_wakeup",
    "mvcc",
    "train_controller",
    "giop",
    "neilsen_mizuno",
    "mobile_handover",
    "sip",
];

/// A macro that a model is read with. The paper's users may send inputs for ever, so these count as progress there.
const DEFINED: (&str, &str) = ("mvcc", "INPUT_IS_PROGRESS");

/// Models that come in several sizes: the file, the macro, the sizes.
const FAMILIES: [(&str, &str, [u32; 10]); 2] = [
    ("leader_5", "N", [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]),
    ("mvcc", "U", [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
];

/// A search for a queue that grows visits so many configurations at most.
const SEARCH_MAX: u64 = 3_000_000;
/// The same for each size of a model, of which there are many.
const SIZE_SEARCH_MAX: u64 = 20_000;
/// A search for a livelock visits so many.
const LIVELOCK_MAX: u64 = 500_000;

pub(super) fn tables(
    args: &BenchArgs,
    options: &Options,
    look: &LookArgs,
) -> Result<Exit, Trouble> {
    if !args.limits.engine.is_empty() {
        return Err(Trouble::usage("--table ciclo picks its engines itself; leave --engine out"));
    }
    let mut bench = Bench { args, options, look, exit: Exit::Fine };
    let (mut rows, mut sizes) = (Vec::new(), Vec::new());
    for path in &args.paths {
        for model in models(path)? {
            rows.extend(bench.row(&model));
        }
        for (stem, name, all) in FAMILIES {
            let model = path.join(format!("{stem}.pml"));
            for size in all.into_iter().filter(|_| model.is_file()) {
                sizes.extend(bench.size(&model, (stem, name), size));
            }
        }
    }
    print(&ciclo::written(args.format.into(), &rows, &sizes));
    Ok(bench.exit)
}

/// The models that a path stands for: of a folder, those with a row.
fn models(path: &Path) -> Result<Vec<PathBuf>, Trouble> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let known = KNOWN.iter().map(|stem| path.join(format!("{stem}.pml")));
    let known: Vec<PathBuf> = known.filter(|model| model.is_file()).collect();
    if known.is_empty() {
        let message =
            format!("{}: none of the models of the table is in this folder", path.display());
        return Err(Trouble::usage(message));
    }
    Ok(known)
}

struct Bench<'a> {
    args: &'a BenchArgs,
    options: &'a Options,
    look: &'a LookArgs,
    exit: Exit,
}

impl Bench<'_> {
    fn row(&mut self, path: &Path) -> Option<Row> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (model, name) = DEFINED;
        let defines = (stem == model).then(|| (name.to_owned(), String::new()));
        let loaded = self.load(path, &Vec::from_iter(defines))?;
        let growth = self.growth(&loaded, SEARCH_MAX);
        let has_progress = loaded.model.outline().has_progress;
        let livelock = has_progress.then(|| self.livelock(&loaded));
        Some(Row { stem, growth, livelock })
    }

    fn size(&mut self, path: &Path, (stem, name): (&str, &str), size: u32) -> Option<Size> {
        let loaded = self.load(path, &[(name.to_owned(), size.to_string())])?;
        let growth = self.growth(&loaded, SIZE_SEARCH_MAX);
        let outline = loaded.model.outline();
        let (processes, queues) = (outline.machines.len(), outline.queues.len());
        Some(Size { stem: stem.to_owned(), size, processes, queues, growth })
    }

    /// Reads a model whose channels hold any number of messages.
    fn load(&mut self, path: &Path, defines: &[(String, String)]) -> Option<Loaded> {
        let mut switches = self.args.reading.switches();
        if switches.language_of(&path.to_string_lossy()) == Some(Language::Promela) {
            let channels = switches.channels.or(Some(Channels::Unbounded));
            switches = Switches { channels, ..switches };
            switches.defines.extend_from_slice(defines);
        }
        let wanted = Wanted { path: path.to_owned(), switches, input_max: crate::files::INPUT_MAX };
        match files::load_quietly(&wanted, self.look) {
            Ok(loaded) => Some(loaded),
            Err(error) => {
                let trouble = Trouble::from(error);
                self.exit = self.exit.max(trouble.exit);
                tell(&format!("queueproof: {}\n", trouble.message));
                None
            }
        }
    }

    fn growth(&mut self, loaded: &Loaded, states_max: u64) -> Answer {
        let counted = self.ask(loaded, "bounded", "flow", states_max);
        let is_open = |status| match status {
            QueueStatus::Unknown => true,
            // No search may have met the bound: then it may be more than there is.
            QueueStatus::Bounded(_) => states_max == SEARCH_MAX,
            QueueStatus::Unbounded => false,
        };
        let is_open = counted.report.queues.iter().any(|queue| is_open(queue.status));
        let searched = is_open.then(|| self.ask(loaded, "bounded", "explore", states_max).report);
        Answer::of_queues(&counted.report, searched.as_ref())
    }

    fn livelock(&mut self, loaded: &Loaded) -> Answer {
        let counted = self.ask(loaded, "livelock", "flow", LIVELOCK_MAX).report;
        let is_open = counted.properties.iter().all(|it| it.verdict == VerdictWord::Unknown);
        let searched =
            is_open.then(|| self.ask(loaded, "livelock", "explore", LIVELOCK_MAX).report);
        Answer::of_livelock(&counted, searched.as_ref())
    }

    fn ask(&mut self, loaded: &Loaded, id: &str, engine: &str, states_max: u64) -> Checked {
        let options = Options {
            properties: vec![id.to_owned()],
            engines: vec![engine.to_owned()],
            states_max: self.options.states_max.min(states_max),
            ..self.options.clone()
        };
        let checked = queueproof::check(loaded, &options, &options.budget());
        for error in &checked.errors {
            let name = &loaded.source.name;
            tell(&format!("queueproof: {name}: bug [{}]: {}\n", error.code, error.message));
            self.exit = Exit::Internal;
        }
        checked
    }
}
