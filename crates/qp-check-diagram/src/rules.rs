//! What machines can do, as rules about the values of levels.

use std::collections::BTreeMap;

use qp_machines::{
    Capacity, Config, Effect, Event, FailureId, Guard, LocalId, MachineId, MessageId, Move,
    Observed, Place, QueueId, System,
};

use crate::Checked;
use crate::levels::{ANY_STORE, Levels};

/// For the values with which something is possible: what becomes of them.
pub(crate) type Relation = BTreeMap<u32, u32>;

/// What is asked of levels, and what becomes of them. All others may have any value and keep it.
pub(crate) type Touches = BTreeMap<usize, Relation>;

/// The same with numbers of relations.
type Asked = BTreeMap<usize, usize>;

/// Steps of a machine that differ in nothing but the values of levels.
pub(crate) struct Rule {
    pub(crate) machine: MachineId,
    pub(crate) deed: Deed,
    pub(crate) touches: Touches,
}

/// What a step does, as far as properties ask for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    /// It runs into a failure, and changes nothing.
    Fails(FailureId),
    /// Nobody knows what it does.
    GivesUp,
    /// It takes the first message of a queue, or closes the queue.
    Takes(QueueId),
    /// It takes a message from behind others, or a copy of one.
    Skips,
    Other,
}

/// Of a value that is not listed, which no node has.
const NOWHERE: u32 = u32::MAX;

/// Asks the step function what each machine can do with each value of its level.
pub(crate) fn read(system: &mut System, levels: &Levels) -> Checked<Vec<Rule>> {
    if levels.whole.store != ANY_STORE && levels.all[levels.store].used().len() > 1 {
        return Err("machines look at the store".into());
    }
    let (relations, numbers, elsewhere) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let found = BTreeMap::new();
    let mut reader = Reader { system, levels, relations, numbers, elsewhere, found };
    for (&machine, &own) in &levels.machines {
        for value in levels.all[own].present() {
            reader.system.go_on()?;
            let mut config = levels.whole.clone();
            levels.all[own].put(&mut config, value);
            let moves = reader.system.moves(machine, config.local(machine), config.store);
            let scene = Scene { machine, own, value, config };
            for (number, mv) in moves.iter().enumerate() {
                reader.check_move(&scene, mv)?;
                reader.read_move(&scene, number, mv)?;
            }
        }
    }
    let mut rules = Vec::new();
    for ((machine, deed, asked, _), own) in reader.found {
        let of = |(level, number): (usize, usize)| (level, reader.relations[number].clone());
        let mut touches: Touches = asked.into_iter().map(of).collect();
        touches.insert(levels.of_machine(machine).expect("it has steps"), own);
        rules.push(Rule { machine, deed, touches });
    }
    Ok(rules)
}

/// A machine with a value of its level.
struct Scene {
    machine: MachineId,
    own: usize,
    value: u32,
    /// Has that value, and anything elsewhere.
    config: Config,
}

/// Asks the step function, and keeps the answers that do not depend on the own value.
struct Reader<'a> {
    system: &'a mut System,
    levels: &'a Levels,
    /// Relations, each once, and their numbers.
    relations: Vec<Relation>,
    numbers: BTreeMap<Relation, usize>,
    /// What a move asks of other levels, by machine, local state and number of the move.
    elsewhere: BTreeMap<(MachineId, LocalId, usize), Elsewhere>,
    /// By what is asked of other levels, what becomes of the own one. If several things may, they are numbered.
    found: BTreeMap<(MachineId, Deed, Asked, usize), Relation>,
}

/// What a move asks of other levels.
#[derive(Clone)]
struct Elsewhere {
    /// By its guards, by those who watch, and by its message if that goes to another level: one for each thing that
    /// may become of the message.
    all: Vec<Asked>,
    /// Where those who watch find a failure.
    ends: Vec<(Deed, Asked)>,
}

