//! Few assignments that show all combinations of some parameters.

use std::collections::BTreeMap;

/// A choice of values for some of the parameters: pairs of a parameter and the position of its value.
type Combination = Vec<(usize, usize)>;

/// Assignments to `count` parameters out of `admitted` in which every combination of values of `wise` parameters occurs that
/// occurs in any of them. P's way: always the first of those that add most.
pub(super) fn cover(count: usize, admitted: &[Vec<usize>], wise: usize) -> Vec<Vec<usize>> {
    let params = subsets(count, wise);
    let mut shown_by: BTreeMap<Combination, Vec<usize>> = BTreeMap::new();
    for (number, choice) in admitted.iter().enumerate() {
        for subset in &params {
            let combination = subset.iter().map(|&param| (param, choice[param])).collect();
            shown_by.entry(combination).or_default().push(number);
        }
    }
    let mut adds: Vec<usize> = vec![params.len(); admitted.len()];
    let mut chosen = Vec::new();
    while !shown_by.is_empty() {
        // The last maximum of the reversed order is the first one.
        let Some(best) = (0..adds.len()).rev().max_by_key(|&number| adds[number]) else { break };
        chosen.push(admitted[best].clone());
        for subset in &params {
            let combination: Combination =
                subset.iter().map(|&param| (param, admitted[best][param])).collect();
            for number in shown_by.remove(&combination).unwrap_or_default() {
                adds[number] -= 1;
            }
        }
    }
    chosen
}

/// In how many ways `count` out of so many can be chosen.
pub(super) fn subsets_count(of: usize, count: usize) -> usize {
    let fewer = count.min(of.saturating_sub(count));
    (0..fewer)
        .try_fold(1_usize, |ways, i| Some(ways.checked_mul(of - i)? / (i + 1)))
        .unwrap_or(usize::MAX)
}

/// All choices of `count` out of so many, in order.
fn subsets(of: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |subset: &Vec<usize>| {
            let next = subset.last().map_or(0, |last| last + 1);
            let longer = |param| subset.iter().copied().chain([param]).collect::<Vec<_>>();
            (next..of).map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
