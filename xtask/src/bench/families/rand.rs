//! Random communicating automata: no structure for an engine to exploit.

use super::super::network::{Action, Machine, State, receive, send};

/// `n` machines of `states` control states over `messages` messages. Every second control state receives
/// any message, the others send one or two. The same seed gives the same system for ever.
pub(super) fn machines(
    n: usize,
    states: usize,
    messages: usize,
    seed: usize,
) -> Result<Vec<Machine>, String> {
    if n < 2 {
        return Err("N=1 leaves nobody to send to".to_owned());
    }
    let mut dice = SplitMix(seed as u64);
    Ok((0..n).map(|me| machine(me, n, states, messages, &mut dice)).collect())
}

fn machine(me: usize, n: usize, states: usize, messages: usize, dice: &mut SplitMix) -> Machine {
    let mut machine = Machine { name: format!("M{me}"), states: Vec::new() };
    for index in 0..states {
        let mut moves: Vec<(Action, usize)> = Vec::new();
        if (index + me).is_multiple_of(2) {
            for _ in 0..=dice.below(2) {
                let to = format!("M{}", (me + 1 + dice.below(n - 1)) % n);
                let action = send(&to, &format!("m{}", 1 + dice.below(messages)));
                let step = (action, dice.below(states));
                if !moves.contains(&step) {
                    moves.push(step);
                }
            }
        } else {
            moves.extend((1..=messages).map(|m| (receive(&format!("m{m}")), dice.below(states))));
        }
        machine.states.push(State { name: format!("L{index}"), moves });
    }
    machine
}

/// The generator of Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014).
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