impl Reader<'_> {
    fn is_own(&self, scene: &Scene, queue: QueueId) -> bool {
        self.levels.of_queue(queue) == Some(scene.own)
    }

    /// Refuses moves that depend on more than can be asked.
    fn check_move(&self, scene: &Scene, mv: &Move) -> Checked<()> {
        if mv.guards.contains(&Guard::Timeout) || mv.guards.contains(&Guard::Else) {
            return Err("a move waits until nothing else happens".into());
        }
        match mv.effect {
            Effect::Receive { .. } if mv.announce.is_some() => Err("a receive is announced".into()),
            Effect::Receive { queue, .. } | Effect::Close { queue }
                if !self.is_own(scene, queue) =>
            {
                Err("a machine takes from a queue of another level".into())
            }
            Effect::Exit { .. } => Err("machines come and go".into()),
            Effect::Send { queue, .. } => {
                self.levels.of_queue(queue).ok_or("a message goes to no queue at all")?;
                let capacity = self.system.kind(&scene.config, queue).capacity;
                let meets = capacity == Capacity::Rendezvous;
                if meets { Err("a message is handed over".into()) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Finds the steps of a move.
    fn read_move(&mut self, scene: &Scene, number: usize, mv: &Move) -> Checked<()> {
        let foreign = |guard: &&Guard| match **guard {
            Guard::Holds(queue, _) | Guard::HoldsNot(queue, _) => !self.is_own(scene, queue),
            Guard::Idle | Guard::Else | Guard::Timeout => false,
        };
        let (foreign, own): (Vec<Guard>, Vec<Guard>) = mv.guards.iter().partition(foreign);
        if !self.system.allowed(&scene.config, scene.machine, &own, false) {
            return Ok(());
        }
        let elsewhere = self.elsewhere(scene, number, mv, &foreign)?;
        for (deed, asked) in &elsewhere.ends {
            self.add(scene, *deed, asked.clone(), scene.value);
        }
        let mut bare = Move { guards: Vec::new(), announce: None, ..mv.clone() };
        if matches!(mv.effect, Effect::Spawn { .. }) {
            return self.read_birth(scene, &bare, &elsewhere.all[0]);
        }
        // What becomes of a message to another level is known already.
        if matches!(mv.effect, Effect::Send { queue, .. } if !self.is_own(scene, queue)) {
            bare.effect = Effect::Internal;
        }
        let mut found = Vec::new();
        self.system.perform(&scene.config, scene.machine, &bare, &mut found);
        for (event, after) in &found {
            let to = self.image(scene, &scene.config, after)?;
            for asked in &elsewhere.all {
                self.add(scene, deed(*event), asked.clone(), to);
            }
        }
        Ok(())
    }

    /// Finds what comes of creating a machine, for each number of machines that there may be.
    fn read_birth(&mut self, scene: &Scene, bare: &Move, elsewhere: &Asked) -> Checked<()> {
        let levels = self.levels;
        let fewest = levels.n_initial.max(scene.machine.index() + 1);
        for n_machines in fewest..=levels.whole.locals.len() {
            let (mut config, mut found) = (scene.config.clone(), Vec::new());
            levels.leave(&mut config, n_machines);
            self.system.perform(&config, scene.machine, bare, &mut found);
            for (event, mut after) in found {
                let mut asked = elsewhere.clone();
                let last = levels.of_machine(MachineId::new(n_machines - 1)).expect("it is there");
                if n_machines > levels.n_initial && last != scene.own {
                    let exists = levels.all[last].present();
                    self.ask(&mut asked, last, exists.into_iter().map(|it| (it, it)).collect());
                }
                let home = levels.of_machine(MachineId::new(n_machines));
                if let Some(home) = home {
                    let mut whole = levels.whole.clone();
                    levels.leave(&mut whole, n_machines + 1);
                    if whole.kinds != after.kinds {
                        return Err("a machine is created with other queues".into());
                    }
                    let born = levels.all[home].value(&after).unwrap_or(NOWHERE);
                    let absent = levels.all[home].absent.into_iter();
                    self.ask(&mut asked, home, absent.map(|absent| (absent, born)).collect());
                }
                levels.leave(&mut after, n_machines);
                let to = self.image(scene, &config, &after)?;
                self.add(scene, deed(event), asked, if home.is_some() { to } else { NOWHERE });
            }
        }
        Ok(())
    }

    /// The value of the own level afterwards. Nothing else may change.
    fn image(&self, scene: &Scene, before: &Config, after: &Config) -> Checked<u32> {
        let (level, mut rest) = (&self.levels.all[scene.own], after.clone());
        level.put(&mut rest, scene.value);
        if rest != *before {
            return Err("a step changes more than its level".into());
        }
        Ok(level.value(after).unwrap_or(NOWHERE))
    }

    fn add(&mut self, scene: &Scene, deed: Deed, asked: Asked, to: u32) {
        let mut key = (scene.machine, deed, asked, 0);
        while *self.found.entry(key.clone()).or_default().entry(scene.value).or_insert(to) != to {
            key.3 += 1;
        }
    }

    /// Asks something more of a level. What was asked before must be guards: they leave a level as it is.
    fn ask(&mut self, asked: &mut Asked, level: usize, mut relation: Relation) {
        if let Some(&guards) = asked.get(&level) {
            relation.retain(|value, _| self.relations[guards].contains_key(value));
        }
        let number = *self.numbers.entry(relation).or_insert_with_key(|relation| {
            self.relations.push(relation.clone());
            self.relations.len() - 1
        });
        asked.insert(level, number);
    }

    /// What a move asks of other levels.
    fn elsewhere(
        &mut self,
        scene: &Scene,
        number: usize,
        mv: &Move,
        foreign: &[Guard],
    ) -> Checked<Elsewhere> {
        let (machine, config) = (scene.machine, &scene.config);
        let key = (machine, config.local(machine), number);
        if let Some(known) = self.elsewhere.get(&key) {
            return Ok(known.clone());
        }
        let (mut guards, mut ends) = (Asked::new(), Vec::new());
        for &guard in foreign {
            let (Guard::Holds(queue, _) | Guard::HoldsNot(queue, _)) = guard else { continue };
            let level = self.levels.of_queue(queue).ok_or("a move asks about no queue at all")?;
            let values = self.levels.all[level].used();
            let holds = |config: &Config| self.system.allowed(config, machine, &[guard], false);
            let holds = self.levels.holding(config, level, values, holds);
            self.ask(&mut guards, level, holds);
        }
        let mut passed = guards.clone();
        for (deed, relation) in mv.announce.map(|it| self.announced(it)).into_iter().flatten() {
            let mut asked = guards.clone();
            self.ask(&mut asked, self.levels.store, relation);
            match deed {
                Deed::Fails(_) | Deed::GivesUp => ends.push((deed, asked)),
                Deed::Takes(_) | Deed::Skips | Deed::Other => passed = asked,
            }
        }
        let mut all = vec![passed];
        if let Effect::Send { queue, message, place } = mv.effect
            && !self.is_own(scene, queue)
        {
            let (passed, level) = (all.remove(0), self.levels.of_queue(queue));
            for relation in self.sent(scene, (queue, message, place))? {
                let mut asked = passed.clone();
                self.ask(&mut asked, level.expect("it was checked"), relation);
                all.push(asked);
            }
        }
        let elsewhere = Elsewhere { all, ends };
        self.elsewhere.insert(key, elsewhere.clone());
        Ok(elsewhere)
    }

    /// What those who watch make of a message, for each store.
    fn announced(&mut self, message: MessageId) -> BTreeMap<Deed, Relation> {
        let mut found = BTreeMap::from([(Deed::Other, Relation::new())]);
        let (level, mut config) = (&self.levels.all[self.levels.store], self.levels.whole.clone());
        for value in level.used() {
            level.put(&mut config, value);
            let (deed, to) = match self.system.observe(config.store, message) {
                Observed::Store(store) => {
                    config.store = store;
                    (Deed::Other, level.value(&config).unwrap_or(NOWHERE))
                }
                Observed::Failed(failure) => (Deed::Fails(failure), value),
                Observed::GaveUp(_) => (Deed::GivesUp, value),
            };
            found.entry(deed).or_default().insert(value, to);
        }
        found
    }

    /// What becomes of the level of a queue when a message goes there, and where the message gets lost.
    fn sent(
        &mut self,
        scene: &Scene,
        (queue, message, place): (QueueId, MessageId, Place),
    ) -> Checked<[Relation; 2]> {
        let level = &self.levels.all[self.levels.of_queue(queue).expect("it was checked")];
        let [mut goes, mut is_lost] = [Relation::new(), Relation::new()];
        let next = scene.config.local(scene.machine);
        let send = Move::plain(Effect::Send { queue, message, place }, next);
        for value in level.used() {
            let (mut config, mut found) = (scene.config.clone(), Vec::new());
            level.put(&mut config, value);
            self.system.perform(&config, scene.machine, &send, &mut found);
            for (event, after) in found {
                let mut rest = after.clone();
                rest.words[queue.index()] = config.word(queue);
                match event {
                    Event::Sent { .. } if rest == config => {
                        goes.insert(value, level.value(&after).unwrap_or(NOWHERE));
                    }
                    Event::Lost { .. } if after == config => drop(is_lost.insert(value, value)),
                    _ => return Err("a message changes more than its queue".into()),
                }
            }
        }
        Ok([goes, is_lost])
    }
}

fn deed(event: Event) -> Deed {
    match event {
        Event::Failed { failure } => Deed::Fails(failure),
        Event::GaveUp { .. } => Deed::GivesUp,
        Event::Took { position: 1.., .. } => Deed::Skips,
        Event::Took { queue, kept: false, .. } | Event::Closed { queue } => Deed::Takes(queue),
        _ => Deed::Other,
    }
}
