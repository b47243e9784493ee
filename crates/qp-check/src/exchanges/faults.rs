//! What is wrong where rounds lead.

use qp_machines::{Atom, Config, MachineId, Property};

use crate::exchanges::Spot;
use crate::exchanges::peers::Peers;
use crate::exchanges::setup::Setup;
use crate::{Checked, wrong};

/// Checks that no possible head is one that its reader would skip.
pub(crate) fn check_skips(peers: &mut Peers<'_>, spot: &Spot) -> Checked<()> {
    let config = peers.rows[spot.row].clone();
    for (queue, heads) in &spot.heads {
        let Some(reader) = peers.readers[*queue] else { continue };
        for &head in heads {
            peers.spend(1)?;
            if peers.hearing(&config, reader, (*queue, head))?.skips {
                return wrong("a message is deferred");
            }
        }
    }
    Ok(())
}

/// Whether a machine runs into a failure of a kind.
pub(crate) fn fails(peers: &mut Peers<'_>, config: &Config, property: Property) -> Checked<bool> {
    for machine in 0..config.locals.len() {
        let acts = peers.acts(config, machine)?;
        let program = peers.system.program();
        if acts.fails.iter().any(|&failure| program.failure(failure).property == property) {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn is_anybody_at_a_loss(
    peers: &mut Peers<'_>,
    config: &Config,
    spot: &Spot,
) -> Checked<bool> {
    for machine in 0..config.locals.len() {
        if is_at_a_loss(peers, config, spot, machine)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a machine can only receive, and may be at a loss in each queue that it listens to.
fn is_at_a_loss(
    peers: &mut Peers<'_>,
    config: &Config,
    spot: &Spot,
    machine: usize,
) -> Checked<bool> {
    let acts = peers.acts(config, machine)?;
    let mut chosen = vec![Vec::new()];
    for &queue in &acts.listens {
        let heads = spot.heads.get(&queue.index()).map_or(&[][..], Vec::as_slice);
        let longer = chosen.iter().flat_map(|chosen: &Vec<_>| {
            heads.iter().map(|&head| [chosen.as_slice(), &[(queue, head)]].concat())
        });
        chosen = longer.collect();
        peers.spend(1 + chosen.len())?;
    }
    let at = (MachineId::new(machine), config.locals[machine]);
    Ok(chosen.iter().any(|fronts| peers.system.is_at_a_loss(config, at, fronts)))
}

/// Whether maybe nobody can move, and somebody may not rest.
pub(crate) fn is_dead(peers: &mut Peers<'_>, config: &Config, spot: &Spot) -> Checked<bool> {
    for machine in 0..config.locals.len() {
        let acts = peers.acts(config, machine)?;
        let mut goes_on = !acts.internals.is_empty() || !acts.fails.is_empty();
        for send in &acts.sends {
            let may_be_full = spot.heads.contains_key(&send.queue.index());
            goes_on |= !may_be_full || !peers.is_limited(config, send.queue)?;
        }
        if goes_on {
            return Ok(false);
        }
    }
    for (&queue, heads) in &spot.heads {
        let mut is_taken = true;
        for &head in heads {
            is_taken &= !peers.takes(config, queue, head)?.is_empty();
        }
        if is_taken {
            return Ok(false);
        }
    }
    let program = peers.system.program();
    Ok(config.machines().any(|machine| !program.may_rest(machine, config.local(machine))))
}

/// Whether a bad situation may hold. What it says about contents is taken for true.
pub(crate) fn is_bad(peers: &Peers<'_>, setup: &Setup, config: &Config, number: usize) -> bool {
    let program = peers.system.program();
    let begins = |machine: MachineId| {
        let local = config.locals.get(machine.index());
        setup.beginnings.iter().any(|beginning| beginning.locals.get(machine.index()) == local)
    };
    let may_hold = |atom: &Atom| match atom {
        Atom::Content(..) => true,
        Atom::Control(machine, names) => {
            let passed = setup.passed.iter().filter(|passed| passed.0 == *machine);
            let mut passed = passed.map(|passed| program.control_name(*machine, passed.1));
            atom.holds(peers.system, config)
                || passed.any(|name| names.contains(&name)) && begins(*machine)
        }
    };
    program.outline().bad[number].cases.iter().any(|case| case.iter().all(may_hold))
}
