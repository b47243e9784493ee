//! Blurred sets, refined where they have too much in them.
//!
//! When a blurred set does not rule something out, the way there is followed backwards, step by step and exactly. If
//! it leads to the beginning, a run can do it. Otherwise it ends where two sets were made one: before that, nothing in
//! them led to what is wrong. From then on, that control keeps apart what does and what does not.

use std::collections::VecDeque;

use qp_automata::loops::{Op, Product};
use qp_automata::regular::Language;
use qp_base::{Budget, Exhausted, IndexVec, Map, Set, define_index};
use qp_machines::Capacity;

use super::search::Found;
use super::world::{ControlId, Does, Leap, Stop, World};
use super::wrong::Spot;

define_index!(VersionId, "v", "What was known of a part of a control at some time.");

/// Languages with more states than this are not kept apart.
const GUARD_STATES_MAX: usize = 40;
/// So many languages are kept apart in one control.
const GUARDS_MAX: usize = 4;

/// For each control, queues with languages that are kept apart from all other words.
#[derive(Default)]
pub(super) struct Guards {
    of: Map<ControlId, Vec<(usize, Language)>>,
}

/// Where the way to what is wrong begins.
pub(super) enum Origin {
    /// In the beginning: it can happen.
    Run,
    /// In a set that was made too large, which will not be so again.
    Blur,
    /// Nobody knows.
    Unknown,
}

/// A blurred set, and how it came about.
pub(super) struct Refined {
    pub(super) found: Found,
    versions: IndexVec<VersionId, Version>,
    /// The last versions.
    last: Map<Cell, VersionId>,
}

/// A control, and for each language that is kept apart there whether words are in it.
type Cell = (ControlId, Vec<bool>);

/// What was known of a cell after something was added to it.
struct Version {
    control: ControlId,
    product: Product,
    /// The same cell before that.
    before: Option<VersionId>,
    /// Where it came from, by what step, and what it was; nothing for the beginning.
    from: Option<(VersionId, Does, Product)>,
}

/// Everything that can be reached and possibly more: one product for each cell. States of automata that accept the
/// same words of up to `length` letters are one.
pub(super) fn refined(
    world: &mut World,
    length: usize,
    guards: &Guards,
    work_max: u64,
    budget: &Budget,
) -> Result<Refined, Stop> {
    let found = Found { over: true, ..Found::default() };
    let refined = Refined { found, versions: IndexVec::new(), last: Map::default() };
    let mut search =
        Search { world, length, guards, refined, jobs: VecDeque::new(), waiting: Set::default() };
    let (control, product) = search.world.initial();
    search.arrive(control, &product, None)?;
    while let Some(cell) = search.jobs.pop_front() {
        search.waiting.remove(&cell);
        let version = search.refined.last[&cell];
        let product = search.refined.versions[version].product.clone();
        search.refined.found.spend(&product, work_max, budget)?;
        for leap in search.world.leaps(cell.0, &product)? {
            match leap {
                Leap::To { to, product, does, .. } => {
                    search.world.graph.add(cell.0, &does, to);
                    search.arrive(to, &product, Some(&(version, does)))?;
                }
                Leap::Fails { property, part } => {
                    search.refined.found.fail(property, cell.0, part);
                }
            }
        }
    }
    let mut refined = search.refined;
    let mut last: Vec<(&Cell, &VersionId)> = refined.last.iter().collect();
    last.sort();
    for ((control, _), version) in last {
        refined.found.rows.put(*control, refined.versions[*version].product.clone());
    }
    Ok(refined)
}

/// The same with nothing kept apart: one product for each control.
pub(super) fn widen(
    world: &mut World,
    length: usize,
    work_max: u64,
    budget: &Budget,
) -> Result<Found, Stop> {
    Ok(refined(world, length, &Guards::default(), work_max, budget)?.found)
}

struct Search<'a> {
    world: &'a mut World,
    length: usize,
    guards: &'a Guards,
    refined: Refined,
    jobs: VecDeque<Cell>,
    waiting: Set<Cell>,
}

impl Search<'_> {
    /// Adds a product to what a control has, cell by cell.
    fn arrive(
        &mut self,
        control: ControlId,
        product: &Product,
        from: Option<&(VersionId, Does)>,
    ) -> Result<(), Stop> {
        let guards = self.guards.of.get(&control).map_or(&[][..], |guards| &guards[..]);
        for (inside, part) in cells(product, guards, &self.world.automata)? {
            let cell = (control, inside);
            let before = self.refined.last.get(&cell).copied();
            let wider = match before {
                None => part.clone(),
                Some(before) => {
                    let old = &self.refined.versions[before].product;
                    if part.is_included_in(old) {
                        continue;
                    }
                    self.wider(&cell, old, &part)?
                }
            };
            let from = from.map(|(version, does)| (*version, does.clone(), part));
            let version =
                self.refined.versions.push(Version { control, product: wider, before, from });
            self.refined.last.insert(cell.clone(), version);
            if self.waiting.insert(cell.clone()) {
                self.jobs.push_back(cell);
            }
        }
        Ok(())
    }

    /// The union of two products of a cell, blurred, but not beyond the cell.
    fn wider(&self, cell: &Cell, old: &Product, new: &Product) -> Result<Product, Stop> {
        let (control, inside) = cell;
        let kinds = &self.world.config(*control).kinds;
        let automata = &self.world.automata;
        let mut wider = Vec::with_capacity(old.0.len());
        for (place, (old, new)) in old.0.iter().zip(&new.0).enumerate() {
            if new.is_included_in(old) {
                wider.push(old.clone());
                continue;
            }
            let mut both = old.union(new, automata)?;
            let kind = self.world.system.program().outline().kinds[kinds[place]];
            if kind.capacity == Capacity::Unbounded {
                both = both.blurred(self.length, automata)?;
                let guards = self.guards.of.get(control).into_iter().flatten().zip(inside);
                for ((_, language), &inside) in guards.filter(|((queue, _), _)| *queue == place) {
                    both = part_of(&both, language, inside, automata)?;
                }
            }
            wider.push(both);
        }
        Ok(Product(wider))
    }
}

