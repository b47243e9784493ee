//! Reads rows with languages.

use std::collections::BTreeMap;

use qp_claim::{Language as Written, RegularSet};
use qp_machines::{Config, KindId, MessageId, Start, StoreId, System, WordId};

use crate::automaton::{Automaton, Language};
use crate::{Checked, Rejected, rejected, tables};

/// A content: what kind of queue, whether it is open or closed, and what it may hold.
type Held = (KindId, WordId, Language);

/// The rows that stand for something, by all but what queues hold.
pub(crate) fn rows(
    system: &mut System,
    regular: &RegularSet,
) -> Checked<BTreeMap<Config, Vec<Vec<Language>>>> {
    let (set, contents) = (&regular.set, contents(system, regular)?);
    let (locals, stores) = (tables::locals(system, set)?, tables::stores(system, set)?);
    let mut rows: BTreeMap<Config, Vec<Vec<Language>>> = BTreeMap::new();
    for row in set.rows() {
        let (machines, rest) = row.split_at(locals.len());
        let (queues, rest) = rest.split_at(set.n_queues);
        let (machines, queues) = (tables::present(machines)?, tables::present(queues)?);
        let start = Start { locals: Vec::new(), queues: Vec::new(), store: StoreId::NONE };
        let mut config = Config::initial(start);
        config.holder = tables::holder(rest[1], machines.len())?;
        config.store = *tables::value(&stores, rest[0])?;
        for (&cell, table) in machines.iter().zip(&locals) {
            config.locals.push(*tables::value(table, cell)?);
        }
        let mut held = Vec::new();
        for &cell in queues {
            let (kind, word, language) = tables::value(&contents, cell)?;
            config.kinds.push(*kind);
            config.words.push(*word);
            held.push(language.clone());
        }
        if !held.iter().any(|language| language.is_none()) {
            rows.entry(config).or_default().push(held);
        }
    }
    Ok(rows)
}

/// The table of contents. Of their messages only is read whether the queue is closed.
fn contents(system: &mut System, regular: &RegularSet) -> Checked<Vec<Held>> {
    let messages = tables::messages(system, &regular.set)?;
    let n_kinds = system.program().outline().kinds.len();
    if regular.languages.len() != regular.set.contents.len() {
        return rejected("there is not one language for each content");
    }
    let mut contents = Vec::new();
    for (content, written) in regular.set.contents.iter().zip(&regular.languages) {
        if content.kind as usize >= n_kinds {
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
    let mut steps: BTreeMap<u32, BTreeMap<MessageId, u32>> = BTreeMap::new();
    for &(from, letter, to) in &written.steps {
        if from.max(to) as usize >= written.accepting.len() {
            return rejected("a language has a step of a state that it does not have");
        }
        let message = messages.get(letter as usize);
        let message = message.ok_or_else(|| Rejected(format!("there is no letter {letter}")))?;
        if steps.entry(from).or_default().insert(*message, to).is_some() {
            return rejected("a language has two steps with one message");
        }
    }
    let out = |state: &u32| steps.get(state).into_iter().flatten().map(|(&m, &to)| (m, to));
    Automaton::build(0, |&state| written.accepting[state as usize], |state| out(state).collect())
}
