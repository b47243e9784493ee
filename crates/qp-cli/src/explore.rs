//! `explore`.

use qp_report::json::Item;
use qp_report::text;
use queueproof::{Options, Property};

use crate::args::ExploreArgs;
use crate::cluster::Part;
use crate::exit::{Exit, Trouble};
use crate::kept::Folders;
use crate::{check, cluster, files, print};

pub(crate) fn explore(args: &ExploreArgs) -> Result<Exit, Trouble> {
    if args.from > args.bound || args.from == 0 {
        return Err(Trouble::usage("--from must be at least 1 and at most --bound"));
    }
    if args.limits.max_bound.is_some() {
        return Err(Trouble::usage("explore takes --bound, not --max-bound"));
    }
    if args.limits.engine.iter().any(|engine| engine != "explore") {
        return Err(Trouble::usage(
            "explore is an engine of its own; use check --engine for others",
        ));
    }
    let wanted = files::model(&args.path, &args.reading)?;
    let loaded = files::load(&wanted, &args.output.look)?;
    let outline = loaded.model.outline();
    let mut options = check::options(&args.limits, args.property.clone())?;
    options.engines = vec!["explore".to_owned()];
    if args.property.is_empty() {
        // What a look at single configurations can tell; the rest is for `check`.
        let usual = options.selected(outline).unwrap_or_default();
        let of_moments = usual.into_iter().filter(|property| match property {
            Property::Assert | Property::Unhandled | Property::Deadlock | Property::Reach(_) => {
                true
            }
            Property::Divergence => outline.failing.contains(property),
            _ => false,
        });
        options.properties = of_moments.map(|property| property.id(outline)).collect();
    }
    options.selected(outline).map_err(|unknown| Trouble::usage(unknown.to_string()))?;
    let options = Options {
        bound_first: args.from,
        bound_max: args.bound,
        exhaustive: args.all_errors || args.count,
        count_only: args.count,
        reduce: args.reduce,
        sets: options.sets.with_all_orders(),
        ..options
    };
    let mut folders = Folders::new(&args.output.out);
    let (checked, lost) = if cluster::is_wanted(&args.cluster) {
        match cluster::explore(args, &loaded, &options, &mut folders)? {
            Part::Reports { checked, lost } => (*checked, lost),
            Part::Helped(exit) => return Ok(exit),
        }
    } else {
        (check::run(&loaded, &options, &args.output, &mut folders)?, false)
    };
    if args.output.format.is_text() {
        let style = files::style(&args.output.look, &std::io::stdout());
        print(&text::exploration(&checked.report, &style));
    }
    check::print_items(&[Item::Report(Box::new(checked.report.clone()))], &args.output);
    // Counting asks nothing that could be unknown; but a count that a limit has cut is not one.
    let hit = &checked.report.limits.hit;
    let cut = ["time", "memory", "states"].iter().any(|limit| hit.iter().any(|it| it == limit));
    let cut = lost || args.count && cut;
    Ok(if cut { Exit::of(&checked).max(Exit::Unknown) } else { Exit::of(&checked) })
}
