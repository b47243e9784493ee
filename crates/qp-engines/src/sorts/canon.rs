//! The representative of a configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use qp_base::{Map, Span};
use qp_machines::{Apart, Config, MessageId, Part, SlotId, System, Term, Use, Values, WordId};

use crate::Remark;

use super::apply::{numbers, renamed};
use super::garbage::Held;
use super::kinds::{Cell, Kind, Sort, sorts};
use super::naming::{Free, Naming, Renaming};
use super::tables::{Bits, Tables};

/// So many slots of a sort are named in a report.
const NAMES_SHOWN: usize = 3;

/// Finds representatives, and remembers them.
pub(super) struct Canon {
    pub(super) tables: Tables,
    /// Slots of generators, with the number of their use.
    generators: Vec<(SlotId, usize)>,
    /// Sorts by where everybody is.
    sorts: Map<Vec<u32>, Rc<[Sort]>>,
    /// Whether a generator can still step, by where its machine is.
    steps: Map<Vec<u32>, Rc<Bits>>,
    known: Map<Config, Rc<Form>>,
    /// How sorts were used, for the report.
    pub(super) used: BTreeSet<(usize, Kind)>,
    /// Whether entries were dropped.
    pub(super) dropped: bool,
}

/// A representative, and which numbers are others in it.
pub(super) struct Form {
    pub(super) config: Config,
    pub(super) changes: Vec<(u32, i64, i64)>,
}

/// A configuration in parts: local states, messages, what is shared.
struct Pieces {
    parts: Vec<(Part, Apart)>,
    /// For each queue: how many messages it has, unless it is closed.
    queues: Vec<Option<usize>>,
}

impl Canon {
    pub(super) fn new(tables: Tables) -> Self {
        let uses = tables.uses.values().iter().enumerate();
        let generators = uses.filter(|(_, it)| it.1 == Use::Step).map(|(n, it)| (it.0, n));
        Self {
            generators: generators.collect(),
            tables,
            sorts: Map::default(),
            steps: Map::default(),
            known: Map::default(),
            used: BTreeSet::new(),
            dropped: false,
        }
    }

