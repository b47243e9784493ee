//! Queueproof as a library: load a model, check it, get a [`Report`].

mod chart;
mod report;

pub use chart::{Chart, ChartEvent, ChartQueue, ChartRow};
pub use report::{
    EngineReport, Explored, LimitsReport, Location, ModelReport, PropertyReport, QueueReport,
    QueueStatus, Report, TraceReport, VerdictWord,
};
