//! What the user marks as progress in a P program.

use qp_base::names::{did_you_mean_nearly, quoted};
use qp_base::{Code, Diagnostic, Span};
use qp_program::{Blueprint, Marks, Unmarked};

/// A name marks nothing, or several things.
pub(crate) const NO_MARK: Code = Code(262);

/// The marks with these names, or what is wrong with the names.
pub(crate) fn marks(blueprint: &Blueprint, names: &[String]) -> Result<Marks, Vec<Diagnostic>> {
    let (mut marks, mut wrong) = (Marks::default(), Vec::new());
    for name in names {
        if let Err(why) = marks.add(blueprint, name) {
            wrong.push(refused(name, why));
        }
    }
    if wrong.is_empty() { Ok(marks) } else { Err(wrong) }
}

fn refused(name: &str, why: Unmarked) -> Diagnostic {
    let name_told = quoted(name);
    match why {
        Unmarked::Unknown(known) => {
            let message = format!("there is no state or event {name_told} to count as progress");
            let states = known.iter().filter_map(|it| it.split_once('.')).map(|it| it.1);
            let known = known.iter().map(String::as_str).chain(states);
            let otherwise = "name a state, like `Client.Idle`, or an event";
            let help = did_you_mean_nearly(name, known, otherwise);
            Diagnostic::error(NO_MARK, message, Span::default()).help(help)
        }
        Unmarked::Several(names) => {
            let message = format!("{name_told} may mean {}", names.join(" or "));
            Diagnostic::error(NO_MARK, message, Span::default())
                .help("write the machine as well, like `Client.Idle`")
        }
    }
}
