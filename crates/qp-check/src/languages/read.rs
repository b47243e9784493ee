//! Reads rows with languages.

use std::collections::BTreeMap;

use qp_claim::{Language as Written, RegularSet};
use qp_machines::{MessageId, System, WordId};

use super::Rows;
use super::automaton::{Automaton, Language};
use super::parts::Case;
use crate::tables::{Tables, value};
use crate::{Checked, wrong};

/// The rows.
pub(super) fn rows(system: &mut System, set: &RegularSet) -> Checked<Rows> {
    let tables = Tables::read(system, &set.set)?;
    let languages = languages(set, &tables)?;
    let (n, mut config) = (set.set.len(), system.initial());
    let mut rows = Rows { n, cases: BTreeMap::new(), places: BTreeMap::new() };
    for (place, row) in set.set.rows().enumerate() {
        tables.translate(row, &mut config)?;
        // What open queues hold, their languages say.
        for word in config.words.iter_mut().filter(|word| **word != WordId::CLOSED) {
            *word = WordId::EMPTY;
        }
        let held = tables.queues(row)?.iter().map(|&cell| value(&languages, cell));
        let languages: Vec<Language> = held.collect::<Checked<_>>()?;
        if !languages.iter().any(|language| language.is_none()) {
            rows.cases.insert(place, Case { place, config: config.clone(), languages });
            rows.places.entry(config.clone()).or_default().push(place);
        }
    }
    Ok(rows)
}

/// The language of each content.
fn languages(regular: &RegularSet, tables: &Tables) -> Checked<Vec<Language>> {
    if regular.languages.len() != tables.contents.len() {
        return wrong("there is not one language for each content");
    }
    let pairs = tables.contents.iter().zip(&regular.languages);
    pairs
        .map(|(&(word, _), written)| match (word, written.accepting.is_empty()) {
            (WordId::CLOSED, true) if written.steps.is_empty() => Automaton::word(&[]),
            (word, false) if word != WordId::CLOSED => language(written, &tables.messages),
            _ => wrong("closed queues, and no others, have a language without states"),
        })
        .collect()
}

fn language(written: &Written, messages: &[MessageId]) -> Checked<Language> {
    let mut steps = vec![BTreeMap::new(); written.accepting.len()];
    for &(from, letter, to) in &written.steps {
        if from.max(to) as usize >= steps.len() {
            return wrong("a language has a step of a state that it does not have");
        }
        if steps[from as usize].insert(value(messages, letter)?, to).is_some() {
            return wrong("a language has two steps with one message");
        }
    }
    let out = |&state: &u32| steps[state as usize].iter().map(|(&m, &to)| (m, to)).collect();
    Automaton::build(0, |&state| written.accepting[state as usize], out)
}
