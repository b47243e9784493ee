//! Decision diagrams of closed sets, made in the plainest way, and broken.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ABSENT, ClosedSet, DiagramSet, Level};
use qp_machines::Model;

use crate::mutate::Mutant;
use crate::rng::Rng;

/// Levels for a model: each machine with the queues that it alone reads, or that are created with it, each other queue,
/// the store or its variables, and whoever goes on alone, if somebody does. In the order that `rng` gives.
pub fn levels(model: &Model, set: &ClosedSet, rng: &mut Rng) -> Vec<Vec<u32>> {
    let (outline, n_machines) = (model.outline(), set.locals.len());
    let mut levels: Vec<Vec<u32>> = (0..n_machines as u32).map(|machine| vec![machine]).collect();
    for queue in 0..set.n_queues {
        let column = (n_machines + queue) as u32;
        let reader = match outline.queues.iter().nth(queue).map(|info| &info.readers[..]) {
            Some(&[reader]) => Some(reader.index()),
            Some(_) => None,
            None => creature(set, queue),
        };
        match reader {
            Some(reader) if outline.n_cells.is_none() || rng.percent(50) => {
                levels[reader].push(column);
            }
            _ => levels.push(vec![column]),
        }
    }
    let store = (n_machines + set.n_queues) as u32;
    if outline.n_cells.is_none() {
        levels.push(vec![store]);
    }
    for cell in 0..n_cells(model) as u32 {
        let home = rng.below(levels.len());
        let column = store + 2 + cell;
        if rng.percent(33) { levels[home].push(column) } else { levels.push(vec![column]) }
    }
    if rng.percent(50) || set.rows().any(|row| row[set.width() - 1] != ABSENT) {
        levels.push(vec![store + 1]);
    }
    for last in (1..levels.len()).rev() {
        levels.swap(last, rng.below(last + 1));
    }
    levels
}

/// How many shared variables have columns of their own.
fn n_cells(model: &Model) -> usize {
    model.outline().n_cells.unwrap_or(0)
}

/// The last machine of all rows that have a queue but no machine more than they need for it.
fn creature(set: &ClosedSet, queue: usize) -> Option<usize> {
    let n_machines = set.locals.len();
    let with_queue = set.rows().filter(|row| row[n_machines + queue] != ABSENT);
    let n_present = |row: &[u32]| row[..n_machines].iter().filter(|cell| **cell != ABSENT).count();
    with_queue.map(n_present).min()?.checked_sub(1)
}

/// The same set with stores that are told by the values of their variables, if these have columns of their own.
pub fn spelled(model: &Model, set: &ClosedSet) -> ClosedSet {
    let mut set = set.clone();
    if n_cells(model) > 0 {
        let cells = cells(model, &set);
        set.stores = cells.iter().map(|cells| format!("{cells:?}")).collect();
    }
    set
}

fn cells(model: &Model, set: &ClosedSet) -> Vec<Vec<i32>> {
    let mut system = model.system();
    let mut of = |text: &String| system.program_mut().store_from_text(text).expect("it is a store");
    set.stores.iter().map(&mut of).collect()
}

/// The diagram of a set with these columns in its levels.
pub fn of_closed(model: &Model, set: &ClosedSet, columns: &[Vec<u32>]) -> DiagramSet {
    let stores = if n_cells(model) > 0 { cells(model, set) } else { Vec::new() };
    let numbers: Vec<i32> =
        stores.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let place = |cell: &i32| numbers.binary_search(cell).expect("all are there") as u32;
    let mut values: Vec<BTreeMap<Vec<u32>, u32>> = vec![BTreeMap::new(); columns.len()];
    let mut ways: Vec<Vec<u32>> = Vec::new();
    for row in set.rows() {
        let mut row = row.to_vec();
        let store = row[row.len() - 2] as usize;
        row.extend(stores.get(store).into_iter().flatten().map(place));
        let mut way = Vec::new();
        for (columns, values) in columns.iter().zip(&mut values) {
            let value: Vec<u32> = columns.iter().map(|&column| row[column as usize]).collect();
            let next = values.len() as u32;
            way.push(*values.entry(value).or_insert(next));
        }
        ways.push(way);
    }
    ways.sort_unstable();
    ways.dedup();
    let mut known = vec![BTreeMap::new(); columns.len()];
    let ways: Vec<&[u32]> = ways.iter().map(|way| &way[..]).collect();
    node(&ways, &mut known);
    let mut levels = Vec::new();
    for ((columns, values), nodes) in columns.iter().zip(values).zip(known) {
        let (values, nodes) = (in_order(values), in_order(nodes));
        levels.push(Level { columns: columns.clone(), values, nodes });
    }
    DiagramSet { set: ClosedSet { cells: Vec::new(), ..set.clone() }, numbers, levels }
}

/// The node from which exactly these ways, which are in order, lead to the end.
fn node(ways: &[&[u32]], known: &mut [BTreeMap<Vec<(u32, u32)>, u32>]) -> u32 {
    let Some((here, deeper)) = known.split_first_mut() else { return 0 };
    let mut children = Vec::new();
    for group in ways.chunk_by(|a, b| a[0] == b[0]) {
        let rest: Vec<&[u32]> = group.iter().map(|way| &way[1..]).collect();
        children.push((group[0][0], node(&rest, deeper)));
    }
    let next = here.len() as u32;
    *here.entry(children).or_insert(next)
}

