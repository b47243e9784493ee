//! How random schedules are drawn.

use clap::{Args as ClapArgs, ValueEnum};

use queueproof::{Strategy, Walks};

/// Random schedules, beside the search where it does not get through.
#[derive(ClapArgs)]
#[command(next_help_heading = "Random schedules")]
pub(crate) struct RandomArgs {
    /// How many to draw at most
    #[arg(
        long,
        value_name = "N",
        help = "How many to draw at most [default: as many as have a million steps together]"
    )]
    pub(crate) schedules: Option<u64>,
    /// Equal seeds draw equal schedules
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How they are drawn
    #[arg(long, value_enum, value_name = "NAME")]
    #[arg(help = "How they are drawn [default: each of them in turn]")]
    pub(crate) strategy: Option<StrategyName>,
}

/// How random schedules are drawn.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyName {
    /// Any machine that can move, in each step
    Uniform,
    /// A random ranking of the machines, which changes a few times
    Pct,
    /// Random priorities of steps; those that race with the one taken get new ones
    Pos,
}

impl RandomArgs {
    pub(crate) fn walks(&self, default: Walks) -> Walks {
        let strategy = |name| match name {
            StrategyName::Uniform => Strategy::Uniform,
            StrategyName::Pct => Strategy::Pct,
            StrategyName::Pos => Strategy::Pos,
        };
        Walks {
            steps_max: self.schedules.map_or(default.steps_max, |_| u64::MAX),
            schedules_max: self.schedules,
            seed: self.seed,
            strategy: self.strategy.map(strategy),
        }
    }
}
