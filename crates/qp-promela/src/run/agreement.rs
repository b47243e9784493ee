//! Turns and moves lead to the same configurations, where moves can express a model.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use qp_front_promela::{NoFiles, Spec};
use qp_machines::{Config, Event, System};

use super::Processes;
use crate::fits::fits_moves;
use crate::{Granularity, Options, demand, graph};

fn processes(spec: &Spec) -> Option<[Processes; 2]> {
    let mut said = Vec::new();
    let graphs = graph::graphs(spec, &mut said);
    if !fits_moves(spec, &graphs) {
        return None;
    }
    let demands = demand::demands(spec, &mut said);
    assert!(said.is_empty(), "{said:?}");
    let options = Options { granularity: Granularity::Statement, ..Options::default() };
    let turns = Processes::new(spec.clone(), (graphs.clone(), None), demands.clone(), options);
    let mut moves = Processes::new(spec.clone(), (graphs, None), demands, options);
    moves.outline.whole = false;
    Arc::get_mut(&mut moves.code).expect("nobody else has it yet").whole = false;
    Some([turns, moves])
}

/// Larger models show nothing that smaller ones do not.
const CONFIGURATIONS_MAX: usize = 10_000;

/// All configurations outside of atomic sequences, as texts, if there are not too many. What a channel
/// carries is left out of its name.
fn configurations(processes: Processes) -> Option<BTreeSet<String>> {
    let mut system = System::new(Box::new(processes));
    let first = system.initial();
    let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
    let mut texts = BTreeSet::new();
    while let Some(config) = todo.pop() {
        if seen.len() > CONFIGURATIONS_MAX {
            return None;
        }
        let holder = config.holder;
        if holder.is_none_or(|it| system.outcomes(&config, it, false).is_empty()) {
            texts.insert(text(&system, &config));
        }
        for outcome in system.successors(&config) {
            if let Event::Failed { failure } = outcome.event {
                texts.insert(format!("{:?}", system.program().failure(failure)));
            } else if seen.insert(outcome.config.clone()) {
                todo.push(outcome.config);
            }
        }
    }
    Some(texts)
}

fn text(system: &System, config: &Config) -> String {
    let program = system.program();
    let mut words = vec![program.store_text(config.store)];
    words.extend(config.machines().map(|it| program.local_text(it, config.local(it))));
    for &word in &config.words {
        let messages = system.words().messages(word).into_iter();
        words.push(messages.map(|it| program.message_text(it)).collect::<Vec<_>>().join(" "));
    }
    let mut text = words.join("; ");
    while let Some(dot) = text.find('.') {
        let end = text[dot + 1..].find(|it: char| !it.is_ascii_digit());
        text.replace_range(dot..end.map_or(text.len(), |end| dot + 1 + end), "");
    }
    text
}

#[test]
fn turns_and_moves_meet_the_same_configurations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut n_compared = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let read = qp_front_promela::Options::default();
        let Some(spec) = qp_front_promela::read("model.pml", &text, &NoFiles, &read).spec else {
            continue;
        };
        let Some([turns, moves]) = processes(&spec) else { continue };
        let (Some(turns), Some(moves)) = (configurations(turns), configurations(moves)) else {
            continue;
        };
        n_compared += 1;
        assert!(turns == moves, "{}", path.display());
    }
    assert!(n_compared >= 15, "only {n_compared} models fit");
}
