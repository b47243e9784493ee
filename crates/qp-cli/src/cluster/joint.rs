//! One process of a cluster, from its options to its report.

use std::time::Duration;

use qp_report::diagnostics::diagnostics;
use queueproof::{Cluster, Loaded, NotJoined, Options, Refused, Shared};

use super::Part;
use super::children::Children;
use crate::args::{ClusterArgs, ExploreArgs};
use crate::exit::{Exit, Trouble};
use crate::kept::Folders;
use crate::progress::Ticker;
use crate::{files, kept, tell};

/// How long processes on this machine may take to start.
const START: Duration = Duration::from_secs(30);
/// How long to wait for other machines where there is no limit on time.
const LONGEST: Duration = Duration::from_mins(10);

pub(super) fn explore(
    args: &ExploreArgs,
    loaded: &Loaded,
    options: &Options,
    folders: &mut Folders,
) -> Result<Part, Trouble> {
    if args.reduce {
        return Err(Trouble::usage("--reduce is for one process; leave it out here"));
    }
    let (cluster, mut children) = cluster(args, options)?;
    keep_quiet_about_lost_connections();
    let member = queueproof::join_cluster(loaded, options, &cluster).map_err(alone)?;
    // The clock starts when all are there.
    let budget = options.budget();
    let progress = if cluster.process == 0 { Some(args.output.progress) } else { None };
    let ticker = progress.map(|mode| Ticker::start(mode, budget.progress().clone()));
    let shared = queueproof::explore_together(member, loaded, options, &budget);
    drop(ticker);
    let Shared { checked, lost, states } = shared;
    if let Some(lost) = &lost {
        tell(&format!("queueproof: {lost}{}\n", children.ends()));
        tell(&format!("  {states} configurations had been visited by all processes together\n"));
    }
    drop(children);
    let Some(mut checked) = checked else {
        if lost.is_none() {
            let (process, others) = (cluster.process, cluster.addresses.len());
            tell(&format!("process {process} of {others} is done; process 0 has the report\n"));
        }
        return Ok(Part::Helped(if lost.is_none() { Exit::Fine } else { Exit::Unknown }));
    };
    if args.output.no_files {
        kept::forget(&mut checked.report);
    } else {
        kept::keep(&mut checked, loaded, &folders.of(loaded))?;
    }
    for error in &checked.errors {
        tell(&format!("queueproof: bug in Queueproof [{}]: {}\n", error.code, error.message));
    }
    Ok(Part::Reports { checked: Box::new(checked), lost: lost.is_some() })
}

/// The cluster that is asked for, and the processes that were started for it.
fn cluster(args: &ExploreArgs, options: &Options) -> Result<(Cluster, Children), Trouble> {
    let ClusterArgs { processes, hosts, process, insecure_cluster, join, at } = &args.cluster;
    if let Some(process) = *join {
        // One of the processes that `--processes` started.
        let cluster = Cluster { addresses: at.clone(), process, patience: START };
        return checked(cluster).map(|cluster| (cluster, Children::default()));
    }
    if let Some(n) = *processes {
        let addresses = queueproof::free_addresses(n).map_err(alone)?;
        let children = Children::start(&addresses)?;
        return Ok((Cluster { addresses, process: 0, patience: START }, children));
    }
    let path = hosts.as_ref().expect("asked for by name or by number");
    let (name, text) = (path.to_string_lossy(), files::read(path)?);
    let hosts = queueproof::read_hosts(&name, &text, *insecure_cluster);
    let addresses = hosts.map_err(|Refused { source, diagnostics: list }| {
        let style = files::style(&args.output.look, &std::io::stderr());
        tell(&diagnostics(&source, &list, &style));
        Trouble::refused(source, list)
    })?;
    let process = process.expect("required beside --hosts");
    let patience = options.time.unwrap_or(LONGEST);
    let cluster = checked(Cluster { addresses, process, patience })?;
    Ok((cluster, Children::default()))
}

fn checked(cluster: Cluster) -> Result<Cluster, Trouble> {
    let Cluster { addresses, process, .. } = &cluster;
    if *process < addresses.len() {
        return Ok(cluster);
    }
    let last = addresses.len().saturating_sub(1);
    Err(Trouble::usage(format!(
        "there is no process {process}: they are numbered from 0 to {last}"
    )))
}

fn alone(why: NotJoined) -> Trouble {
    Trouble::new(Exit::Unknown, why.0)
}

/// Connections that break end threads of the dataflow engine. That is reported once, in our words.
fn keep_quiet_about_lost_connections() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        let inside = thread.name().is_some_and(|name| name.starts_with("timely:"));
        let text = panic.payload_as_str().unwrap_or_default();
        let lost = text.contains("timely communication error") || text.contains("poisoned");
        if !(inside && lost) {
            usual(panic);
        }
    }));
}
