//! Queueproof as a library: load a model, check it, get a [`Report`].
//!
//! ```
//! use queueproof::{Options, VerdictWord, check, load};
//!
//! let text = "machine A { init S: send B m -> T  T: }  machine B { init S: recv m -> T  T: }";
//! let model = load("handover.cfsm", text.as_bytes()).expect("it is a model");
//! let options = Options::default();
//! let checked = check(&model, &options, &options.budget());
//! let verdicts = checked.report.properties.iter().map(|p| (p.id.as_str(), p.verdict));
//! assert!(verdicts.into_iter().any(|found| found == ("deadlock", VerdictWord::Proved)));
//! ```
//!
//! Absent on purpose: files, clocks and terminals (callers have them) and formatting (`qp-report`).

mod chart;
mod clerk;
mod draw;
mod rounds;
mod ending;
mod loading;
mod options;
mod abreast;
mod turns;
mod portfolio;
mod reaching;
mod replaying;
mod report;
mod scope;
mod names;
mod peers;
mod waiting;
mod why;
mod words;
mod situation;
mod translate;
mod in_full;
mod invariants;
mod capacities;
#[cfg(feature = "distributed")]
mod together;

pub use capacities::{bound_by_proofs, compare_capacities, measure_capacities};
pub use chart::{Chart, ChartDeed, ChartEvent, ChartQueue, ChartRound, ChartRow, ChartValue};
pub use ending::{EndingReport, will_end};
pub use loading::{Loaded, Refused, load, load_files, read_invariant, read_invariants, tests};
pub use options::{Options, UnknownProperty};
pub use peers::peer_sizes;
pub use portfolio::{Artifact, Checked, InternalError, Tell, check, check_telling, engines};
pub use qp_claim::model_hash;
pub use qp_engines::{Exact, Lists, Order, Sets, Stated, Strategy, Walks};
pub use qp_load::{
    Assume, Channels, Dialect, Disk, EXTENSIONS, Fact, File, Foreign, GatherError, Granularity,
    Language, Models, Range, Switches, capacity, define, gather, models, remarks,
};
pub use qp_machines::{Property, Qutl};
pub use reaching::{ReachOptions, ReachReport, ReachRow, reach};
pub use replaying::{
    ReplayError, Replayed, Standing, Verified, model_of_file, replay_choices, replay_file,
    verify_certificate,
};
pub use report::{
    Assurance, CapacityReport, ChangesReport, CoverageReport, EngineReport, Explored,
    InvariantReport, Joint, LimitsReport, Location, ModelReport, PropertyReport, QueueReport,
    QueueStatus, Report, SetReport, SituationMachine, SituationQueue, SituationReport, Smallest,
    TraceReport, UnreachedReport, VerdictWord, WhyReport,
};
#[cfg(feature = "distributed")]
pub use together::{
    Cluster, Member, NotJoined, Shared, explore_together, free_addresses, join_cluster, read_hosts,
};
pub use translate::{Translation, Untranslatable, to_promela};
