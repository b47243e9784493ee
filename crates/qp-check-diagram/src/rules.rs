//! What machines can do, as rules about the values of levels.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{
    Capacity, Config, Effect, Event, FailureId, Guard, LocalId, Loss, MachineId, MessageId, Move,
    Observed, Place, QueueId, StoreId, System,
};

use crate::Checked;
use crate::levels::{Level, Levels};

/// For the values with which something is possible: what can become of them.
pub(crate) type Relation = BTreeMap<u32, BTreeSet<u32>>;

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

/// Everything that machines can do, and what else is known of their values.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) all: Vec<Rule>,
    /// Where a machine is at a loss about a message.
    pub(crate) at_a_loss: Vec<(MachineId, Touches)>,
    /// For each machine: the values of its level in which it may not rest.
    pub(crate) awake: BTreeMap<MachineId, BTreeSet<u32>>,
}

/// Of a value that is not listed, which no node has.
const NOWHERE: u32 = u32::MAX;

/// In place of the store, where machines do not look at it: the same for all stores.
const ANY_STORE: StoreId = StoreId::from_raw(u32::MAX);

impl Rules {
    /// Asks the step function what each machine can do with each value of its level.
    pub(crate) fn read(system: &mut System, levels: &Levels) -> Checked<Self> {
        let mut reader = Reader {
            system,
            levels,
            relations: Vec::new(),
            numbers: BTreeMap::new(),
            sent: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            found: BTreeMap::new(),
        };
        let mut rules = Self::default();
        for (machine, own) in levels.all_machines() {
            let awake = reader.awake(machine, own);
            rules.awake.insert(machine, awake);
            for store in reader.views() {
                let lost = reader.read(machine, own, store)?;
                if !lost.is_empty() {
                    let mut touches = Touches::from([(own, identity(lost))]);
                    touches.insert(levels.store, identity(reader.stores(store).into_keys()));
                    rules.at_a_loss.push((machine, touches));
                }
            }
        }
        for ((machine, deed, asked), own) in reader.found {
            let of = |(level, number): (usize, usize)| (level, reader.relations[number].clone());
            let mut touches: Touches = asked.into_iter().map(of).collect();
            touches.insert(levels.of_machine(machine).expect("it is there"), own);
            rules.all.push(Rule { machine, deed, touches });
        }
        Ok(rules)
    }
}

/// Every one of these values stays as it is.
pub(crate) fn identity(values: impl IntoIterator<Item = u32>) -> Relation {
    values.into_iter().map(|value| (value, BTreeSet::from([value]))).collect()
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
    /// What becomes of the level of a queue when a message is sent, and where it gets lost.
    sent: BTreeMap<(QueueId, MessageId, bool), [Relation; 2]>,
    /// What a move asks of other levels, by machine, local state, store and number of the move.
    elsewhere: BTreeMap<(MachineId, LocalId, StoreId, usize), Elsewhere>,
    /// Rules by what they ask of other levels: what becomes of the own one.
    found: BTreeMap<(MachineId, Deed, Asked), Relation>,
}

/// What a move asks of other levels.
#[derive(Clone)]
struct Elsewhere {
    /// By its guards, by those who watch, and by its message if that goes to another level: one for each thing that
    /// may become of the message.
    all: Vec<Asked>,
    /// Where those who watch find a failure.
    ends: Vec<(Deed, Asked)>,
    /// Whether the message goes to another level.
    sends: bool,
}

