//! Every step of everything that a row stands for.

use qp_machines::{Config, MachineId, System, Turn};

use crate::lists::{Contents, Looking};
use crate::sends::{Send, send_of};
use crate::{Checked, wrong};

/// More questions about one step to which a list has no answer are refused.
const OPEN_MAX: usize = 10;

/// Every step of everything that a row stands for, with what it sends and the row afterwards.
///
/// What a machine finds when it looks through a queue for a message that it does not skip is the same in all contents
/// that a list stands for, and in the list itself. Whether there are fewer messages than some number may differ: then
/// both answers are tried. What waits until nothing else is possible does so while somebody can move whatever the
/// answers are.
pub(crate) fn steps(
    system: &mut System,
    contents: &mut Contents,
    config: &Config,
) -> Checked<Vec<(Option<Send>, Config)>> {
    let (mut found, mut is_sure) = (Vec::new(), false);
    for timeout in [false, true] {
        if is_sure {
            break;
        }
        let mut todo: Vec<(MachineId, Vec<bool>)> = Vec::new();
        todo.extend(config.machines().map(|machine| (machine, Vec::new())));
        while let Some((machine, given)) = todo.pop() {
            let mut looking = Looking::new(contents, &given);
            let turns = system.turns_with(config, machine, timeout, &mut looking);
            let asked = looking.asked()?;
            if asked > OPEN_MAX {
                return wrong("a step asks too much of lengths");
            }
            if asked > given.len() {
                let answers = |answer| (machine, [&given[..], &[answer]].concat());
                todo.extend([true, false].map(answers));
                continue;
            }
            is_sure |= given.is_empty() && !turns.is_empty();
            for turn in &turns {
                match turn {
                    Turn::Does { acts, .. } => {
                        let send = send_of(machine, acts.iter().map(|act| act.event))?;
                        found.push((send, system.played(config, turn).1));
                    }
                    // The run ends here.
                    Turn::Fails { .. } => {}
                    Turn::GivesUp { .. } => return wrong("nobody knows what a step leads to"),
                }
            }
        }
    }
    Ok(found)
}
