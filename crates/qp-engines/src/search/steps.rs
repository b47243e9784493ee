//! The steps between visited configurations: everything is expanded once more, as the search did it.

use qp_base::{Budget, Exhausted, Spent};

use super::space::{Keys, Output, Space, Window};
use super::visited::Places;
use super::{Halt, Search};

/// What came of expanding a configuration once more.
pub(crate) struct Expanded<'a> {
    pub(crate) place: u32,
    /// Where its steps lead, in order; nothing for what was not visited.
    pub(crate) targets: &'a [Option<u32>],
    /// Whether a send was cut, or the interpreter gave up.
    pub(crate) is_cut: bool,
}

/// Shows every visited configuration with its steps, in the order of places; those that the search has not come to yet
/// have none, and are cut. `show` says with each how many bytes it holds.
pub(crate) fn each_expanded<const W: usize>(
    space: &mut Space,
    search: &Search<W>,
    budget: &Budget,
    mut show: impl FnMut(&mut Space, Expanded<'_>) -> u64,
) -> Result<(), Exhausted> {
    let (n, mut output) = (search.visited.len() as u32, Output::new(1));
    let spent = |bytes| Spent { states: u64::from(n), bytes };
    // The map is made in one go, so it is asked for before.
    let bytes = search.bytes() + space.bytes();
    budget.check(spent(bytes + Places::<W>::bytes_for(n as usize)))?;
    let index = Places::of(&search.visited);
    let places: Vec<u32> = (0..search.expanded as u32).collect();
    let (mut targets, mut held) = (Vec::new(), 0);
    for batch in places.chunks(2_048) {
        let packing = &search.packing;
        let keys = Keys { all: search.visited.keys(), packing, firsts: None };
        let window = Window { bound: search.bound, from: 0 };
        // On one thread: the order of the candidates is that of the places.
        match space.expand(&keys, batch, window, 1, &mut output) {
            Ok(()) => {}
            Err(Halt::Exhausted(exhausted)) => return Err(exhausted),
            Err(Halt::TooNarrow | Halt::Enough | Halt::BeginAgain) => {
                unreachable!("bug in Queueproof: expanding again made something new")
            }
        }
        let mut candidates = output.candidates.all().peekable();
        let mut blocked = output.blocked.iter().peekable();
        let mut gave_up = output.gave_up.iter().peekable();
        for &place in batch {
            targets.clear();
            while let Some((_, key)) = candidates.next_if(|candidate| candidate.0 == place) {
                targets.push(index.find(key));
            }
            let is_blocked = blocked.next_if(|it| **it == place).is_some();
            let is_cut = gave_up.next_if(|it| **it == place).is_some() || is_blocked;
            held = show(space, Expanded { place, targets: &targets, is_cut });
        }
        budget.check(spent(search.bytes() + space.bytes() + held + index.bytes()))?;
    }
    for place in search.expanded as u32..n {
        show(space, Expanded { place, targets: &[], is_cut: true });
    }
    Ok(())
}
