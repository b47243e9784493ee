//! A set of rows as evidence.

use qp_automata::regular::Language;
use qp_base::Interner;
use qp_claim::{ABSENT, ClosedSet, Content, Language as Automaton, RegularSet};
use qp_machines::{Config, KindId, LocalId, MachineId, MessageId, StoreId, System};

use super::asks::has_content;
use super::rows::Rows;
use super::world::{World, message};

/// Writes down every row, with texts and numbers only.
pub(super) fn regular_set(world: &World, rows: &Rows) -> RegularSet {
    let configs = || rows.iter().map(|(control, _)| world.config(control));
    let n_machines = configs().map(|config| config.locals.len()).max().unwrap_or(0);
    let n_queues = configs().map(|config| config.words.len()).max().unwrap_or(0);
    let mut writer = Writer {
        system: &world.system,
        locals: vec![Interner::new(); n_machines],
        contents: Interner::new(),
        messages: Interner::new(),
        stores: Interner::new(),
        set: RegularSet::default(),
    };
    writer.set.set = ClosedSet { n_queues, ..ClosedSet::default() };
    for (control, product) in rows.iter() {
        writer.add(world.config(control), &product.0);
    }
    writer.finish()
}

struct Writer<'a> {
    system: &'a System,
    locals: Vec<Interner<usize, LocalId>>,
    /// Languages with kinds of queues; nothing for a closed one.
    contents: Interner<usize, (Option<Language>, KindId)>,
    messages: Interner<usize, MessageId>,
    stores: Interner<usize, StoreId>,
    set: RegularSet,
}

impl Writer<'_> {
    fn add(&mut self, config: &Config, languages: &[Language]) {
        for (machine, locals) in self.locals.iter_mut().enumerate() {
            let local = config.locals.get(machine);
            let cell = local.map_or(ABSENT, |&local| locals.intern(local) as u32);
            self.set.set.cells.push(cell);
        }
        for queue in 0..self.set.set.n_queues {
            let Some(language) = languages.get(queue) else {
                self.set.set.cells.push(ABSENT);
                continue;
            };
            let is_open = has_content(config, queue.into());
            let kind = config.kinds[queue];
            let cell = self.contents.intern((is_open.then(|| language.clone()), kind));
            if cell == self.set.languages.len() {
                self.content(is_open.then_some(language), kind);
            }
            self.set.set.cells.push(cell as u32);
        }
        self.set.set.cells.push(self.stores.intern(config.store) as u32);
        self.set.set.cells.push(config.holder.map_or(ABSENT, MachineId::raw));
    }

    /// Writes down a language with one of its shortest words.
    fn content(&mut self, language: Option<&Language>, kind: KindId) {
        let word = language.map(|language| language.shortest_word().unwrap_or_default());
        let place = |letter| self.messages.intern(message(letter)) as u32;
        let messages = word.map(|word| word.into_iter().map(place).collect());
        self.set.set.contents.push(Content { kind: kind.raw(), messages });
        let automaton = language.map_or_else(Automaton::default, |l| self.automaton(l));
        self.set.languages.push(automaton);
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

    fn finish(mut self) -> RegularSet {
        let program = self.system.program();
        let set = &mut self.set.set;
        let machines = self.locals.iter().enumerate();
        let text =
            |machine: usize, local: &LocalId| program.local_text(MachineId::new(machine), *local);
        set.locals = machines
            .map(|(machine, locals)| locals.values().iter().map(|l| text(machine, l)).collect())
            .collect();
        set.messages = self.messages.values().iter().map(|&m| program.message_text(m)).collect();
        set.stores = self.stores.values().iter().map(|&s| self.system.store_text(s)).collect();
        self.set
    }
}
