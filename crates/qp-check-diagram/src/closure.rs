//! That no step leads out of a diagram.

use std::collections::BTreeSet;

use crate::levels::Levels;
use crate::rules::{Deed, Rules, Touches};
use crate::{Checked, Work};

/// Checks that every rule leads from the set into the set.
pub(crate) fn check(levels: &Levels, rules: &Rules) -> Checked<()> {
    let included = vec![BTreeSet::new(); levels.all.len()];
    let mut ways = Ways { levels, included, work: Work::default() };
    for rule in &rules.all {
        match rule.deed {
            // The run ends where it is.
            Deed::Fails(_) => {}
            Deed::GivesUp if !levels.has_way(&rule.touches) => {}
            Deed::GivesUp => {
                return Err(format!("nobody knows what {:?} does next", rule.machine).into());
            }
            Deed::Takes(_) | Deed::Skips | Deed::Other => ways.check(&rule.touches)?,
        }
    }
    Ok(())
}

/// Ways through the diagram, side by side.
struct Ways<'a> {
    levels: &'a Levels,
    /// For each level, pairs of nodes: everything behind the first is behind the second.
    included: Vec<BTreeSet<(u32, u32)>>,
    work: Work,
}

impl Ways<'_> {
    /// Checks that one change leads from the set into the set.
    fn check(&mut self, touches: &Touches) -> Checked<()> {
        let first = *touches.keys().next().expect("a step changes the level of its machine");
        let last = *touches.keys().next_back().expect("there is a first one");
        // Above the first level that changes, both ways are the same. A way that there is not is `None`: that is
        // wrong only if the step turns out to be possible.
        let nodes = 0..self.levels.all[first].nodes.len() as u32;
        let mut pairs: BTreeSet<(u32, Option<u32>)> =
            nodes.map(|node| (node, Some(node))).collect();
        for level in first..=last {
            let (nodes, mut next) = (&self.levels.all[level].nodes, BTreeSet::new());
            for (from, to) in pairs {
                let to = to.map(|to| &nodes[to as usize]);
                let image = |value| to.and_then(|to| to.get(value)).copied();
                self.work.spend(nodes[from as usize].len())?;
                for (value, &from) in &nodes[from as usize] {
                    match touches.get(&level) {
                        None => drop(next.insert((from, image(value)))),
                        Some(relation) => {
                            let images = relation.get(value).into_iter().flatten();
                            next.extend(images.map(|after| (from, image(after))));
                        }
                    }
                }
            }
            pairs = next;
        }
        for (from, to) in pairs {
            self.include(last + 1, (from, to.ok_or("a step leads out of the set")?))?;
        }
        Ok(())
    }

    /// Checks that everything behind the first node of a level is behind the second.
    fn include(&mut self, level: usize, pair: (u32, u32)) -> Checked<()> {
        let mut todo = vec![(level, pair)];
        while let Some((level, (a, b))) = todo.pop() {
            if a == b || level == self.levels.all.len() || !self.included[level].insert((a, b)) {
                continue;
            }
            let nodes = &self.levels.all[level].nodes;
            let (from, to) = (&nodes[a as usize], &nodes[b as usize]);
            self.work.spend(from.len())?;
            for (value, &from) in from {
                let to = to.get(value).ok_or("a step leads out of the set")?;
                todo.push((level + 1, (from, *to)));
            }
        }
        Ok(())
    }
}
