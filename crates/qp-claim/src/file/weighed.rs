//! The file format of ranks, and of weights beside them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_machines::{MachineId, QueueId};

use super::{FileError, RawRanked, RawStays, cell, raw_cell};
use crate::{RankedRegular, RegularSet, Stays, Weights};

/// What only a ranked set with languages has.
#[derive(Serialize, Deserialize)]
pub(super) struct RawWeighed {
    /// For each state of the automaton, the number of each row.
    potentials: Vec<Vec<u32>>,
    /// For each rank.
    blocks: Vec<u32>,
    /// For each block: queues, and what a message in them weighs.
    weights: Vec<Vec<(u32, u32)>>,
}

pub(super) fn raw_weighed(ranked: &RankedRegular) -> RawWeighed {
    let weights = |weights: &Weights| {
        weights.0.iter().map(|&(queue, weight)| (queue.raw(), weight)).collect()
    };
    RawWeighed {
        potentials: ranked.potentials.clone(),
        blocks: ranked.blocks.clone(),
        weights: ranked.weights.iter().map(weights).collect(),
    }
}

pub(super) fn ranked_regular(
    set: RegularSet,
    raw: RawRanked,
    weighed: RawWeighed,
) -> Result<RankedRegular, FileError> {
    let (ranks, reasons) = ranks(raw)?;
    let weight = |(queue, weight)| (QueueId::from_raw(queue), weight);
    let weights = |raw: Vec<(u32, u32)>| Weights(raw.into_iter().map(weight).collect());
    Ok(RankedRegular {
        set: Arc::new(set),
        ranks,
        potentials: weighed.potentials,
        reasons,
        blocks: weighed.blocks,
        weights: weighed.weights.into_iter().map(weights).collect(),
    })
}

pub(super) fn raw_ranks(ranks: &[Vec<u32>], reasons: &[Stays]) -> RawRanked {
    let reason = |stays: &Stays| match *stays {
        Stays::NoneAccepts => RawStays::NoneAccepts,
        Stays::NoStep => RawStays::NoStep,
        Stays::Waits(machine) => RawStays::Waits(machine.raw()),
    };
    let column = |ranks: &Vec<u32>| ranks.iter().copied().map(raw_cell).collect();
    RawRanked {
        ranks: ranks.iter().map(column).collect(),
        reasons: reasons.iter().map(reason).collect(),
    }
}

/// The ranks and their reasons.
pub(super) fn ranks(raw: RawRanked) -> Result<(Vec<Vec<u32>>, Vec<Stays>), FileError> {
    let reason = |stays| match stays {
        RawStays::NoneAccepts => Stays::NoneAccepts,
        RawStays::NoStep => Stays::NoStep,
        RawStays::Waits(machine) => Stays::Waits(MachineId::from_raw(machine)),
    };
    let rank = |rank| cell(rank).ok_or_else(|| FileError(format!("there is no rank {rank}")));
    let column = |ranks: Vec<i64>| ranks.into_iter().map(rank).collect::<Result<_, _>>();
    let ranks = raw.ranks.into_iter().map(column).collect::<Result<_, _>>()?;
    Ok((ranks, raw.reasons.into_iter().map(reason).collect()))
}
