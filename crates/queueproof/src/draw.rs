//! From a replayed run to a chart.

use qp_base::Span;
use qp_check::{Finding, Run};
use qp_claim::{Shape, Trace};
use qp_machines::{Assigned, Config, Event, MachineId, MessageId, Outcome, QueueId, System};

use crate::Loaded;
use crate::chart::{Chart, ChartDeed, ChartEvent, ChartQueue, ChartRow, ChartValue};
use crate::in_full::InFull;
use crate::names::Names;
use crate::waiting::waits_for;
use crate::words::{self, Saying};

/// What a run ends in, and its chart: with all values if they can be had.
pub(crate) fn told(
    loaded: &Loaded,
    system: &System,
    run: &Run,
    trace: &Trace,
    finding: Finding,
) -> (Saying, Chart) {
    let waiting = waits_for(loaded, trace, finding);
    let told = |system: &System, run: &Run, finding| {
        let mut saying = words::finding(system, run, finding);
        if let Some(waiting) = &waiting {
            saying.message = format!("{}; {waiting}", saying.message);
        }
        let chart = chart(loaded, system, run, trace, Some(&saying));
        (saying, chart)
    };
    let full = InFull::of(loaded, system, run);
    let full = full.and_then(|full| {
        let finding = full.finding(system, run, finding)?;
        Some(told(&full.system, &full.run, finding))
    });
    full.unwrap_or_else(|| told(system, run, finding))
}

/// The same for a run of which `say` knows what is wrong at its end.
pub(crate) fn said(
    loaded: &Loaded,
    (system, run): (&System, &Run),
    trace: &Trace,
    say: impl FnOnce(&System, &Run) -> Saying,
) -> (Saying, Chart) {
    let full = InFull::of(loaded, system, run);
    let (system, run) = full.as_ref().map_or((system, run), |full| (&full.system, &full.run));
    let saying = say(system, run);
    let chart = chart(loaded, system, run, trace, Some(&saying));
    (saying, chart)
}

/// The chart of a run that ends in nothing wrong.
pub(crate) fn plain(loaded: &Loaded, system: &System, run: &Run, trace: &Trace) -> Chart {
    let full = InFull::of(loaded, system, run);
    let (system, run) = full.as_ref().map_or((system, run), |full| (&full.system, &full.run));
    chart(loaded, system, run, trace, None)
}

/// The chart of a run that ends in what `saying` says.
fn chart(
    loaded: &Loaded,
    system: &System,
    run: &Run,
    trace: &Trace,
    saying: Option<&Saying>,
) -> Chart {
    let names = Names::of_run(system, run);
    let most = |n: fn(&Config) -> usize| {
        run.outcomes.iter().map(|o| n(&o.config)).chain([n(&run.initial)]).max().unwrap_or(0)
    };
    let (n_machines, n_queues) = (most(|c| c.locals.len()), most(|c| c.words.len()));
    let queue = |q: usize| ChartQueue {
        name: names.queue(QueueId::new(q)),
        reader: names.reader(QueueId::new(q)).map(MachineId::index),
    };
    let senders = vec![Vec::new(); n_queues];
    let mut pencil = Pencil { loaded, system, senders, rows: Vec::new() };
    let mut before = &run.initial;
    for outcome in &run.outcomes {
        pencil.draw(before, outcome);
        before = &outcome.config;
    }
    if let Shape::Family { from, until, turns, .. } = trace.shape {
        pencil.mark_turns(from, until, turns);
    }
    let control = |m: usize| {
        let machine = MachineId::new(m);
        let local = run.initial.locals.get(m);
        local.map_or_else(String::new, |&l| system.program().control_name(machine, l))
    };
    Chart {
        machines: (0..n_machines).map(|m| names.machine(MachineId::new(m))).collect(),
        controls: (0..n_machines).map(control).collect(),
        queues: (0..n_queues).map(queue).collect(),
        rows: pencil.rows,
        cycle_from: match trace.shape {
            Shape::Finite | Shape::Family { .. } => None,
            // A run that has ended repeats no step.
            Shape::Lasso { from } | Shape::Pump { from, .. } => {
                Some(from).filter(|&from| from < run.outcomes.len())
            }
        },
        ending: saying.map_or_else(String::new, |saying| saying.message.clone()),
        ending_machine: saying.and_then(|saying| saying.machine).map(MachineId::index),
        rounds: Vec::new(),
    }
}

struct Pencil<'a> {
    loaded: &'a Loaded,
    system: &'a System,
    /// For each queue: the rows that sent what is in it now, front first.
    senders: Vec<Vec<usize>>,
    rows: Vec<ChartRow>,
}

