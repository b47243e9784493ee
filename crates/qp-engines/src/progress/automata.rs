//! Machines as communicating automata: what each of them can do in a local state, whatever queues hold.

use std::collections::BTreeSet;

use qp_base::{Budget, Interner, Map};
use qp_machines::{
    Beyond, Capacity, Config, LocalId, MachineId, MessageId, Possible, QueueId, System,
};

use crate::stop::Stop;

/// Local states of all machines together: programs with data may have any number.
const LOCALS_MAX: usize = 20_000;

/// What a transition does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Deed {
    Internal,
    Send { queue: usize, letter: usize },
    Take { queue: usize, letter: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Transition {
    pub(super) from: usize,
    pub(super) deed: Deed,
    pub(super) to: usize,
}

/// One machine.
#[derive(Default)]
pub(super) struct Automaton {
    pub(super) locals: Interner<usize, LocalId>,
    /// Whether it may rest there, or can move by running into a failure.
    pub(super) rests: Vec<bool>,
    /// Whether it can run into a failure there.
    pub(super) fails: Vec<bool>,
    pub(super) transitions: Vec<Transition>,
    /// For each local state: its transitions.
    pub(super) leaving: Vec<Vec<usize>>,
    /// In which local state which message of a queue is passed over.
    pub(super) skips: BTreeSet<(usize, usize, usize)>,
    /// For each local state: what may be sent from there on, by queue and letter.
    late: Vec<BTreeSet<(usize, usize)>>,
}

/// Something that is to remain possible: the local states, by machine, in which it is so, and the letters whose receipt it
/// is.
pub(super) struct Wanted {
    places: BTreeSet<(usize, usize)>,
    letters: BTreeSet<usize>,
}

/// All machines.
pub(super) struct Automata {
    pub(super) machines: Vec<Automaton>,
    pub(super) letters: Vec<MessageId>,
    /// For each queue: how much fits.
    pub(super) capacities: Vec<usize>,
    /// For each queue: who sends to it.
    pub(super) senders: Vec<Vec<usize>>,
    /// For each queue: who takes from it.
    pub(super) readers: Vec<Option<usize>>,
    /// What is to remain possible.
    pub(super) wanted: Vec<Wanted>,
    /// What may be the first to be sent to a queue by a machine in a local state.
    first: Map<(usize, usize, usize), BTreeSet<usize>>,
    /// What queues hold; the first is nothing.
    contents: Interner<usize, Vec<usize>>,
}

/// Whether a transition can be taken, or at least be the next one that its machine takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    On,
    Waits,
    Never,
}

/// Where machines are and what queues hold: numbers of [`Automata::content`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Scene {
    pub(super) locals: Box<[u32]>,
    queues: Box<[u32]>,
}

impl Scene {
    pub(super) fn local(&self, machine: usize) -> usize {
        self.locals[machine] as usize
    }

    pub(super) fn n_queues(&self) -> usize {
        self.queues.len()
    }
}

impl Automata {
    pub(super) fn new(system: &mut System, budget: &Budget) -> Result<Self, Stop> {
        let initial = system.initial();
        let mut capacities = Vec::new();
        for queue in initial.queues() {
            let limited = system.is_limited(&initial, queue).map_err(Stop::outside)?;
            capacities.push(match system.kind(&initial, queue).capacity {
                Capacity::Messages(n) if limited => n as usize,
                _ => usize::MAX,
            });
        }
        let mut reader = Reader::new(&initial);
        while reader.advance(system, budget)? {}
        let Reader { machines, letters, .. } = reader;
        let letters = letters.values().to_vec();
        let (senders, readers) = (vec![Vec::new(); capacities.len()], vec![None; capacities.len()]);
        let (first, mut contents) = (Map::default(), Interner::new());
        contents.intern(Vec::new());
        let wanted = wanted(system, &machines, &letters);
        let mut automata =
            Self { machines, letters, capacities, senders, readers, wanted, first, contents };
        automata.look_ahead()?;
        Ok(automata)
    }

