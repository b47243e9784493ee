//! Proofs for every queue length: what is in their way, and what is said about queues.

use queueproof::{InvariantReport, Report, SituationMachine, SituationReport};

use super::page::Page;
use crate::fit::clean;

/// With so few machines all of them are shown, else those that matter.
const MACHINES_MAX: usize = 4;
/// Of what was found, so many are shown that are proved, and so many that are not.
const FOUND_MAX: usize = 5;

impl Page<'_> {
    /// The machines of a situation that is in the way, those that matter.
    pub(super) fn situation(&mut self, situation: &SituationReport) {
        let content = |machine: &SituationMachine| {
            let reads = |reader: &Option<String>| reader.as_ref() == Some(&machine.name);
            situation.queues.iter().find(|queue| reads(&queue.reader))
        };
        let all = situation.machines.len() <= MACHINES_MAX;
        let mut label = "in the way";
        for machine in &situation.machines {
            let queue = content(machine);
            if all || machine.at_fault || queue.is_some() {
                let held = match queue {
                    Some(queue) => format!(", queue {}", clean(&queue.content.join(" "))),
                    None => String::new(),
                };
                let (name, state) = (clean(&machine.name), clean(&machine.state));
                self.labelled(label, &format!("{name} is in {state}{held}"));
                label = "";
            }
        }
        for queue in situation.queues.iter().filter(|queue| queue.reader.is_none()) {
            let content = clean(&queue.content.join(" "));
            self.labelled(label, &format!("queue {}: {content}", clean(&queue.name)));
            label = "";
        }
    }

    /// What is said about queues: all that somebody stated, what proofs rest on, and some of what was
    /// found and might help.
    pub(super) fn invariants(&mut self, report: &Report) {
        let mut label = "invariants";
        let mut group = |page: &mut Self, max: usize, is_in: &dyn Fn(&InvariantReport) -> bool| {
            let all: Vec<&InvariantReport> =
                report.invariants.iter().filter(|it| is_in(it)).collect();
            let shown = if page.style.full { all.len() } else { max.min(all.len()) };
            for it in &all[..shown] {
                let (about, formula) = (clean(&it.about), clean(&it.formula));
                page.labelled(label, &format!("{about}: {formula} ({})", standing(it)));
                label = "";
            }
            if let Some(it) = all.get(shown) {
                page.labelled("", &format!("and {} more ({})", all.len() - shown, standing(it)));
            }
        };
        group(self, usize::MAX, &|it| it.stated);
        group(self, FOUND_MAX, &|it| !it.stated && it.standing == "proved");
        group(self, FOUND_MAX, &|it| !it.stated && it.standing == "open");
        if label.is_empty() {
            self.line("");
        }
    }
}

/// How an invariant stands, in words.
fn standing(invariant: &InvariantReport) -> &str {
    match (invariant.standing.as_str(), invariant.stated) {
        ("proved", true) => "proved",
        ("proved", false) => "found and proved",
        ("open", true) => "true as far as was searched, not proved",
        ("open", false) => "found: true as far as was searched, not proved",
        ("false", _) => "false: some run breaks it",
        ("unmatched", _) => "nothing of this name was met",
        ("unused", _) => "not needed",
        (other, _) => other,
    }
}

/// ` (prefix 0, 17 different-looking configurations)`, for an engine that blurs.
pub(super) fn figures(report: &Report, engine: &str) -> String {
    let engine = report.engine(engine);
    let figure = |name| engine.and_then(|engine| engine.figure(name));
    let Some(prefix) = figure("p") else { return String::new() };
    let counted = figure("c").filter(|&c| c > 0);
    let parts = [
        Some(format!("prefix {prefix}")),
        counted.map(|counted| format!("counted to {counted}")),
        figure("abstract_states").map(|n| format!("{n} abstract configurations")),
        figure("k_max").map(|k| format!("all seen at queue length {k}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!(" ({})", parts.join(", "))
}