fn in_order<T: Clone>(numbered: BTreeMap<T, u32>) -> Vec<T> {
    let mut all: Vec<(T, u32)> = numbered.into_iter().collect();
    all.sort_by_key(|it| it.1);
    all.into_iter().map(|it| it.0).collect()
}

/// The rows of a diagram. What makes no sense is left out; a store that stands nowhere is the first one, and one whose
/// variables stand somewhere is told by them.
pub fn rows(diagram: &DiagramSet) -> ClosedSet {
    let mut set = diagram.set.clone();
    let last = diagram.levels.iter().flat_map(|level| &level.columns).max().copied().unwrap_or(0);
    let (width, store) = (set.width(), set.locals.len() + set.n_queues);
    let mut first = vec![ABSENT; width.max(last as usize + 1)];
    first[store] = 0;
    let mut ways = vec![(first, 0_u32)];
    for level in &diagram.levels {
        let mut next = Vec::new();
        for (row, node) in ways {
            for &(value, to) in level.nodes.get(node as usize).into_iter().flatten() {
                let Some(value) = level.values.get(value as usize) else { continue };
                let mut row = row.clone();
                for (&column, &cell) in level.columns.iter().zip(value) {
                    if let Some(place) = row.get_mut(column as usize) {
                        *place = cell;
                    }
                }
                next.push((row, to));
            }
        }
        ways = next;
    }
    let mut stores = BTreeMap::new();
    for (row, _) in &mut ways {
        let cells = row.split_off(width);
        if !cells.is_empty() {
            let number = |&cell: &u32| diagram.numbers.get(cell as usize).copied();
            let cells: Option<Vec<i32>> = cells.iter().map(number).collect();
            let next = stores.len() as u32;
            row[store] = *stores.entry(format!("{:?}", cells.unwrap_or_default())).or_insert(next);
        }
    }
    if !stores.is_empty() {
        set.stores = in_order(stores);
    }
    set.cells = ways.into_iter().flat_map(|(row, _)| row).collect();
    set
}

/// Diagrams that differ from this one in one place.
pub fn broken(diagram: &DiagramSet, rng: &mut Rng, most: usize) -> Vec<Mutant<DiagramSet>> {
    let mut mutants = Vec::new();
    for _ in 0..most {
        let mut it = diagram.clone();
        let level = rng.below(it.levels.len());
        let below = it.levels.get(level + 1).map_or(1, |next| next.nodes.len());
        let of = &mut it.levels[level];
        let (node, value) = (rng.below(of.nodes.len()), rng.below(of.values.len()));
        let edge = rng.below(of.nodes[node].len());
        let what = match rng.below(13) {
            0 => {
                of.nodes[node].remove(edge);
                "without an edge"
            }
            1 => {
                of.nodes[node][edge].1 = rng.below(below + 1) as u32;
                "an edge leads elsewhere"
            }
            2 => {
                of.nodes[node][edge].0 = value as u32;
                "an edge with another value"
            }
            3 => {
                let other = rng.below(of.values.len());
                of.values[value] = of.values[other].clone();
                "a value twice"
            }
            4 => {
                let cell = rng.below(of.values[value].len());
                of.values[value][cell] = of.values[value][cell].wrapping_add(1);
                "a value with another cell"
            }
            5 => {
                let other = rng.below(of.nodes.len());
                of.nodes[node] = of.nodes[other].clone();
                "a node like another"
            }
            6 => {
                of.columns.swap_remove(0);
                "without a column"
            }
            7 => {
                of.nodes.truncate(node);
                "without the last nodes"
            }
            8 => {
                // Of the first cells, or of all.
                let n_cells = 1 + rng.below(of.values[value].len());
                of.values[value][..n_cells].fill(ABSENT);
                "something absent"
            }
            9 => {
                let to = rng.below(below) as u32;
                if of.nodes[node].iter().all(|edge| edge.0 != value as u32) {
                    of.nodes[node].push((value as u32, to));
                }
                "one edge more"
            }
            10 => {
                let other = rng.below(of.values.len());
                of.values.swap(value, other);
                "two values swapped"
            }
            11 if may_be_left_out(&it, level) => continue,
            11 => {
                it.levels.remove(level);
                "dropped"
            }
            _ => {
                let other = rng.below(it.levels.len());
                it.levels.swap(level, other);
                "swapped with another"
            }
        };
        if it != *diagram {
            mutants.push(Mutant { what: format!("level {level}: {what}"), it });
        }
    }
    mutants
}

/// Whether a level is about something that never changes, and about no machine or queue.
fn may_be_left_out(diagram: &DiagramSet, level: usize) -> bool {
    let (store, level) = (diagram.set.locals.len() + diagram.set.n_queues, &diagram.levels[level]);
    level.values.len() == 1 && level.columns.iter().all(|column| *column as usize >= store)
}
