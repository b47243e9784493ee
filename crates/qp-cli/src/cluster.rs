//! `explore` with several processes.

#[cfg(feature = "distributed")]
mod children;
#[cfg(feature = "distributed")]
mod joint;

use queueproof::{Checked, Loaded, Options};

use crate::args::{ClusterArgs, ExploreArgs};
use crate::exit::{Exit, Trouble};
use crate::kept::Folders;

/// What this process does in a cluster.
pub(crate) enum Part {
    /// It has the report.
    #[cfg_attr(not(feature = "distributed"), expect(dead_code, reason = "there is no cluster"))]
    Reports {
        checked: Box<Checked>,
        /// Another process was lost: what is there is not all.
        lost: bool,
    },
    /// It has helped, and another process has the report.
    #[cfg_attr(not(feature = "distributed"), expect(dead_code, reason = "there is no cluster"))]
    Helped(Exit),
}

/// Whether several processes are asked for.
pub(crate) fn is_wanted(args: &ClusterArgs) -> bool {
    args.processes.is_some() || args.hosts.is_some()
}

/// Searches together with other processes.
#[cfg(feature = "distributed")]
pub(crate) fn explore(
    args: &ExploreArgs,
    loaded: &Loaded,
    options: &Options,
    folders: &mut Folders,
) -> Result<Part, Trouble> {
    joint::explore(args, loaded, options, folders)
}

/// Says how to get a build that can do it.
#[cfg(not(feature = "distributed"))]
pub(crate) fn explore(
    _: &ExploreArgs,
    _: &Loaded,
    _: &Options,
    _: &mut Folders,
) -> Result<Part, Trouble> {
    Err(Trouble::usage(
        "--processes and --hosts are not in this build\n  help: build it with `cargo build --release \
         --features distributed`",
    ))
}
