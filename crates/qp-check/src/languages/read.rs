//! Reads rows with languages.

use std::collections::BTreeMap;

use qp_claim::{ABSENT, Language as Written, RegularSet};
use qp_machines::{KindId, MachineId, MessageId, System, WordId};

use crate::languages::automaton::{Automaton, Language};
use crate::languages::parts::Case;
use crate::languages::{Checked, Rows, rejected};
use crate::tables;

/// A content: what kind of queue, whether it is open or closed, and what it may hold.
type Held = (KindId, WordId, Language);

/// The rows that stand for something, by all but what queues hold.
pub(crate) fn rows(system: &mut System, set: &RegularSet) -> Checked<Rows> {
    let (contents, mut locals) = (contents(system, set)?, Vec::new());
    let (set, mut config) = (&set.set, system.initial());
    let stores = tables::read(&set.stores, |text| system.store_from_text(text))?;
    let program = system.program_mut();
    for (machine, texts) in set.locals.iter().enumerate() {
        let local = |text: &str| program.local_from_text(MachineId::new(machine), text);
        locals.push(tables::read(texts, local)?);
    }
    let mut rows = Rows::new();
    for (place, row) in set.rows().enumerate() {
        let (machines, rest) = row.split_at(locals.len());
        let (queues, rest) = rest.split_at(set.n_queues);
        config.holder = (rest[1] != ABSENT).then(|| MachineId::from_raw(rest[1]));
        config.store = tables::value(&stores, rest[0])?;
        let local = tables::present(machines)?.iter().zip(&locals);
        config.locals = local.map(|(&cell, of)| tables::value(of, cell)).collect::<Checked<_>>()?;
        if config.holder.is_some_and(|holder| holder.index() >= config.locals.len()) {
            return rejected("in a row, a machine goes on alone that does not exist");
        }
        let held = tables::present(queues)?.iter().map(|&cell| tables::value(&contents, cell));
        let held: Vec<Held> = held.collect::<Checked<_>>()?;
        config.kinds = held.iter().map(|held| held.0).collect();
        config.words = held.iter().map(|held| held.1).collect();
        let languages: Vec<Language> = held.into_iter().map(|held| held.2).collect();
        if !languages.iter().any(|language| language.is_none()) {
            let case = Case { place, config: config.clone(), languages };
            rows.entry(config.clone()).or_default().push(case);
        }
    }
    Ok(rows)
}

/// The table of contents. Of their messages only is read whether the queue is closed.
fn contents(system: &mut System, regular: &RegularSet) -> Checked<Vec<Held>> {
    let program = system.program_mut();
    let messages = tables::read(&regular.set.messages, |text| program.message_from_text(text))?;
    if regular.languages.len() != regular.set.contents.len() {
        return rejected("there is not one language for each content");
    }
    let mut contents = Vec::new();
    for (content, written) in regular.set.contents.iter().zip(&regular.languages) {
        if content.kind as usize >= program.outline().kinds.len() {
            return rejected(format!("there is no kind of queue {}", content.kind));
        }
        let (word, language) = match (&content.messages, written.accepting.is_empty()) {
            (None, true) if written.steps.is_empty() => (WordId::CLOSED, Automaton::word(&[])?),
            (Some(_), false) => (WordId::EMPTY, language(written, &messages)?),
            _ => return rejected("closed queues, and no others, have a language without states"),
        };
        contents.push((KindId::from_raw(content.kind), word, language));
    }
    Ok(contents)
}

fn language(written: &Written, messages: &[MessageId]) -> Checked<Language> {
    let mut steps = vec![BTreeMap::new(); written.accepting.len()];
    for &(from, letter, to) in &written.steps {
        if from.max(to) as usize >= steps.len() {
            return rejected("a language has a step of a state that it does not have");
        }
        if steps[from as usize].insert(tables::value(messages, letter)?, to).is_some() {
            return rejected("a language has two steps with one message");
        }
    }
    let out = |&state: &u32| steps[state as usize].iter().map(|(&m, &to)| (m, to)).collect();
    Automaton::build(0, |&state| written.accepting[state as usize], out)
}
