//! What queues can hold, for people to read.

use std::collections::BTreeMap;

use qp_automata::loops::Product;
use qp_automata::regular::{Language, Letter};
use qp_base::{Budget, Exhausted};
use qp_claim::{Reason, RegularSet};
use qp_machines::{MachineId, Model};

use super::asks::has_content;
use super::conduct::REACHES;
use super::evidence::regular_set;
use super::refine::widen;
use super::rows::is_covered;
use super::search::{Found, Reach, look_ahead, search};
use super::world::{Stop, World, message};

/// Longer expressions are not written.
const EXPRESSION_SIZE_MAX: usize = 400;
/// Unions of more products than this are left as they were found.
const UNION_MAX: usize = 6;

/// What the queues of a model can hold.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The rows: control states in the order in which they were met.
    pub rows: Vec<ContentRow>,
    /// Whether that is exactly what can be reached; otherwise there may be more in it.
    pub exact: bool,
    /// The same as evidence.
    pub set: RegularSet,
}

/// Control states, and what queues can hold in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentRow {
    /// For each machine, its control state.
    pub controls: Vec<String>,
    /// For each queue, a regular expression; nothing if it is closed. An automaton that has no short expression is
    /// described by its number of states.
    pub queues: Vec<Option<String>>,
}

/// Whoever asks for contents alone has more time than somebody who asks all engines.
const WORK_FACTOR: u64 = 10;

/// How the contents of queues are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContentLimits {
    /// The longest cycles of steps that are taken any number of times at once; `None` for as many as it takes.
    pub cycle_max: Option<usize>,
    /// Automata are blurred: states that accept the same words of up to this length are one.
    pub blurred: Option<usize>,
}

/// Finds out what the queues of a model can hold in each control state.
pub fn contents(model: &Model, limits: ContentLimits, budget: &Budget) -> Result<Contents, Reason> {
    let mut world = World::new(model, budget);
    let found = find(&mut world, limits, budget).map_err(|stop| stop.reason())?;
    let rows = rows(&world, &found).map_err(|stop| Stop::Exhausted(stop).reason())?;
    let set = regular_set(&world, &found.rows);
    Ok(Contents { rows, exact: !found.over, set })
}

fn find(world: &mut World, limits: ContentLimits, budget: &Budget) -> Result<Found, Stop> {
    if let Some(length) = limits.blurred {
        return widen(world, length, u64::MAX, budget);
    }
    look_ahead(world, budget)?;
    if let Some(cycle_max) = limits.cycle_max {
        let reach = Reach { cycle_max, work_max: u64::MAX, loose: false, long: false };
        return search(world, reach, budget);
    }
    for reach in REACHES.iter().filter(|reach| !reach.loose) {
        let work_max = reach.work_max * WORK_FACTOR;
        match search(world, Reach { work_max, ..*reach }, budget) {
            Err(Stop::Exhausted(Exhausted::States)) => {}
            found => return found,
        }
    }
    Err(Exhausted::States.into())
}

/// Control states, which queues are open, and the products there.
struct Group {
    controls: Vec<String>,
    open: Vec<bool>,
    products: Vec<Product>,
}

/// One group of rows for each combination of control states, in as few rows as possible.
fn rows(world: &World, found: &Found) -> Result<Vec<ContentRow>, Exhausted> {
    let mut rows = Vec::new();
    for Group { controls, open, products } in groups(world, found) {
        for product in fewest(products, &world.automata)? {
            let expression = |(language, is_open): (&Language, &bool)| {
                is_open.then(|| expression(world, language))
            };
            let queues = product.0.iter().zip(&open).map(expression).collect();
            rows.push(ContentRow { controls: controls.clone(), queues });
        }
    }
    Ok(rows)
}

/// In the order in which control states were met.
fn groups(world: &World, found: &Found) -> Vec<Group> {
    let program = world.system.program();
    let mut numbers: BTreeMap<(Vec<String>, Vec<bool>), usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (control, product) in found.rows.iter() {
        let config = world.config(control);
        let name = |m: MachineId| program.control_name(m, config.local(m));
        let controls: Vec<String> = config.machines().map(name).collect();
        let open: Vec<bool> = config.queues().map(|queue| has_content(config, queue)).collect();
        let number = *numbers.entry((controls.clone(), open.clone())).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Group { controls, open, products: Vec::new() });
        }
        groups[number].products.push(product.clone());
    }
    groups
}

fn expression(world: &World, language: &Language) -> String {
    let program = world.system.program();
    let name = |letter: Letter| program.message_shown(message(letter));
    match language.dfa().expression(EXPRESSION_SIZE_MAX) {
        Some(expression) => expression.display(&name).to_string(),
        None => format!("<{} states>", language.dfa().states().len()),
    }
}

/// The same union in few products: those in which one queue, chosen so that there are fewest, tells apart what the
/// others can hold.
fn fewest(products: Vec<Product>, automata: &Budget) -> Result<Vec<Product>, Exhausted> {
    if products.len() > UNION_MAX {
        return Ok(products);
    }
    let mut best: Option<Vec<Product>> = None;
    for place in 0..products[0].0.len() {
        if products.iter().all(|product| product.0[place] == products[0].0[place]) {
            continue;
        }
        let told = told_apart(&products, place, automata)?;
        if best.as_ref().is_none_or(|best| told.len() < best.len()) {
            best = Some(told);
        }
    }
    Ok(best.unwrap_or_else(|| products[..1].to_vec()))
}

/// The same union, with words of one queue in the same product exactly if the others can hold the same beside them.
fn told_apart(
    products: &[Product],
    place: usize,
    automata: &Budget,
) -> Result<Vec<Product>, Exhausted> {
    let mut groups: Vec<(Language, Vec<Product>)> = Vec::new();
    for (language, members) in atoms(products, place, automata)? {
        let beside = members.iter().map(|&member| {
            let mut product = products[member].clone();
            product.0[place] = Language::word(&[]);
            product
        });
        let beside = fewest(beside.collect(), automata)?;
        let mut same = None;
        for (number, (_, other)) in groups.iter().enumerate() {
            if are_same(&beside, other, automata)? {
                same = Some(number);
                break;
            }
        }
        match same {
            Some(number) => groups[number].0 = groups[number].0.union(&language, automata)?,
            None => groups.push((language, beside)),
        }
    }
    let put = |(language, beside): (Language, Vec<Product>)| {
        beside.into_iter().map(move |mut product| {
            product.0[place] = language.clone();
            product
        })
    };
    Ok(groups.into_iter().flat_map(put).collect())
}

/// Words of one queue by the products that have them.
fn atoms(
    products: &[Product],
    place: usize,
    automata: &Budget,
) -> Result<Vec<(Language, Vec<usize>)>, Exhausted> {
    let mut atoms: Vec<(Language, Vec<usize>)> = Vec::new();
    for (number, product) in products.iter().enumerate() {
        let mut rest = product.0[place].clone();
        let mut finer = Vec::new();
        for (language, members) in atoms {
            let both = language.intersection(&rest, automata)?;
            let left = language.difference(&rest, automata)?;
            rest = rest.difference(&language, automata)?;
            let more = members.iter().copied().chain([number]).collect();
            finer.push((left, members));
            finer.push((both, more));
        }
        finer.push((rest, vec![number]));
        finer.retain(|(language, _)| !language.is_empty());
        atoms = finer;
    }
    Ok(atoms)
}

fn are_same(a: &[Product], b: &[Product], automata: &Budget) -> Result<bool, Exhausted> {
    for (some, others) in [(a, b), (b, a)] {
        for product in some {
            if !is_covered(product, others, automata)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
