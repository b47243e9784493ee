//! Runs as SPIN's simulator reads them: the text of a `.trail` file, for `spin -t`.
//!
//! Each line is `step:process:statement`. The step is a number that only grows, from 1. The process is counted
//! from 0 in the order of creation; under a claim it is counted from 1, and the claim is 0. The statement is the
//! number that SPIN gives to it. Of a handshake the sender comes first, then the receiver; a `d_step` is one line;
//! the end of a process is a line with the number of its end; a statement that fails is the last line.
//!
//! Other lines have no step: `-2:n:-2` starts the claim that is the `n`-th body of the model, and `-1:-1:-1`
//! stands before what is repeated for ever. `-4:-4:-4`, with which SPIN says that it merged statements, is never
//! written: here every statement has its line.

use std::fmt::Write as _;

use qp_machines::{Act, Event};

/// A claim that goes along with a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Follower {
    /// Its number among all bodies of the model: `Claim::number`.
    pub number: u32,
    /// The numbers of the statements that it does, one before each turn of the run; what is left goes on alone
    /// when the run has ended.
    pub moves: Vec<u32>,
}

/// The text of a `.trail` file for a run, given as the acts of each of its turns. A lasso comes back after its
/// last turn to where it was before turn `cycle`. `None` if what happens is not told as statements of the model.
///
/// A claim is not needed for replay: without one SPIN runs the processes alone.
pub fn trail(turns: &[&[Act]], cycle: Option<usize>, claim: Option<&Follower>) -> Option<String> {
    let mut lines = Lines { text: String::new(), step: 0 };
    if let Some(claim) = claim {
        let _ = writeln!(lines.text, "-2:{}:-2", claim.number);
    }
    let shift = usize::from(claim.is_some());
    let mut moves = claim.map(|claim| claim.moves.iter()).into_iter().flatten();
    for (index, turn) in turns.iter().enumerate() {
        if cycle == Some(index) {
            lines.begin_cycle();
        }
        if let Some(&statement) = moves.next() {
            lines.step(0, statement);
        }
        lines.turn(turn, shift)?;
    }
    // A run that has ended stays as it is for ever. Only a claim can have lines there.
    let mut rest = moves.peekable();
    if cycle == Some(turns.len()) && rest.peek().is_some() {
        lines.begin_cycle();
    }
    for &statement in rest {
        lines.step(0, statement);
    }
    Some(lines.text)
}

struct Lines {
    text: String,
    step: usize,
}

impl Lines {
    fn begin_cycle(&mut self) {
        self.text.push_str("-1:-1:-1\n");
    }

    /// The lines of a turn. What has no number is part of a `d_step`, whose line has been written, or a failure
    /// that is none of a statement.
    fn turn(&mut self, acts: &[Act], shift: usize) -> Option<()> {
        acts.first()?;
        let mut known = Vec::new();
        for act in acts {
            if let Some(statement) = act.statement {
                known.push(act.machine);
                self.step(act.machine.index() + shift, statement);
            } else if !known.contains(&act.machine) && !matches!(act.event, Event::Failed { .. }) {
                return None;
            }
        }
        Some(())
    }

    fn step(&mut self, process: usize, statement: u32) {
        self.step += 1;
        let _ = writeln!(self.text, "{}:{process}:{statement}", self.step);
    }
}

#[cfg(test)]
mod tests {
    use qp_machines::{Event, MachineId};

    use super::*;

    fn act(machine: usize, statement: u32) -> Act {
        let event = Event::Internal;
        Act { machine: MachineId::new(machine), event, statement: Some(statement) }
    }

    /// What SPIN 6.5.2 writes for a run with a new process, a handshake, an atomic sequence, a `d_step`, the
    /// end of a process, and an assertion that fails.
    #[test]
    fn every_act_has_a_line() {
        let handshake = [act(0, 10), act(1, 0)];
        let atomic = [act(1, 2), act(1, 3)];
        let alone = [9, 1, 7, 8, 11, 12, 13].map(|it| [act(usize::from(it < 9), it)]);
        let [start, send, d_step, end, take, wait, fail] = &alone;
        let turns: [&[Act]; 9] = [start, &handshake, send, &atomic, d_step, end, take, wait, fail];
        let text =
            "1:0:9\n2:0:10\n3:1:0\n4:1:1\n5:1:2\n6:1:3\n7:1:7\n8:1:8\n9:0:11\n10:0:12\n11:0:13\n";
        assert_eq!(trail(&turns, None, None).unwrap(), text);
    }

    #[test]
    fn a_line_stands_before_the_cycle() {
        let (first, second) = ([act(0, 0)], [act(0, 1)]);
        let turns: [&[Act]; 2] = [&first, &second];
        assert_eq!(trail(&turns, Some(1), None).unwrap(), "1:0:0\n-1:-1:-1\n2:0:1\n");
    }

    #[test]
    fn an_ended_run_has_no_cycle_to_show() {
        let first = [act(0, 0)];
        assert_eq!(trail(&[&first], Some(1), None).unwrap(), "1:0:0\n");
    }

    /// What SPIN 6.5.2 writes for a lasso under a claim.
    #[test]
    fn a_claim_moves_before_each_turn() {
        let (first, atomic) = ([act(0, 0)], [act(0, 0), act(0, 1)]);
        let turns: [&[Act]; 2] = [&first, &atomic];
        let claim = Follower { number: 2, moves: vec![8, 6] };
        let text = "-2:2:-2\n1:0:8\n2:1:0\n-1:-1:-1\n3:0:6\n4:1:0\n5:1:1\n";
        assert_eq!(trail(&turns, Some(1), Some(&claim)).unwrap(), text);
    }

    /// What SPIN 6.5.2 writes where nothing happens any more.
    #[test]
    fn a_claim_goes_on_alone_when_the_run_has_ended() {
        let first = [act(0, 5)];
        let claim = Follower { number: 1, moves: vec![6, 6, 6] };
        let text = "-2:1:-2\n1:0:6\n2:1:5\n-1:-1:-1\n3:0:6\n4:0:6\n";
        assert_eq!(trail(&[&first], Some(1), Some(&claim)).unwrap(), text);
    }

    #[test]
    fn a_sequence_is_one_line() {
        let inside = Act { statement: None, ..act(0, 0) };
        let turn = [act(0, 4), inside, inside];
        assert_eq!(trail(&[&turn], None, None).unwrap(), "1:0:4\n");
    }

    #[test]
    fn what_is_no_statement_cannot_be_written() {
        let hidden = [act(1, 4), Act { statement: None, ..act(0, 0) }];
        assert_eq!(trail(&[&hidden], None, None), None);
        assert_eq!(trail(&[&[]], None, None), None);
    }
}