    /// What was used, in the user's words: one line for each sort.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let kinds: BTreeMap<usize, Kind> = self.used.iter().copied().collect();
        let remark = |(sort, kind): (usize, Kind)| {
            let of = self.tables.sorts.iter().zip(&self.tables.names);
            let of = of.filter(|(it, name)| **it as usize == sort && !name.0.is_empty());
            let mut names: Vec<&(String, Span)> = of.map(|(_, name)| name).collect();
            names.dedup();
            let shown: Vec<&str> = names.iter().map(|it| &*it.0).take(NAMES_SHOWN).collect();
            let more = if names.len() > shown.len() { " and others" } else { "" };
            let text = format!("{}{more} {}", shown.join(", "), kind.says());
            Some(Remark { text, span: names.first()?.1 })
        };
        kinds.into_iter().filter_map(remark).collect()
    }

    /// How many configurations are remembered.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The representative of a configuration; nothing if it is not known where in the code somebody is.
    pub(super) fn form(&mut self, system: &mut System, config: &Config) -> Option<Rc<Form>> {
        if let Some(known) = self.known.get(config) {
            return Some(known.clone());
        }
        let form = Rc::new(self.find(system, config)?);
        self.known.insert(config.clone(), form.clone());
        Some(form)
    }

    fn find(&mut self, system: &mut System, config: &Config) -> Option<Form> {
        let pieces = take_apart(system, config)?;
        let nodes = pieces.parts.iter().flat_map(|(_, apart)| &apart.nodes).copied().collect();
        let sorts = self.sorts_at(nodes);
        let low = self.low(&pieces);
        let terms: Vec<&[Term]> = pieces.parts.iter().map(|(_, apart)| &*apart.terms).collect();
        let held = Held::find(&self.tables, &sorts, &low, &terms);
        let tables = &self.tables;
        let kept: Vec<Vec<Term>> = terms
            .iter()
            .map(|terms| {
                let keep =
                    |term| renamed(term, &|_, number| number, &|class, key| held.keeps(class, key));
                terms.iter().map(keep).collect()
            })
            .collect();
        let (fixed, free) = self.classes(&sorts, &low, &kept);
        let naming = Naming {
            sort: &|slot| tables.sort(slot),
            next: &|sort: usize, cell| match sorts[sort].kind {
                Kind::Cells => sorts[sort].names(cell),
                _ => cell.plain(),
            },
            terms: &kept,
        };
        let to = if free.is_empty() { fixed } else { naming.name(fixed, &free) };
        let mut changes = Vec::new();
        for (sort, to) in to.iter().enumerate() {
            let others = to.iter().filter(|(from, to)| from != to);
            changes.extend(others.map(|(from, to)| (sort as u32, *from, *to)));
        }
        for &(sort, ..) in &changes {
            self.used.insert((sort as usize, sorts[sort as usize].kind));
        }
        let name = |slot, number| to[tables.sort(slot)].get(&number).copied().unwrap_or(number);
        let all = kept.iter().map(|terms| {
            terms.iter().map(|term| renamed(term, &name, &|_, _| true)).collect::<Vec<_>>()
        });
        let all: Vec<Vec<Term>> = all.collect();
        let size = |term: &Term| {
            let mut n = 0;
            numbers(term, &mut |_, _| n += 1);
            n
        };
        let count = |terms: &mut dyn Iterator<Item = &Term>| terms.map(size).sum::<usize>();
        self.dropped |=
            count(&mut terms.iter().copied().flatten()) > count(&mut all.iter().flatten());
        Some(Form { config: put_together(system, config, &pieces, &all), changes })
    }

    fn sorts_at(&mut self, nodes: Vec<u32>) -> Rc<[Sort]> {
        let tables = &self.tables;
        let find = |nodes: &Vec<u32>| sorts(tables, &tables.from(nodes)).into();
        self.sorts.entry(nodes).or_insert_with_key(find).clone()
    }

    /// For each sort: the least number of a generator that can still step.
    fn low(&mut self, pieces: &Pieces) -> Vec<Option<i64>> {
        let mut low = vec![None; self.tables.n_sorts];
        if self.generators.is_empty() {
            return low;
        }
        for (_, apart) in pieces.parts.iter().filter(|(_, apart)| !apart.nodes.is_empty()) {
            let tables = &self.tables;
            let find = |nodes: &Vec<u32>| Rc::new(tables.from(nodes));
            let future = self.steps.entry(apart.nodes.clone()).or_insert_with_key(find).clone();
            for term in &*apart.terms {
                let Term::Number(slot, number) = term else { continue };
                let step = self.generators.iter().find(|it| it.0 == *slot);
                if step.is_some_and(|&(_, it)| future[it / 64] >> (it % 64) & 1 == 1) {
                    let low = &mut low[self.tables.sort(*slot)];
                    *low = Some(low.map_or(*number, |low: i64| low.min(*number)));
                }
            }
        }
        low
    }

    /// What numbers become that may not be exchanged, and those that may.
    fn classes(
        &self,
        sorts: &[Sort],
        low: &[Option<i64>],
        terms: &[Vec<Term>],
    ) -> (Renaming, Vec<Free>) {
        let mut met: Vec<BTreeSet<i64>> = vec![BTreeSet::new(); sorts.len()];
        for term in terms.iter().flatten() {
            numbers(term, &mut |slot, number| {
                met[self.tables.sort(slot)].insert(number);
            });
        }
        let mut fixed: Renaming = vec![BTreeMap::new(); sorts.len()];
        let mut free = Vec::new();
        for (number, sort) in sorts.iter().enumerate() {
            let (met, to) = (&met[number], &mut fixed[number]);
            let Some(&least) = met.first() else { continue };
            match sort.kind {
                Kind::Collapse => to.extend(met.iter().map(|&it| (it, sort.collapsed(it)))),
                Kind::Slide if sort.fixed.is_none() && !sort.resets => {
                    to.extend(met.iter().map(|&it| (it, it.saturating_sub(least))));
                }
                Kind::Plain | Kind::Slide => {}
                Kind::Ranks | Kind::Names => {
                    let low = low[number];
                    if sort.resets || low.is_some_and(|low| !sort.is_above(low)) {
                        continue;
                    }
                    let is_old = |it: &i64| sort.is_above(*it) && low.is_none_or(|low| *it < low);
                    let old: Vec<i64> = met.iter().copied().filter(is_old).collect();
                    let first = sort.fixed.unwrap_or(0) + 1;
                    let above = old.iter().fold(first, |above, _| above + 1);
                    if let Some(low) = low {
                        to.extend(met.range(low..).map(|&it| (it, it - low + above)));
                    }
                    if sort.kind == Kind::Ranks {
                        to.extend(old.iter().zip(first..).map(|(&it, name)| (it, name)));
                    } else if !old.is_empty() {
                        let names = Cell::up_from(first);
                        free.push(Free { sort: number, names, numbers: old });
                    }
                }
                Kind::Cells => {
                    let mut cells: BTreeMap<Cell, Vec<i64>> = BTreeMap::new();
                    for &it in met.iter().filter(|it| !sort.is_literal(**it)) {
                        cells.entry(sort.cell(it)).or_default().push(it);
                    }
                    free.extend(cells.into_iter().map(|(names, numbers)| Free {
                        sort: number,
                        names,
                        numbers,
                    }));
                }
            }
        }
        (fixed, free)
    }
}

