//! A set of rows as evidence.

use qp_automata::regular::Language;
use qp_base::Interner;
use qp_claim::{Content, Language as Automaton, RegularSet};
use qp_machines::{Config, KindId, MessageId};

use crate::search::evidence::listed;

use super::asks::has_content;
use super::rows::Rows;
use super::world::{World, message};

/// Writes down every row, with texts and numbers only.
pub(super) fn regular_set(world: &World, rows: &Rows) -> RegularSet {
    let configs: Vec<&Config> = rows.iter().map(|(control, _)| world.config(control)).collect();
    let mut writer = Writer::default();
    // Everything but what queues hold is as in any set.
    let mut set = listed(&world.system, &configs);
    let (n_machines, width) = (set.locals.len(), set.cells.len() / configs.len().max(1));
    let row_cells = set.cells.chunks_mut(width.max(1));
    for (((_, product), config), cells) in rows.iter().zip(configs).zip(row_cells) {
        for (queue, language) in config.queues().zip(&product.0) {
            let language = has_content(config, queue).then_some(language);
            let kind = config.kinds[queue.index()];
            cells[n_machines + queue.index()] = writer.content(language, kind);
        }
    }
    let text = |&message: &MessageId| world.system.program().message_text(message);
    set.messages = writer.messages.values().iter().map(text).collect();
    set.contents = writer.shortest;
    RegularSet { set, languages: writer.languages }
}

#[derive(Default)]
struct Writer {
    /// Languages with kinds of queues; nothing for a closed one.
    contents: Interner<usize, (Option<Language>, KindId)>,
    messages: Interner<usize, MessageId>,
    /// For each of these contents, one of its shortest words.
    shortest: Vec<Content>,
    languages: Vec<Automaton>,
}

impl Writer {
    /// The cell of a language.
    fn content(&mut self, language: Option<&Language>, kind: KindId) -> u32 {
        let cell = self.contents.intern((language.cloned(), kind));
        if cell == self.languages.len() {
            let word = language.map(|language| language.shortest_word().unwrap_or_default());
            let place = |letter| self.messages.intern(message(letter)) as u32;
            let messages = word.map(|word| word.into_iter().map(place).collect());
            self.shortest.push(Content { kind: kind.raw(), messages });
            let automaton = language.map_or_else(Automaton::default, |l| self.automaton(l));
            self.languages.push(automaton);
        }
        cell as u32
    }

    fn automaton(&mut self, language: &Language) -> Automaton {
        let states = language.dfa().states();
        let mut steps = Vec::new();
        for (id, state) in states.iter_enumerated() {
            for edge in &state.edges {
                let letters = edge.letters.listed().iter();
                let place = |&letter| self.messages.intern(message(letter)) as u32;
                let tos = letters.map(place).map(|place| (id.raw(), place, edge.to.raw()));
                steps.extend(tos);
            }
        }
        steps.sort_unstable();
        Automaton { accepting: states.iter().map(|state| state.accepting).collect(), steps }
    }
}
