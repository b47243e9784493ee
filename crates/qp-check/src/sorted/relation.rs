//! Whether a row stands for a configuration.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use qp_base::Map;
use qp_machines::{Apart, ClassId, Config, Part, SlotId, System, Term, Use, WordId};

use super::kinds::{Names, Sort};
use super::tables::Tables;
use crate::{Checked, wrong};

/// The relation between configurations and rows.
pub(super) struct Relation {
    tables: Tables,
    /// What can still be done, by where somebody is, or everybody.
    known: Map<Vec<u32>, Rc<Future>>,
}

/// What can still be done.
struct Future {
    uses: BTreeSet<(SlotId, Use)>,
    sorts: BTreeMap<u32, Sort>,
}

/// A configuration, as far as it is about numbers.
struct View<'a> {
    tables: &'a Tables,
    future: Rc<Future>,
    /// For each sort: the least number that can still be generated.
    low: BTreeMap<u32, i64>,
    /// Numbers that stand somewhere else than as keys of what forgets.
    held: BTreeSet<(u32, i64)>,
}

impl Relation {
    pub(super) fn new(tables: Tables) -> Self {
        Self { tables, known: Map::default() }
    }

    /// Checks that nothing can be done after a step that could not be done before: renamings of a configuration are
    /// renamings of what comes of it.
    pub(super) fn check_order(
        &mut self,
        system: &mut System,
        before: &Config,
        after: &Config,
    ) -> Checked<()> {
        let (before, after) = (places(&parts(system, before)?), places(&parts(system, after)?));
        let (before, after) = (self.future(&before), self.future(&after));
        match after.uses.difference(&before.uses).next() {
            Some(it) => wrong(format!("{it:?} is possible after a step, and not before")),
            None => Ok(()),
        }
    }

    fn future(&mut self, nodes: &[u32]) -> Rc<Future> {
        if let Some(known) = self.known.get(nodes) {
            return known.clone();
        }
        let (uses, mut sorts) = (self.tables.future(nodes), BTreeMap::new());
        for &(slot, it) in &uses {
            let sort = self.tables.sort(slot);
            let unused = || Sort::unused(self.tables.is_keyed(sort));
            sorts.entry(sort).or_insert_with(unused).add(it);
        }
        let future = Rc::new(Future { uses, sorts });
        self.known.insert(nodes.to_vec(), future.clone());
        future
    }

    /// Checks that a configuration is the row but for these numbers, and for entries that nobody can ask for.
    pub(super) fn check(
        &mut self,
        system: &mut System,
        config: &Config,
        row: &Config,
        changes: &[(u32, i64, i64)],
    ) -> Checked<()> {
        if config.kinds != row.kinds || config.holder != row.holder {
            return wrong("a row has other queues than what it stands for");
        }
        let lengths = |config: &Config, system: &System| -> Vec<Option<usize>> {
            let length = |&word| (word != WordId::CLOSED).then(|| system.words().len(word));
            config.words.iter().map(length).collect()
        };
        if lengths(config, system) != lengths(row, system) {
            return wrong("a row has other messages than what it stands for");
        }
        let (from, to) = (parts(system, config)?, parts(system, row)?);
        let is_same = |(a, b): (&Apart, &Apart)| {
            a.shape == b.shape && a.nodes == b.nodes && a.terms.len() == b.terms.len()
        };
        if from.len() != to.len() || !from.iter().zip(&to).all(is_same) {
            return wrong("a row differs in more than numbers from what it stands for");
        }
        let mut names: BTreeMap<u32, Names> = BTreeMap::new();
        for &(sort, from, to) in changes {
            if names.entry(sort).or_default().insert(from, to).is_some() {
                return wrong("a number is renamed twice");
            }
        }
        let future = self.future(&places(&from));
        let own: Vec<Rc<Future>> = from.iter().map(|part| self.future(&part.nodes)).collect();
        let low = lowest(&self.tables, &from, &own);
        let mut view = View { tables: &self.tables, future, low, held: BTreeSet::new() };
        view.find_held(&from);
        let mut met: BTreeMap<u32, Names> = BTreeMap::new();
        for (term, image) in from.iter().zip(&to).flat_map(|(a, b)| a.terms.iter().zip(&*b.terms)) {
            let name = &mut |slot, number| {
                let sort = view.tables.sort(slot);
                let to = names.get(&sort).and_then(|names| names.get(&number));
                let to = to.copied().unwrap_or(number);
                met.entry(sort).or_default().insert(number, to);
                to
            };
            if view.image(term, name) != sorted(image) {
                return wrong("a row has other numbers than what it stands for");
            }
        }
        for (sort, names) in met {
            if !view.sort(sort).allows(&names, view.low.get(&sort).copied()) {
                return wrong(format!("numbers of sort {sort} may not be {names:?}"));
            }
        }
        Ok(())
    }
}

/// The parts of a configuration: local states, messages, what is shared.
fn parts(system: &mut System, config: &Config) -> Checked<Vec<Apart>> {
    let mut parts: Vec<Part> =
        config.machines().map(|machine| Part::Local(machine, config.local(machine))).collect();
    for &word in &config.words {
        parts.extend(system.words().messages(word).into_iter().map(Part::Message));
    }
    parts.extend(system.cells(config.store).into_iter().map(Part::Store));
    let Some(values) = system.program_mut().as_values() else {
        return wrong("the model does not say what it does with numbers");
    };
    let apart = |part| values.apart(part).ok_or_else(|| "somebody is nowhere in the code".into());
    parts.into_iter().map(apart).collect()
}