    /// Works out who sends where, and checks that nobody shares a queue as a reader.
    fn look_ahead(&mut self) -> Result<(), Stop> {
        for (number, machine) in self.machines.iter_mut().enumerate() {
            machine.look_ahead();
            for transition in &machine.transitions {
                match transition.deed {
                    Deed::Internal => {}
                    Deed::Send { queue, .. } => {
                        if self.senders[queue].last() != Some(&number) {
                            self.senders[queue].push(number);
                        }
                    }
                    Deed::Take { queue, .. } => {
                        if self.readers[queue].is_some_and(|other| other != number) {
                            return Err(Stop::outside("several machines receive from one queue"));
                        }
                        self.readers[queue] = Some(number);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn start(&self) -> Scene {
        let zeros = |n: usize| vec![0; n].into_boxed_slice();
        Scene { locals: zeros(self.machines.len()), queues: zeros(self.capacities.len()) }
    }

    /// What a queue holds.
    pub(super) fn content(&self, scene: &Scene, queue: usize) -> &[usize] {
        self.contents.value(scene.queues[queue] as usize)
    }

    pub(super) fn is_shared(&self, queue: usize) -> bool {
        self.senders[queue].len() > 1
    }

    pub(super) fn transition(&self, machine: usize, number: usize) -> &Transition {
        &self.machines[machine].transitions[number]
    }

    /// The transitions that a machine has where it is.
    pub(super) fn leaving(&self, scene: &Scene, machine: usize) -> &[usize] {
        &self.machines[machine].leaving[scene.local(machine)]
    }

    /// Whether something may be passed over in a queue.
    pub(super) fn has_skips(&self) -> bool {
        self.machines.iter().any(|machine| !machine.skips.is_empty())
    }

    /// Whether something may be passed over in a certain queue.
    pub(super) fn passes_over(&self, queue: usize) -> bool {
        self.machines.iter().any(|machine| machine.skips.iter().any(|skip| skip.1 == queue))
    }

    /// The place of the message that a machine looks at in a queue.
    fn front(&self, scene: &Scene, machine: usize, queue: usize) -> Option<usize> {
        let (skips, local) = (&self.machines[machine].skips, scene.local(machine));
        let is_seen = |letter: &usize| !skips.contains(&(local, queue, *letter));
        self.content(scene, queue).iter().position(is_seen)
    }

    pub(super) fn status(&mut self, scene: &Scene, machine: usize, number: usize) -> Status {
        match self.transition(machine, number).deed {
            Deed::Internal => Status::On,
            Deed::Send { queue, .. }
                if self.content(scene, queue).len() < self.capacities[queue] =>
            {
                Status::On
            }
            Deed::Send { .. } => Status::Waits,
            Deed::Take { queue, letter } => match self.front(scene, machine, queue) {
                Some(place) if self.content(scene, queue)[place] == letter => Status::On,
                None if self.may_come(scene, machine, queue, letter) => Status::Waits,
                Some(_) | None => Status::Never,
            },
        }
    }

    /// Whether a letter may be the next that a machine finds in a queue in which there is nothing for it now.
    fn may_come(&mut self, scene: &Scene, machine: usize, queue: usize, letter: usize) -> bool {
        let local = scene.local(machine);
        let range = (local, queue, 0)..=(local, queue, usize::MAX);
        let passes_over = self.machines[machine].skips.range(range).next().is_some();
        let senders = self.senders[queue].clone();
        senders.into_iter().any(|sender| {
            let at = scene.local(sender);
            if passes_over {
                return self.machines[sender].late[at].contains(&(queue, letter));
            }
            self.first_sends(sender, queue, at).contains(&letter)
        })
    }

    fn first_sends(&mut self, sender: usize, queue: usize, local: usize) -> &BTreeSet<usize> {
        let machine = &self.machines[sender];
        self.first.entry((sender, queue, local)).or_insert_with(|| {
            let (mut found, mut seen, mut todo) =
                (BTreeSet::new(), BTreeSet::from([local]), vec![local]);
            while let Some(local) = todo.pop() {
                for &number in &machine.leaving[local] {
                    let transition = &machine.transitions[number];
                    match transition.deed {
                        Deed::Send { queue: to, letter } if to == queue => {
                            found.insert(letter);
                        }
                        _ => {
                            if seen.insert(transition.to) {
                                todo.push(transition.to);
                            }
                        }
                    }
                }
            }
            found
        })
    }

    /// Whether what is to remain possible is so where machines are.
    pub(super) fn is_there(&self, number: usize, local: impl Fn(usize) -> usize) -> bool {
        self.wanted[number].places.iter().any(|&(machine, wanted)| local(machine) == wanted)
    }

    /// Whether it comes about by a transition.
    pub(super) fn comes_about(&self, wanted: usize, machine: usize, number: usize) -> bool {
        let (transition, Wanted { places, letters }) =
            (self.transition(machine, number), &self.wanted[wanted]);
        matches!(transition.deed, Deed::Take { letter, .. } if letters.contains(&letter))
            || places.contains(&(machine, transition.to))
    }

    /// Whether somebody sends a letter to a queue, wherever it is.
    pub(super) fn is_sent(&self, queue: usize, letter: usize) -> bool {
        let all = self.senders[queue].iter().flat_map(|&sender| &self.machines[sender].transitions);
        all.into_iter().any(|it| it.deed == Deed::Send { queue, letter })
    }

    /// Whether a machine may still send something to a queue from a local state on.
    pub(super) fn may_send(&self, machine: usize, local: usize, queue: usize) -> bool {
        let range = (queue, 0)..=(queue, usize::MAX);
        self.machines[machine].late[local].range(range).next().is_some()
    }

    /// The scene after a transition that is on.
    pub(super) fn fire(&mut self, scene: &Scene, machine: usize, number: usize) -> Scene {
        let transition = *self.transition(machine, number);
        let mut after = scene.clone();
        after.locals[machine] = transition.to as u32;
        let (Deed::Send { queue, .. } | Deed::Take { queue, .. }) = transition.deed else {
            return after;
        };
        let mut content = self.content(scene, queue).to_vec();
        if let Deed::Send { letter, .. } = transition.deed {
            content.push(letter);
        } else {
            content.remove(self.front(scene, machine, queue).expect("the transition is on"));
        }
        after.queues[queue] = self.contents.intern(content) as u32;
        after
    }
}

impl Automaton {
    /// Whether control flow has a way between local states on which a deed is done.
    pub(super) fn has_way(&self, from: usize, deed: Deed, to: usize) -> bool {
        // Each local state before and after the deed.
        let mut seen = vec![[false; 2]; self.locals.len()];
        let mut todo = vec![(from, false)];
        while let Some((local, is_done)) = todo.pop() {
            if std::mem::replace(&mut seen[local][usize::from(is_done)], true) {
                continue;
            }
            for &number in &self.leaving[local] {
                let transition = &self.transitions[number];
                todo.push((transition.to, is_done || transition.deed == deed));
            }
        }
        seen[to][1]
    }

    /// Works out what may be sent from each local state on.
    fn look_ahead(&mut self) {
        self.late = vec![BTreeSet::new(); self.locals.len()];
        let mut before = vec![Vec::new(); self.locals.len()];
        for transition in &self.transitions {
            before[transition.to].push(transition.from);
            if let Deed::Send { queue, letter } = transition.deed {
                self.late[transition.from].insert((queue, letter));
            }
        }
        let mut todo: Vec<usize> = (0..self.locals.len()).collect();
        while let Some(local) = todo.pop() {
            let sends = self.late[local].clone();
            for &earlier in &before[local] {
                let known = self.late[earlier].len();
                self.late[earlier].extend(sends.iter().copied());
                if self.late[earlier].len() > known {
                    todo.push(earlier);
                }
            }
        }
    }
}

/// Reads local states and transitions until there are no more, whatever messages come from those who may send them.
struct Reader<'a> {
    like: &'a Config,
    machines: Vec<Automaton>,
    letters: Interner<usize, MessageId>,
    /// For each queue: the letters that somebody sends to it.
    sent: Vec<Vec<usize>>,
    /// For each machine and local state: the queues that it listens to, each with how many letters it was asked about.
    listens: Vec<Vec<Vec<(usize, usize)>>>,
    n_locals: usize,
}

impl<'a> Reader<'a> {
    fn new(like: &'a Config) -> Self {
        let n_machines = like.locals.len();
        Self {
            like,
            machines: (0..n_machines).map(|_| Automaton::default()).collect(),
            letters: Interner::new(),
            sent: vec![Vec::new(); like.words.len()],
            listens: vec![Vec::new(); n_machines],
            n_locals: 0,
        }
    }

    /// Goes through all local states once; says whether anything new was found.
    fn advance(&mut self, system: &mut System, budget: &Budget) -> Result<bool, Stop> {
        let mut is_new = false;
        for machine in 0..self.machines.len() {
            if self.machines[machine].locals.is_empty() {
                let first = self.like.locals[machine];
                self.local(system, machine, first)?;
            }
            let mut local = 0;
            while local < self.machines[machine].locals.len() {
                budget.ask()?;
                if self.listens[machine].len() == local {
                    self.command(system, machine, local)?;
                    is_new = true;
                }
                is_new |= self.hear(system, machine, local)?;
                local += 1;
            }
        }
        Ok(is_new)
    }

    fn local(&mut self, system: &System, machine: usize, local: LocalId) -> Result<usize, Stop> {
        let automaton = &mut self.machines[machine];
        let place = automaton.locals.intern(local);
        if place == automaton.leaving.len() {
            self.n_locals += 1;
            if self.n_locals > LOCALS_MAX {
                return Err(Stop::TooMuch);
            }
            automaton.leaving.push(Vec::new());
            automaton.rests.push(system.program().may_rest(MachineId::new(machine), local));
            automaton.fails.push(false);
        }
        Ok(place)
    }

    fn add(
        &mut self,
        system: &System,
        machine: usize,
        (from, deed, next): (usize, Deed, LocalId),
    ) -> Result<(), Stop> {
        let to = self.local(system, machine, next)?;
        let automaton = &mut self.machines[machine];
        let transition = Transition { from, deed, to };
        let known = |&number: &usize| automaton.transitions[number] == transition;
        if !automaton.leaving[from].iter().any(known) {
            automaton.leaving[from].push(automaton.transitions.len());
            automaton.transitions.push(transition);
        }
        Ok(())
    }

    /// What a machine can do in a local state without a message.
    fn command(&mut self, system: &mut System, machine: usize, local: usize) -> Result<(), Stop> {
        let (id, at) = (MachineId::new(machine), *self.machines[machine].locals.value(local));
        let commands = system.commands(self.like, id, at).map_err(|why| outside(system, why))?;
        let refused = |why| Err(Stop::outside(system.told((id, at), None, why)));
        if commands.creates {
            return refused("machines are created");
        }
        if commands.ends {
            return refused("a machine ends");
        }
        if let Some(why) = commands.shares {
            return Err(Stop::outside(why));
        }
        let queues =
            commands.sends.iter().map(|it| it.queue).chain(commands.listens.iter().copied());
        if queues.map(QueueId::index).any(|queue| queue >= self.sent.len()) {
            return refused("queues are created while the program runs");
        }
        let fails = !commands.fails.is_empty();
        self.machines[machine].fails[local] = fails;
        self.machines[machine].rests[local] |= fails;
        for next in commands.internals {
            self.add(system, machine, (local, Deed::Internal, next))?;
        }
        for sending in commands.sends {
            let (queue, letter) = (sending.queue.index(), self.letters.intern(sending.message));
            if !self.sent[queue].contains(&letter) {
                self.sent[queue].push(letter);
            }
            self.add(system, machine, (local, Deed::Send { queue, letter }, sending.next))?;
        }
        let listens = commands.listens.iter().map(|queue| (queue.index(), 0)).collect();
        self.listens[machine].push(listens);
        Ok(())
    }

    /// What a machine makes in a local state of the letters that it was not asked about; says whether there were any.
    fn hear(&mut self, system: &mut System, machine: usize, local: usize) -> Result<bool, Stop> {
        let at = (MachineId::new(machine), *self.machines[machine].locals.value(local));
        let mut is_new = false;
        for number in 0..self.listens[machine][local].len() {
            let (queue, known) = self.listens[machine][local][number];
            let letters = self.sent[queue][known..].to_vec();
            for letter in letters {
                is_new = true;
                let front = (QueueId::new(queue), *self.letters.value(letter));
                let hearing = system.hearing(self.like, at, front);
                let hearing = hearing.map_err(|why| outside(system, why))?;
                if let Some(why) = hearing.shares {
                    return Err(Stop::outside(why));
                }
                let fails = hearing.fails && !self.machines[machine].fails[local];
                let chooses = hearing.skips && !hearing.takes.is_empty();
                if fails || chooses {
                    let why = if fails {
                        "a message leads to a failure"
                    } else {
                        "a message may be taken or passed over"
                    };
                    return Err(Stop::outside(system.told(at, None, why)));
                }
                if hearing.skips {
                    self.machines[machine].skips.insert((local, queue, letter));
                }
                for next in hearing.takes {
                    self.add(system, machine, (local, Deed::Take { queue, letter }, next))?;
                }
            }
            self.listens[machine][local][number].1 = self.sent[queue].len();
        }
        Ok(is_new)
    }
}

/// Where what is to remain possible is so, and the letters whose receipt it is.
fn wanted(system: &System, machines: &[Automaton], letters: &[MessageId]) -> Vec<Wanted> {
    let program = system.program();
    let of = |wanted: &Possible| {
        let mut places = BTreeSet::new();
        for (number, machine) in machines.iter().enumerate() {
            for (local, &id) in machine.locals.values().iter().enumerate() {
                if wanted.is_there(program, MachineId::new(number), id) {
                    places.insert((number, local));
                }
            }
        }
        let is_received = |&letter: &usize| wanted.is_received(program, letters[letter]);
        Wanted { places, letters: (0..letters.len()).filter(is_received).collect() }
    };
    program.outline().possible.iter().map(of).collect()
}

fn outside(system: &System, why: Beyond) -> Stop {
    match why {
        Beyond::Step(text) => Stop::outside(text),
        Beyond::GivesUp(failure) => Stop::outside(system.program().failure(failure).text),
    }
}
