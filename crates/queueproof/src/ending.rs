//! Whether the search for what queues can hold is bound to come to an end.

use qp_base::Budget;
use qp_engines::{CycleStep, Ending, ending};
use qp_machines::Outline;

use crate::Loaded;
use crate::reaching::why;

/// Whether the search is bound to come to an end, and if nobody knows, what is in the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingReport {
    /// Where the model is from.
    pub path: String,
    /// Whether it is bound to come to an end.
    pub will_end: bool,
    /// Why, in the user's words.
    pub because: String,
    /// The cycles in the way; each is a list of steps in words.
    pub cycles: Vec<Vec<String>>,
    /// The step of the last of them that is in the way, in words.
    pub step: Option<String>,
    /// The length of the longest cycle, if the search is bound to come to an end.
    pub longest: Option<usize>,
}

/// Finds out whether the search of [`crate::reach`] is bound to come to an end. An error says why that is not known.
pub fn will_end(loaded: &Loaded, budget: &Budget) -> Result<EndingReport, String> {
    let outline = loaded.model.outline();
    let found = ending(&loaded.model, budget).map_err(|reason| why(&reason))?;
    let steps = |cycle: &[CycleStep]| cycle.iter().map(|step| words(outline, step)).collect();
    let mut report = EndingReport {
        path: loaded.source.name.clone(),
        will_end: false,
        because: String::new(),
        cycles: Vec::new(),
        step: None,
        longest: None,
    };
    match found {
        Ending::Guaranteed { cycles, longest } => {
            report.will_end = true;
            report.longest = Some(longest);
            report.because = match cycles {
                0 => "there are no cycles of steps".to_owned(),
                1 => "there is one cycle of steps, and it leaves regular contents".to_owned(),
                n => format!(
                    "each of {n} cycles of steps leaves regular contents, and may be taken before \
                     the steps of the others"
                ),
            };
        }
        Ending::Counts { cycle, queues } => {
            let [first, second] = queues.map(|queue| outline.queue_text(queue));
            report.because = format!("{first} and {second} both tell how often a cycle was taken");
            report.cycles = vec![steps(&cycle)];
        }
        Ending::InTheWay { cycle, other, step } => {
            "it makes a difference whether a cycle is taken before a step of another one or after it"
                .clone_into(&mut report.because);
            report.cycles = vec![steps(&cycle), steps(&other)];
            report.step = Some(words(outline, &step));
        }
        Ending::Depends { step } => {
            "a step on a cycle depends on more than the first message of a queue, or something is \
             created or ends in it"
                .clone_into(&mut report.because);
            report.step = Some(words(outline, &step));
        }
    }
    Ok(report)
}

/// A step in words: who does what, and where.
fn words(outline: &Outline, step: &CycleStep) -> String {
    let known = outline.machines.get(step.machine);
    let machine = known.map_or_else(|| format!("#{}", step.machine.raw()), |it| it.name.clone());
    let does = match &step.message {
        Some((true, message, queue)) => {
            format!("sends {message} to {}", outline.queue_text(*queue))
        }
        Some((false, message, queue)) => {
            format!("receives {message} from {}", outline.queue_text(*queue))
        }
        None => "moves".to_owned(),
    };
    format!("{machine} in {} {does}", step.control)
}