impl Pencil<'_> {
    /// Says which rows are the part that repeats.
    fn mark_turns(&mut self, from: usize, until: usize, turns: usize) {
        let last = until + 1;
        let first = from + 1;
        let begins = match turns {
            1 => "the part that repeats begins".to_owned(),
            _ => format!(
                "the part that repeats begins, here {turns} times: steps {first} to {until}"
            ),
        };
        let ends = format!("behind the part that repeats: from step {last} on");
        for (number, text) in [(from, begins), (until, ends)] {
            if let Some(row) = self.rows.get_mut(number) {
                row.note = Some(text);
            }
        }
    }

    fn draw(&mut self, before: &Config, outcome: &Outcome) {
        let (machine, after) = (outcome.step.machine, &outcome.config);
        let (row, program) = (self.rows.len(), self.system.program());
        let text = |message| program.message_shown(message);
        let mut note = None;
        let event = match outcome.event {
            Event::Internal => ChartEvent::Internal,
            Event::Announced { message } => {
                note = Some(format!("specs see {}", text(message)));
                ChartEvent::Internal
            }
            Event::Sent { queue, message } => {
                let more = outcome.events().skip(1).any(|event| changes(event, queue));
                let place = if more {
                    self.senders[queue.index()].len()
                } else {
                    self.inserted_at(before, after, queue)
                };
                self.senders[queue.index()].insert(place, row);
                let (queue, message) = (queue.index(), text(message));
                ChartEvent::Sends { queue, message, taken: None }
            }
            Event::Lost { queue, message } => {
                ChartEvent::Loses { queue: queue.index(), message: text(message) }
            }
            Event::Took { queue, message, position, kept } => {
                let sent = self.take(queue, position as usize, kept, row);
                ChartEvent::Takes { queue: queue.index(), message: text(message), sent }
            }
            Event::Handshake { queue, message, receiver } => ChartEvent::Meets {
                queue: queue.index(),
                message: text(message),
                receiver: receiver.index(),
            },
            Event::Created { machine } => ChartEvent::Creates { machine: machine.index() },
            Event::Ended => ChartEvent::Ends,
            Event::Closed { queue } => {
                self.senders[queue.index()].clear();
                ChartEvent::Closes { queue: queue.index() }
            }
            Event::Failed { failure } => ChartEvent::Fails { text: program.failure(failure).text },
            Event::GaveUp { why } => {
                let text = program.failure(why).text;
                ChartEvent::Fails { text: format!("the interpreter gave up: {text}") }
            }
        };
        let control = |config: &Config| {
            let local = config.locals.get(machine.index());
            local.map_or_else(|| "ended".to_owned(), |&l| program.control_name(machine, l))
        };
        let mut drawn = ChartRow::new(machine.index(), event, (control(before), control(after)));
        let span = before.locals.get(machine.index());
        let span = span.and_then(|&local| program.action_span(machine, local));
        drawn.place = span.map(|span| self.written_at(span));
        drawn.location = span.map(|span| words::location(self.loaded, span));
        drawn.deeds = self.deeds(before, outcome);
        drawn.values = self.values(before, after, machine);
        drawn.contents = self.contents(before, after);
        drawn.also = self.also(outcome);
        drawn.note = note.or_else(|| self.told(&drawn.also));
        self.rows.push(drawn);
    }

    /// The statements of a step, if the language has statements.
    fn deeds(&self, before: &Config, outcome: &Outcome) -> Vec<ChartDeed> {
        let (program, after) = (self.system.program(), &outcome.config);
        let deed = |machine: MachineId, number| {
            let to = after.locals.get(machine.index());
            let from = before.locals.get(machine.index()).or(to)?;
            let deed = program.deed(machine, *from, *to.unwrap_or(from), number)?;
            Some(ChartDeed {
                machine: machine.index(),
                place: self.written_at(deed.span),
                location: words::location(self.loaded, deed.span),
                text: deed.text,
            })
        };
        if outcome.acts.is_empty() {
            return deed(outcome.step.machine, None).into_iter().collect();
        }
        // What has no number is part of a statement before it.
        let numbered = outcome.acts.iter().filter(|act| act.statement.is_some());
        numbered.filter_map(|act| deed(act.machine, act.statement)).collect()
    }

    /// The variables that have new values, those of the machine that moves before those of others.
    fn values(&self, before: &Config, after: &Config, mover: MachineId) -> Vec<ChartValue> {
        let program = self.system.program();
        let (from, to) = (self.system.cells(before.store), self.system.cells(after.store));
        let mut values = Vec::new();
        let mut add = |machine: Option<usize>, assigned: Vec<Assigned>| {
            let value = |Assigned { name, value }| ChartValue { machine, name, value };
            values.extend(assigned.into_iter().map(value));
        };
        add(None, program.assigned_shared(&from, &to));
        let others = (0..after.locals.len()).filter(|&number| number != mover.index());
        for number in std::iter::once(mover.index()).chain(others) {
            let both = before.locals.get(number).zip(after.locals.get(number));
            if let Some((&from, &to)) = both.filter(|(from, to)| from != to) {
                add(Some(number), program.assigned(MachineId::new(number), from, to));
            }
        }
        values
    }

    /// The queues whose content changed, with what they hold now.
    fn contents(&self, before: &Config, after: &Config) -> Vec<(usize, Vec<String>)> {
        let words = self.system.words();
        let is_new = |queue: QueueId| before.words.len() <= queue.index();
        let changed = (0..after.words.len()).map(QueueId::new).filter(|&queue| {
            let now = after.word(queue);
            if is_new(queue) { !words.messages(now).is_empty() } else { before.word(queue) != now }
        });
        let content = |queue: QueueId| {
            let messages = words.messages(after.word(queue));
            (queue.index(), messages.into_iter().map(|message| self.text(message)).collect())
        };
        changed.map(content).collect()
    }

    /// What is sent and taken in a turn after the first thing that happens in it.
    fn also(&mut self, outcome: &Outcome) -> Vec<ChartEvent> {
        let row = self.rows.len();
        let rest = outcome.events().skip(1).filter(|_| !outcome.is_end());
        let mut also = Vec::new();
        for event in rest {
            match event {
                Event::Sent { queue, message } => {
                    self.senders[queue.index()].push(row);
                    let (queue, message) = (queue.index(), self.text(message));
                    also.push(ChartEvent::Sends { queue, message, taken: None });
                }
                Event::Took { queue, message, position, kept } => {
                    let sent = self.take(queue, position as usize, kept, row);
                    let (queue, message) = (queue.index(), self.text(message));
                    also.push(ChartEvent::Takes { queue, message, sent });
                }
                _ => {}
            }
        }
        also
    }

    fn text(&self, message: MessageId) -> String {
        self.system.program().message_shown(message)
    }

    /// The same in words.
    fn told(&self, also: &[ChartEvent]) -> Option<String> {
        let outline = self.system.program().outline();
        let name = |queue: usize| outline.queue_text(QueueId::new(queue));
        let word = |event: &ChartEvent| match event {
            ChartEvent::Sends { queue, message, .. } => {
                Some(format!("sends {message} to {}", name(*queue)))
            }
            ChartEvent::Takes { queue, message, .. } => {
                Some(format!("takes {message} from {}", name(*queue)))
            }
            _ => None,
        };
        let words: Vec<String> = also.iter().filter_map(word).collect();
        (!words.is_empty()).then(|| format!("then {}", words.join(", ")))
    }

    fn written_at(&self, span: Span) -> String {
        let location = words::location(self.loaded, span);
        if self.loaded.source.starts().len() == 1 {
            return format!("line {}", location.line);
        }
        let file = location.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", location.line)
    }

    /// Where a message was put: in a sorted queue that need not be the back.
    fn inserted_at(&self, before: &Config, after: &Config, queue: QueueId) -> usize {
        let words = self.system.words();
        let (before, after) =
            (words.messages(before.word(queue)), words.messages(after.word(queue)));
        let common = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        common.min(self.senders[queue.index()].len())
    }

    /// Finds the row that sent what is taken, and tells it.
    fn take(&mut self, queue: QueueId, position: usize, kept: bool, row: usize) -> Option<usize> {
        let senders = &mut self.senders[queue.index()];
        let sent = *senders.get(position)?;
        if !kept {
            senders.remove(position);
            // What a turn sends and takes itself, or sends as its second message, has no arrow.
            if let Some(ChartRow { event: ChartEvent::Sends { queue: at, taken, .. }, .. }) =
                self.rows.get_mut(sent)
                && *at == queue.index()
                && taken.is_none()
            {
                *taken = Some(row);
            }
        }
        Some(sent).filter(|&sent| sent < row)
    }
}

/// Whether something is put into a queue, or taken out of it.
fn changes(event: Event, queue: QueueId) -> bool {
    match event {
        Event::Sent { queue: at, .. } | Event::Took { queue: at, kept: false, .. } => at == queue,
        _ => false,
    }
}
