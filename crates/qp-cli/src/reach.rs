//! `reach`.

use qp_report::contents;
use queueproof::{Options, ReachOptions};

use crate::args::{Format, ReachArgs};
use crate::check::cancelled_by_ctrl_c;
use crate::exit::{Exit, Trouble};
use crate::{files, print};

pub(crate) fn reach(args: &ReachArgs) -> Result<Exit, Trouble> {
    let wanted = files::model(&args.path, &args.reading)?;
    let loaded = files::load(&wanted, &args.look)?;
    let options = ReachOptions { cycle_max: args.cycles, blurred: args.blur, all: args.all };
    let limits = Options {
        time: args.time.0,
        states_max: args.steps,
        cancelled: cancelled_by_ctrl_c(),
        ..Options::default()
    };
    let unknown = |why: String| {
        Trouble::new(Exit::Unknown, format!("{}: unknown: {why}", args.path.display()))
    };
    if args.will_end {
        let report = queueproof::will_end(&loaded, &limits.budget()).map_err(unknown)?;
        print(&match args.format {
            Format::Text => contents::ending_text(&report),
            Format::Json => contents::ending_json(&report),
        });
        return Ok(if report.will_end { Exit::Fine } else { Exit::Unknown });
    }
    let report = queueproof::reach(&loaded, options, &limits.budget()).map_err(unknown)?;
    print(&match args.format {
        Format::Text => contents::text(&report),
        Format::Json => contents::json(&report),
    });
    Ok(if report.exact { Exit::Fine } else { Exit::Unknown })
}
