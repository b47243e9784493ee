//! Smaller systems with the same problem.

use crate::make::{drop_queue, is_mentioned, tidy};
use crate::net::{Act, Condition, Edge, Loss, Net, Pattern, Sharing, Size};

/// Makes a system smaller as long as `fails` stays true.
pub fn shrink(mut net: Net, fails: impl Fn(&Net) -> bool) -> Net {
    loop {
        let smaller = candidates(&net).into_iter().find(|candidate| fails(candidate));
        match smaller {
            Some(candidate) => net = candidate,
            None => return net,
        }
    }
}

/// Everything that is one cut away, the greatest cuts first.
fn candidates(net: &Net) -> Vec<Net> {
    let mut all = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Net) -> bool| {
        let mut smaller = net.clone();
        if change(&mut smaller) && smaller != *net {
            tidy(&mut smaller);
            all.push(smaller);
        }
    };
    for machine in 0..net.machines.len() {
        offer(&|net| drop_machine(net, machine));
    }
    for (m, machine) in net.machines.iter().enumerate() {
        for (s, state) in machine.states.iter().enumerate() {
            offer(&|net| drop_state(net, m, s));
            offer(&|net| begin_in(net, m, s));
            for e in 0..state.edges.len() {
                offer(&|net| {
                    net.machines[m].states[s].edges.remove(e);
                    mentions_patterns(net)
                });
            }
            offer(&|net| {
                net.machines[m].states[s].deferred.clear();
                mentions_patterns(net)
            });
            offer(&|net| {
                let state = &mut net.machines[m].states[s];
                (state.end, state.bad) = (false, false);
                true
            });
            for e in 0..state.edges.len() {
                offer(&|net| {
                    net.machines[m].states[s].edges[e].to = s;
                    true
                });
            }
        }
    }
    for number in 0..net.bad.len() {
        offer(&|net| {
            net.bad.remove(number);
            true
        });
    }
    for message in 1..net.messages.len() {
        offer(&|net| merge_message(net, message));
    }
    for queue in 0..net.queues.len() {
        offer(&|net| {
            (net.queues[queue].size, net.queues[queue].loss) = (Size::Unbounded, Loss::Nothing);
            true
        });
        let unused = net.sharing == Sharing::Channels && !net.is_used(queue);
        offer(&|net| {
            unused && net.bad.is_empty() && {
                drop_queue(net, queue);
                true
            }
        });
    }
    all
}

/// Only a machine that nobody names can go.
fn drop_machine(net: &mut Net, machine: usize) -> bool {
    if net.machines.len() == 1 || !net.bad.is_empty() {
        return false;
    }
    net.machines.remove(machine);
    match net.sharing {
        Sharing::Channels => true,
        Sharing::Mailbox => {
            let free = !net.is_used(machine);
            if free {
                drop_queue(net, machine);
            }
            free
        }
        Sharing::Pairs => {
            let touches = |ends: Option<(usize, usize)>| {
                ends.is_some_and(|(from, to)| from == machine || to == machine)
            };
            for queue in (0..net.queues.len()).rev() {
                if touches(net.queues[queue].ends) {
                    if net.is_used(queue) {
                        return false;
                    }
                    drop_queue(net, queue);
                }
            }
            let lower = |m: usize| m - usize::from(m > machine);
            for queue in &mut net.queues {
                queue.ends = queue.ends.map(|(from, to)| (lower(from), lower(to)));
            }
            true
        }
    }
}

/// Removes a state that is not the first, with the transitions that lead to it.
fn drop_state(net: &mut Net, machine: usize, state: usize) -> bool {
    if state == 0 || !net.bad.is_empty() {
        return false;
    }
    let states = &mut net.machines[machine].states;
    states.remove(state);
    for it in states {
        it.edges.retain(|edge| edge.to != state);
        for Edge { to, .. } in &mut it.edges {
            *to -= usize::from(*to > state);
        }
    }
    true
}

/// Lets a machine begin in another state, without the first one.
fn begin_in(net: &mut Net, machine: usize, state: usize) -> bool {
    if state == 0 || !net.bad.is_empty() {
        return false;
    }
    let states = &mut net.machines[machine].states;
    states.swap(0, state);
    for Edge { to, .. } in states.iter_mut().flat_map(|state| &mut state.edges) {
        *to = match *to {
            0 => state,
            other if other == state => 0,
            other => other,
        };
    }
    drop_state(net, machine, state)
}

/// Replaces a message by the first one.
fn merge_message(net: &mut Net, message: usize) -> bool {
    if !net.bad.is_empty() {
        return false;
    }
    let lower = |m: &mut usize| {
        *m = if *m == message { 0 } else { *m - usize::from(*m > message) };
    };
    net.messages.remove(message);
    for state in net.machines.iter_mut().flat_map(|machine| &mut machine.states) {
        state.deferred.iter_mut().for_each(lower);
        state.deferred.dedup();
        for edge in &mut state.edges {
            match &mut edge.act {
                Act::Send { message, .. } | Act::Receive { message, .. } => lower(message),
                Act::Internal | Act::Fail => {}
            }
        }
    }
    true
}

/// Whether every message in a pattern is still used somewhere.
fn mentions_patterns(net: &Net) -> bool {
    fn fine(net: &Net, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::One(message) => is_mentioned(net, *message),
            Pattern::Then(a, b) | Pattern::Or(a, b) => fine(net, a) && fine(net, b),
            Pattern::Star(a) => fine(net, a),
            Pattern::Empty | Pattern::Any => true,
        }
    }
    net.bad.iter().flatten().all(|condition| match condition {
        Condition::Holds { pattern, .. } => fine(net, pattern),
        Condition::In { .. } => true,
    })
}