impl Reader<'_> {
    /// The stores for which machines have to be asked.
    fn views(&self) -> Vec<StoreId> {
        if self.system.program().outline().store_is_watched {
            return vec![ANY_STORE];
        }
        self.stores(ANY_STORE).into_values().collect()
    }

    /// The values of the store's level that a view stands for.
    fn stores(&self, view: StoreId) -> BTreeMap<u32, StoreId> {
        let (level, mut config) = (&self.levels.all[self.levels.store], self.levels.whole.clone());
        let mut stores = BTreeMap::new();
        for value in level.used() {
            level.put(&mut config, value);
            stores.insert(value, config.store);
        }
        stores.retain(|_, store| view == ANY_STORE || *store == view);
        stores
    }

    fn awake(&self, machine: MachineId, own: usize) -> BTreeSet<u32> {
        let (level, mut config) = (&self.levels.all[own], self.levels.whole.clone());
        let mut awake = level.present();
        awake.retain(|&value| {
            level.put(&mut config, value);
            !self.system.program().may_rest(machine, config.local(machine))
        });
        awake
    }

    /// Finds the steps of a machine. Returns the values with which it is at a loss.
    fn read(&mut self, machine: MachineId, own: usize, store: StoreId) -> Checked<BTreeSet<u32>> {
        let mut lost = BTreeSet::new();
        for value in self.levels.all[own].present() {
            let mut config = self.levels.whole.clone();
            self.levels.all[own].put(&mut config, value);
            config.store = store;
            let scene = Scene { machine, own, value, config };
            let moves = self.system.moves(machine, scene.config.local(machine), store);
            self.check_moves(&scene, &moves)?;
            if self.system.unhandled(&scene.config, machine).is_some() {
                lost.insert(value);
            }
            let waits = |mv: &Move| mv.guards.contains(&Guard::Else);
            let mut any = false;
            for (number, mv) in moves.iter().enumerate().filter(|(_, mv)| !waits(mv)) {
                any |= self.read_move(&scene, number, mv)?;
            }
            for (number, mv) in moves.iter().enumerate().filter(|(_, mv)| waits(mv) && !any) {
                self.read_move(&scene, number, mv)?;
            }
        }
        Ok(lost)
    }

    fn is_own(&self, scene: &Scene, queue: QueueId) -> bool {
        self.levels.of_queue(queue) == Some(scene.own)
    }

    /// Whether a guard is about a queue of another level.
    fn is_foreign(&self, scene: &Scene, guard: &Guard) -> bool {
        match *guard {
            Guard::Holds(queue, _) | Guard::HoldsNot(queue, _) => !self.is_own(scene, queue),
            Guard::Idle | Guard::Else | Guard::Timeout => false,
        }
    }

    /// Refuses moves that depend on more than can be asked.
    fn check_moves(&self, scene: &Scene, moves: &[Move]) -> Checked<()> {
        let has_else = moves.iter().any(|mv| mv.guards.contains(&Guard::Else));
        for mv in moves {
            let foreign = mv.guards.iter().any(|guard| self.is_foreign(scene, guard));
            // Whether a machine has no other move is known only if none of them depends on other levels.
            if has_else && (foreign || mv.announce.is_some()) {
                return Err("a move depends on what others of its machine find elsewhere".into());
            }
            if mv.guards.contains(&Guard::Timeout) {
                return Err("a move waits until nothing else happens".into());
            }
            match mv.effect {
                Effect::Receive { queue, .. } | Effect::Close { queue }
                    if !self.is_own(scene, queue) =>
                {
                    return Err("a machine takes from a queue of another level".into());
                }
                Effect::Receive { .. } if mv.announce.is_some() => {
                    return Err("a receive is announced".into());
                }
                Effect::Exit { .. } => return Err("machines come and go".into()),
                Effect::Send { queue, .. } => {
                    self.levels.of_queue(queue).ok_or("a message goes to no queue at all")?;
                    let kind = self.system.kind(&scene.config, queue);
                    let waits = kind.capacity != Capacity::Unbounded && kind.loss == Loss::Never;
                    if kind.capacity == Capacity::Rendezvous {
                        return Err("a message is handed over".into());
                    }
                    if has_else && waits && !self.is_own(scene, queue) {
                        return Err("a move depends on room in a queue of another level".into());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds the steps of a move, and says whether there are any.
    fn read_move(&mut self, scene: &Scene, number: usize, mv: &Move) -> Checked<bool> {
        let foreign = |guard: &&Guard| self.is_foreign(scene, guard);
        let (foreign, own): (Vec<Guard>, Vec<Guard>) = mv.guards.iter().partition(foreign);
        if !self.system.allowed(&scene.config, scene.machine, &own, false) {
            return Ok(false);
        }
        let elsewhere = self.elsewhere(scene, number, mv, &foreign)?;
        for (deed, asked) in &elsewhere.ends {
            self.add(scene, *deed, asked.clone(), scene.value);
        }
        let mut bare = Move { guards: Vec::new(), announce: None, ..mv.clone() };
        if matches!(mv.effect, Effect::Spawn { .. }) {
            return self.read_birth(scene, mv.announce, &bare, &elsewhere);
        }
        if elsewhere.sends {
            bare.effect = Effect::Internal;
        }
        let mut found = Vec::new();
        self.system.perform(&scene.config, scene.machine, &bare, &mut found);
        for (event, after) in &found {
            let to = self.image(scene, &scene.config, after)?;
            for asked in &elsewhere.all {
                let mut asked = asked.clone();
                self.ask_store(scene, mv.announce, after.store, &mut asked)?;
                self.add(scene, deed(*event), asked, to);
            }
        }
        Ok(!found.is_empty() || !elsewhere.ends.is_empty())
    }

    /// Finds what comes of creating a machine, for each number of machines that there may be.
    fn read_birth(
        &mut self,
        scene: &Scene,
        announced: Option<MessageId>,
        bare: &Move,
        elsewhere: &Elsewhere,
    ) -> Checked<bool> {
        let levels = self.levels;
        let fewest = levels.n_initial.max(scene.machine.index() + 1);
        for n_machines in fewest..=levels.whole.locals.len() {
            let mut config = scene.config.clone();
            levels.leave(&mut config, n_machines);
            let mut found = Vec::new();
            self.system.perform(&config, scene.machine, bare, &mut found);
            for (event, mut after) in found {
                let mut asked = elsewhere.all[0].clone();
                self.ask_store(scene, announced, after.store, &mut asked)?;
                let last = levels.of_machine(MachineId::new(n_machines - 1)).expect("it is there");
                if n_machines > levels.n_initial && last != scene.own {
                    self.ask(&mut asked, last, identity(levels.all[last].present()));
                }
                let home = levels.of_machine(MachineId::new(n_machines));
                if let Some(home) = home {
                    levels.check_kinds(&after)?;
                    let born = levels.all[home].value(&after).unwrap_or(NOWHERE);
                    let absent = levels.all[home].absent().into_iter();
                    let born = absent.map(|absent| (absent, BTreeSet::from([born])));
                    self.ask(&mut asked, home, born.collect());
                }
                levels.leave(&mut after, n_machines);
                let to = self.image(scene, &config, &after)?;
                self.add(scene, deed(event), asked, if home.is_some() { to } else { NOWHERE });
            }
        }
        Ok(true)
    }

    /// The value of the own level afterwards. Nothing else may change but the store.
    fn image(&self, scene: &Scene, before: &Config, after: &Config) -> Checked<u32> {
        let (level, mut rest) = (&self.levels.all[scene.own], after.clone());
        level.put(&mut rest, scene.value);
        rest.store = before.store;
        if rest != *before {
            let machine = scene.machine;
            return Err(format!("a step of {machine:?} changes more than its level").into());
        }
        Ok(level.value(after).unwrap_or(NOWHERE))
    }

    fn add(&mut self, scene: &Scene, deed: Deed, asked: Asked, to: u32) {
        let own = self.found.entry((scene.machine, deed, asked)).or_default();
        own.entry(scene.value).or_default().insert(to);
    }

    /// Asks something more of a level. What was asked before must be guards: they leave a level as it is.
    fn ask(&mut self, asked: &mut Asked, level: usize, mut relation: Relation) {
        if let Some(&guards) = asked.get(&level) {
            relation.retain(|value, _| self.relations[guards].contains_key(value));
        }
        let next = self.relations.len();
        let number = *self.numbers.entry(relation).or_insert_with_key(|relation| {
            self.relations.push(relation.clone());
            next
        });
        asked.insert(level, number);
    }

    /// Where a machine reads the store, or writes it without announcing anything: what becomes of it.
    fn ask_store(
        &mut self,
        scene: &Scene,
        announced: Option<MessageId>,
        after: StoreId,
        asked: &mut Asked,
    ) -> Checked<()> {
        let view = scene.config.store;
        if announced.is_some() || (view == ANY_STORE && after == ANY_STORE) {
            return Ok(());
        }
        if view == ANY_STORE {
            return Err("a machine writes what only others should".into());
        }
        let stores = self.stores(view);
        let to = BTreeSet::from([self.store_value(after)]);
        let store = stores.into_keys().map(|value| (value, to.clone())).collect();
        self.ask(asked, self.levels.store, store);
        Ok(())
    }

    fn store_value(&self, store: StoreId) -> u32 {
        let config = Config { store, ..self.levels.whole.clone() };
        self.levels.all[self.levels.store].value(&config).unwrap_or(NOWHERE)
    }

    /// What a move asks of other levels.
    fn elsewhere(
        &mut self,
        scene: &Scene,
        number: usize,
        mv: &Move,
        foreign: &[Guard],
    ) -> Checked<Elsewhere> {
        let (machine, store) = (scene.machine, scene.config.store);
        let key = (machine, scene.config.local(machine), store, number);
        if let Some(known) = self.elsewhere.get(&key) {
            return Ok(known.clone());
        }
        let mut guards = Asked::new();
        for guard in foreign {
            self.ask_guard(scene, *guard, &mut guards)?;
        }
        let (mut ends, mut passed) = (Vec::new(), guards.clone());
        if let Some(message) = mv.announce {
            for (deed, relation) in self.announced(store, message) {
                let mut asked = guards.clone();
                self.ask(&mut asked, self.levels.store, relation);
                match deed {
                    Deed::Fails(_) | Deed::GivesUp => ends.push((deed, asked)),
                    Deed::Takes(_) | Deed::Skips | Deed::Other => passed = asked,
                }
            }
        }
        let mut all = vec![passed.clone()];
        let sends = match mv.effect {
            Effect::Send { queue, message, place } if !self.is_own(scene, queue) => {
                all.clear();
                let level = self.levels.of_queue(queue).expect("it was checked");
                for relation in self.sent(scene, level, (queue, message, place))? {
                    let mut asked = passed.clone();
                    self.ask(&mut asked, level, relation);
                    all.push(asked);
                }
                true
            }
            _ => false,
        };
        let elsewhere = Elsewhere { all, ends, sends };
        self.elsewhere.insert(key, elsewhere.clone());
        Ok(elsewhere)
    }

    /// Asks that a guard about a queue of another level holds.
    fn ask_guard(&mut self, scene: &Scene, guard: Guard, asked: &mut Asked) -> Checked<()> {
        let (Guard::Holds(queue, _) | Guard::HoldsNot(queue, _)) = guard else {
            unreachable!("bug in Queueproof: {guard:?} is not about a queue")
        };
        let level = self.levels.of_queue(queue).ok_or("a move asks about no queue at all")?;
        let (mut config, mut holds) = (scene.config.clone(), self.levels.all[level].used());
        holds.retain(|&value| {
            self.levels.all[level].put(&mut config, value);
            self.system.allowed(&config, scene.machine, &[guard], false)
        });
        self.ask(asked, level, identity(holds));
        Ok(())
    }

    /// What those who watch make of a message, for each store that a view stands for.
    fn announced(&mut self, view: StoreId, message: MessageId) -> BTreeMap<Deed, Relation> {
        let mut found = BTreeMap::from([(Deed::Other, Relation::new())]);
        for (value, store) in self.stores(view) {
            let (deed, to) = match self.system.observe(store, message) {
                Observed::Store(store) => (Deed::Other, self.store_value(store)),
                Observed::Failed(failure) => (Deed::Fails(failure), value),
                Observed::GaveUp(_) => (Deed::GivesUp, value),
            };
            found.entry(deed).or_default().insert(value, BTreeSet::from([to]));
        }
        found
    }

    /// What becomes of the level of a queue when a message goes there, and where the message gets lost.
    fn sent(
        &mut self,
        scene: &Scene,
        level: usize,
        (queue, message, place): (QueueId, MessageId, Place),
    ) -> Checked<[Relation; 2]> {
        let key = (queue, message, place == Place::Sorted);
        if let Some(known) = self.sent.get(&key) {
            return Ok(known.clone());
        }
        let of: &Level = &self.levels.all[level];
        let [mut goes, mut is_lost] = [Relation::new(), Relation::new()];
        let next = scene.config.local(scene.machine);
        let send = Move::plain(Effect::Send { queue, message, place }, next);
        for value in of.used() {
            let (mut config, mut found) = (scene.config.clone(), Vec::new());
            of.put(&mut config, value);
            self.system.perform(&config, scene.machine, &send, &mut found);
            for (event, after) in found {
                let mut rest = after.clone();
                rest.words[queue.index()] = config.word(queue);
                match event {
                    Event::Sent { .. } if rest == config => {
                        let to = of.value(&after).unwrap_or(NOWHERE);
                        goes.insert(value, BTreeSet::from([to]));
                    }
                    Event::Lost { .. } if after == config => {
                        is_lost.insert(value, BTreeSet::from([value]));
                    }
                    _ => return Err("a message changes more than its queue".into()),
                }
            }
        }
        self.sent.insert(key, [goes.clone(), is_lost.clone()]);
        Ok([goes, is_lost])
    }
}

fn deed(event: Event) -> Deed {
    match event {
        Event::Failed { failure } => Deed::Fails(failure),
        Event::GaveUp { .. } => Deed::GivesUp,
        Event::Took { position: 1.., .. } => Deed::Skips,
        Event::Took { queue, kept: false, .. } | Event::Closed { queue } => Deed::Takes(queue),
        Event::Took { .. }
        | Event::Internal
        | Event::Announced { .. }
        | Event::Sent { .. }
        | Event::Lost { .. }
        | Event::Handshake { .. }
        | Event::Created { .. }
        | Event::Ended => Deed::Other,
    }
}
