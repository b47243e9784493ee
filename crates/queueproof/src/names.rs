//! The names of machines and queues, also of those that are created at run time.

use qp_check::Run;
use qp_machines::{Config, Discipline, Event, MachineId, Outline, QueueId, System};

/// Names by number. What no run has shown is called by its number.
pub(crate) struct Names {
    machines: Vec<String>,
    queues: Vec<QueueName>,
}

struct QueueName {
    name: String,
    /// The machine that reads it, if only one does.
    reader: Option<MachineId>,
}

impl Names {
    /// The names that the model gives before anything runs.
    pub(crate) fn of(outline: &Outline) -> Self {
        let queues = outline.queues.iter().map(|info| {
            let reader = match info.readers[..] {
                [reader] => Some(reader),
                _ => None,
            };
            QueueName { name: info.name.clone(), reader }
        });
        Self {
            machines: outline.machines.iter().map(|info| info.name.clone()).collect(),
            queues: queues.collect(),
        }
    }

    /// The names of everything that there is in a run.
    pub(crate) fn of_run(system: &System, run: &Run) -> Self {
        let mut names = Self::of(system.program().outline());
        names.learn(system, run);
        names
    }

    /// The names of everything that there is in one configuration. Whose mailbox a queue is, others know
    /// from runs.
    pub(crate) fn of_moment(system: &System, config: &Config, others: &Self) -> Self {
        let mut names = Self::of(system.program().outline());
        let n_known = names.queues.len();
        names.add(system, config, None);
        for number in n_known..names.queues.len() {
            if let Some(owner) = others.reader(QueueId::new(number)) {
                names.queues[number] =
                    QueueName { name: names.machine(owner), reader: Some(owner) };
            }
        }
        names
    }

    /// Adds the names of what is created in a run.
    pub(crate) fn learn(&mut self, system: &System, run: &Run) {
        self.add(system, &run.initial, None);
        for outcome in &run.outcomes {
            if let Event::Created { machine } = outcome.event {
                self.add(system, &outcome.config, Some(machine));
            }
        }
    }

    /// A queue that was created together with a machine is its mailbox, where there are mailboxes.
    fn add(&mut self, system: &System, config: &Config, created: Option<MachineId>) {
        let program = system.program();
        for number in self.machines.len()..config.locals.len() {
            let machine = MachineId::new(number);
            let name = program.machine_name(machine, config.local(machine));
            self.machines.push(name.unwrap_or_else(|| numbered_machine(machine)));
        }
        let mailboxes = program.outline().discipline == Discipline::Mailbox;
        let owner = created.filter(|_| mailboxes);
        for number in self.queues.len()..config.words.len() {
            let named = |owner| self.machine(owner);
            let name = owner.map_or_else(|| numbered_queue(QueueId::new(number)), named);
            self.queues.push(QueueName { name, reader: owner });
        }
    }

    pub(crate) fn machine(&self, machine: MachineId) -> String {
        let name = self.machines.get(machine.index());
        name.cloned().unwrap_or_else(|| numbered_machine(machine))
    }

    pub(crate) fn queue(&self, queue: QueueId) -> String {
        let known = self.queues.get(queue.index());
        known.map_or_else(|| numbered_queue(queue), |known| known.name.clone())
    }

    pub(crate) fn reader(&self, queue: QueueId) -> Option<MachineId> {
        self.queues.get(queue.index())?.reader
    }
}

fn numbered_machine(machine: MachineId) -> String {
    format!("machine{}", machine.index())
}

fn numbered_queue(queue: QueueId) -> String {
    format!("queue{}", queue.index())
}