/// The parts of a product that are in the cells of a control.
fn cells(
    product: &Product,
    guards: &[(usize, Language)],
    automata: &Budget,
) -> Result<Vec<(Vec<bool>, Product)>, Exhausted> {
    let mut cells = vec![(Vec::new(), product.clone())];
    for (queue, language) in guards {
        let mut finer = Vec::new();
        for (cell, part) in cells {
            for inside in [false, true] {
                let mut part = part.clone();
                let Some(place) = part.0.get_mut(*queue) else { continue };
                *place = part_of(place, language, inside, automata)?;
                if !place.is_empty() {
                    let cell = cell.iter().copied().chain([inside]).collect();
                    finer.push((cell, part));
                }
            }
        }
        cells = finer;
    }
    Ok(cells)
}

fn part_of(
    words: &Language,
    language: &Language,
    inside: bool,
    automata: &Budget,
) -> Result<Language, Exhausted> {
    if inside {
        words.intersection(language, automata)
    } else {
        words.difference(language, automata)
    }
}

impl Refined {
    /// Follows the way to what is wrong backwards, and says what to keep apart if it came of blurring.
    pub(super) fn origin(
        &self,
        spot: &Spot,
        guards: &mut Guards,
        automata: &Budget,
    ) -> Result<Origin, Exhausted> {
        let mut bad = spot.1.clone();
        let Some(mut version) = self.version_of(spot, automata)? else {
            return Ok(Origin::Unknown);
        };
        loop {
            let now = &self.versions[version];
            if let Some(before) = now.before
                && meet(&bad, &self.versions[before].product, automata)?
            {
                version = before;
                continue;
            }
            let Some((source, does, incoming)) = &now.from else { return Ok(Origin::Run) };
            if !meet(&bad, incoming, automata)? {
                let known = now.before.map(|before| &self.versions[before].product);
                return guards.separate(now.control, &bad, &[Some(incoming), known], automata);
            }
            bad = bad.intersection(incoming, automata)?;
            let Some(earlier) = undone(does, &bad, automata)? else { return Ok(Origin::Unknown) };
            (bad, version) = (earlier, *source);
            if bad.0.len() != self.versions[version].product.0.len()
                || !meet(&bad, &self.versions[version].product, automata)?
            {
                return Ok(Origin::Unknown);
            }
        }
    }

    /// The last version of a cell in which a spot is.
    fn version_of(&self, spot: &Spot, automata: &Budget) -> Result<Option<VersionId>, Exhausted> {
        let mut mine: Vec<VersionId> =
            self.last.iter().filter(|(cell, _)| cell.0 == spot.0).map(|(_, &id)| id).collect();
        mine.sort();
        for version in mine {
            if meet(&spot.1, &self.versions[version].product, automata)? {
                return Ok(Some(version));
            }
        }
        Ok(None)
    }
}

impl Guards {
    pub(super) fn is_empty(&self) -> bool {
        self.of.values().all(Vec::is_empty)
    }

    /// Keeps what is wrong apart from what is not: for each of these products, by a queue in which they have no word in
    /// common.
    fn separate(
        &mut self,
        control: ControlId,
        bad: &Product,
        products: &[Option<&Product>],
        automata: &Budget,
    ) -> Result<Origin, Exhausted> {
        let mine = self.of.entry(control).or_default();
        let mut origin = Origin::Unknown;
        for product in products.iter().flatten() {
            let Some(queue) = apart(bad, product, automata)? else { continue };
            let guard = (queue, bad.0[queue].clone());
            let is_small = guard.1.dfa().states().len() <= GUARD_STATES_MAX;
            if is_small && mine.len() < GUARDS_MAX && !mine.contains(&guard) {
                mine.push(guard);
                origin = Origin::Blur;
            }
        }
        Ok(origin)
    }
}

/// The queue in which two products have no word in common, that with the simplest language if there are several.
fn apart(bad: &Product, product: &Product, automata: &Budget) -> Result<Option<usize>, Exhausted> {
    let mut best: Option<(usize, usize)> = None;
    for (queue, (bad, words)) in bad.0.iter().zip(&product.0).enumerate() {
        let size = bad.dfa().states().len();
        if best.is_none_or(|(least, _)| size < least)
            && words.intersection(bad, automata)?.is_empty()
        {
            best = Some((size, queue));
        }
    }
    Ok(best.map(|(_, queue)| queue))
}

/// Whether two products have something in common.
fn meet(a: &Product, b: &Product, automata: &Budget) -> Result<bool, Exhausted> {
    Ok(!a.intersection(b, automata)?.is_empty())
}

/// What a product was before a step; nothing if that is not known.
fn undone(does: &Does, product: &Product, automata: &Budget) -> Result<Option<Product>, Exhausted> {
    let mut before = product.clone();
    if !does.is_plain {
        return Ok(None);
    }
    for &(queue, op) in does.ops.iter().rev() {
        let words = &mut before.0[queue.index()];
        *words = match op {
            Op::Put(letter) => words.without_suffix(&[letter]),
            Op::Take(letter) => Language::word(&[letter]).concat(words, automata)?,
        };
    }
    Ok(Some(before))
}