/// Takes a configuration apart.
fn take_apart(system: &mut System, config: &Config) -> Option<Pieces> {
    let mut parts: Vec<Part> =
        config.machines().map(|machine| Part::Local(machine, config.local(machine))).collect();
    let mut queues = Vec::new();
    for &word in &config.words {
        let messages = system.words().messages(word);
        queues.push((word != WordId::CLOSED).then_some(messages.len()));
        parts.extend(messages.into_iter().map(Part::Message));
    }
    parts.extend(system.cells(config.store).first().map(|&cell| Part::Store(cell)));
    let values = system.program_mut().as_values()?;
    let apart = |part: Part| Some((part, values.apart(part)?));
    Some(Pieces { parts: parts.into_iter().map(apart).collect::<Option<_>>()?, queues })
}

/// The configuration with other terms.
fn put_together(
    system: &mut System,
    config: &Config,
    pieces: &Pieces,
    terms: &[Vec<Term>],
) -> Config {
    let mut next = config.clone();
    let Some(values) = system.program_mut().as_values() else { return next };
    let parts = pieces.parts.iter().zip(terms);
    let mut parts = parts.map(|((part, apart), terms)| whole(values, *part, apart, terms));
    for local in &mut next.locals {
        if let Some(Part::Local(_, to)) = parts.next() {
            *local = to;
        }
    }
    let mut contents: Vec<Vec<MessageId>> = Vec::new();
    for queue in &pieces.queues {
        let messages = parts.by_ref().take(queue.unwrap_or(0));
        let message = |part: Part| match part {
            Part::Message(message) => Some(message),
            Part::Local(..) | Part::Store(_) => None,
        };
        contents.push(messages.filter_map(message).collect());
    }
    let store = parts.next();
    drop(parts);
    for ((word, messages), queue) in next.words.iter_mut().zip(contents).zip(&pieces.queues) {
        if queue.is_some() {
            *word = system.words_mut().intern(&messages);
        }
    }
    if let Some(Part::Store(cell)) = store {
        next.store = system.store_of(&[cell]);
    }
    next
}

fn whole(values: &mut dyn Values, part: Part, apart: &Apart, terms: &[Term]) -> Part {
    if *apart.terms == *terms { part } else { values.with_terms(part, terms) }
}