fn places(parts: &[Apart]) -> Vec<u32> {
    parts.iter().flat_map(|part| &part.nodes).copied().collect()
}

/// For each sort: the least number of a generator that can still step.
fn lowest(tables: &Tables, parts: &[Apart], futures: &[Rc<Future>]) -> BTreeMap<u32, i64> {
    let mut low: BTreeMap<u32, i64> = BTreeMap::new();
    for (part, future) in parts.iter().zip(futures) {
        for term in &*part.terms {
            if let Term::Number(slot, number) = term
                && future.uses.contains(&(*slot, Use::Step))
            {
                let low = low.entry(tables.sort(*slot)).or_insert(*number);
                *low = (*low).min(*number);
            }
        }
    }
    low
}

impl View<'_> {
    fn sort(&self, sort: u32) -> Cow<'_, Sort> {
        let unused = || Cow::Owned(Sort::unused(self.tables.is_keyed(sort)));
        self.future.sorts.get(&sort).map_or_else(unused, Cow::Borrowed)
    }

    /// The least set of numbers that are held: what is in an entry counts only if its key is.
    fn find_held(&mut self, parts: &[Apart]) {
        loop {
            let before = self.held.len();
            for term in parts.iter().flat_map(|part| &*part.terms) {
                self.hold(term);
            }
            if self.held.len() == before {
                return;
            }
        }
    }

    fn hold(&mut self, term: &Term) {
        match term {
            Term::Number(slot, number) => {
                self.held.insert((self.tables.sort(*slot), *number));
            }
            Term::Atom(_) => {}
            Term::Tuple(_, terms) => terms.iter().for_each(|term| self.hold(term)),
            Term::Set(class, items) => {
                for item in items {
                    if !self.is_forgetful(*class, item) {
                        self.hold(item);
                    }
                }
            }
            Term::Map(class, entries) => {
                for (key, value) in entries {
                    if !self.is_forgetful(*class, key) {
                        self.hold(key);
                    }
                    if self.stays(*class, key) {
                        self.hold(value);
                    }
                }
            }
        }
    }

    /// Whether entries with such keys can be forgotten.
    fn is_forgetful(&self, class: ClassId, key: &Term) -> bool {
        !self.tables.is_counted(class)
            && any_number(key, &|slot, _| self.sort(self.tables.sort(slot)).forgets())
    }

    /// Whether the entry with this key can still be asked for.
    fn stays(&self, class: ClassId, key: &Term) -> bool {
        let is_lost = |slot, number| {
            let sort = self.tables.sort(slot);
            let (of, low) = (self.sort(sort), self.low.get(&sort).copied());
            of.forgets() && !self.held.contains(&(sort, number)) && !of.is_known(number, low)
        };
        self.tables.is_counted(class) || !any_number(key, &is_lost)
    }

    /// What a term is in a row.
    fn image(&self, term: &Term, name: &mut dyn FnMut(SlotId, i64) -> i64) -> Term {
        match term {
            Term::Number(slot, number) => Term::Number(*slot, name(*slot, *number)),
            Term::Atom(atom) => Term::Atom(*atom),
            Term::Tuple(kind, terms) => {
                Term::Tuple(*kind, terms.iter().map(|term| self.image(term, name)).collect())
            }
            Term::Set(class, items) => {
                let staying = items.iter().filter(|item| self.stays(*class, item));
                sorted(&Term::Set(*class, staying.map(|item| self.image(item, name)).collect()))
            }
            Term::Map(class, entries) => {
                let staying = entries.iter().filter(|entry| self.stays(*class, &entry.0));
                let entry =
                    |(key, value): &(Term, Term)| (self.image(key, name), self.image(value, name));
                sorted(&Term::Map(*class, staying.map(entry).collect()))
            }
        }
    }
}

fn any_number(term: &Term, is: &dyn Fn(SlotId, i64) -> bool) -> bool {
    match term {
        Term::Number(slot, number) => is(*slot, *number),
        Term::Atom(_) => false,
        Term::Tuple(_, terms) | Term::Set(_, terms) => terms.iter().any(|it| any_number(it, is)),
        Term::Map(_, entries) => {
            entries.iter().any(|(key, value)| any_number(key, is) || any_number(value, is))
        }
    }
}

/// The term with its collections in order.
fn sorted(term: &Term) -> Term {
    match term {
        Term::Number(..) | Term::Atom(_) => term.clone(),
        Term::Tuple(kind, terms) => Term::Tuple(*kind, terms.iter().map(sorted).collect()),
        Term::Set(class, items) => {
            let mut items: Vec<Term> = items.iter().map(sorted).collect();
            items.sort_unstable();
            Term::Set(*class, items)
        }
        Term::Map(class, entries) => {
            let entry = |(key, value): &(Term, Term)| (sorted(key), sorted(value));
            let mut entries: Vec<(Term, Term)> = entries.iter().map(entry).collect();
            entries.sort_unstable();
            Term::Map(*class, entries)
        }
    }
}
