//! What machines can do while some of them stand still, as far as the control flow of the program tells.
//!
//! A least fixpoint: a machine that can move goes wherever its stages lead with the messages that may be in its
//! queues, and what it puts into queues may let others move. It depends on where the machines are, on what kinds of
//! messages their queues hold and on who stands still, and is remembered by that.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::{Interner, Map};
use qp_machines::{
    Doing, LocalId, MachineId, Mailbox, Prospects, QueueId, Reach, StageId, System, Touch,
    Whereabouts, WordId,
};

/// What each machine that can move may touch; those without number do not exist yet.
type Reaches = Arc<Vec<(Option<usize>, Vec<Reach>)>>;

pub(super) struct Outlook {
    prospects: Arc<Prospects>,
    /// For each class: everything that its machines ever touch.
    by_class: Map<u32, BTreeSet<Reach>>,
    /// The classes of machines that are created.
    created: BTreeSet<u32>,
    /// Where machines are, for each local state that was met; `None` if that is not known.
    known: Map<(usize, LocalId), usize>,
    places: Interner<usize, (u32, Option<Vec<StageId>>)>,
    /// The kinds of messages in each content that was met.
    contents: Map<WordId, usize>,
    kinds: Interner<usize, Vec<u32>>,
    memory: Map<Vec<u32>, Reaches>,
}

/// What of a configuration matters here.
pub(super) struct Scene {
    /// Where each machine is.
    places: Vec<usize>,
    /// What each queue holds.
    kinds: Vec<usize>,
    /// Whether each machine can move without being sent anything.
    moving: Vec<bool>,
}

/// The class of a machine of which nothing is known.
const NO_CLASS: u32 = u32::MAX;

impl Outlook {
    pub(super) fn new(prospects: Arc<Prospects>) -> Self {
        let mut by_class: Map<u32, BTreeSet<Reach>> = Map::default();
        let mut created = BTreeSet::new();
        for stage in &prospects.stages {
            by_class.entry(stage.class).or_default().extend(&stage.reaches);
            for (doing, _) in &stage.ways {
                if let Doing::Starts(first) = doing {
                    created.insert(prospects.stages[*first].class);
                }
            }
        }
        Self {
            prospects,
            by_class,
            created,
            known: Map::default(),
            places: Interner::new(),
            contents: Map::default(),
            kinds: Interner::new(),
            memory: Map::default(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.known.len() * 24 + self.contents.len() * 12) as u64
            + self.memory.keys().map(|key| key.len() as u64 * 4 + 64).sum::<u64>()
    }

    /// The scene of a configuration with these local states and contents.
    pub(super) fn scene(
        &mut self,
        system: &mut System,
        locals: impl Iterator<Item = LocalId>,
        words: impl Iterator<Item = WordId>,
        moving: Vec<bool>,
    ) -> Scene {
        let mut scene = Scene { places: Vec::new(), kinds: Vec::new(), moving };
        for (machine, local) in locals.enumerate() {
            let places = &mut self.places;
            let place = *self.known.entry((machine, local)).or_insert_with(|| {
                let moves = system.program_mut().as_moves();
                let found = moves.and_then(|it| it.whereabouts(MachineId::new(machine), local));
                let Some(Whereabouts { class, stages }) = found else {
                    return places.intern((NO_CLASS, None));
                };
                places.intern((class, Some(stages)))
            });
            scene.places.push(place);
        }
        for word in words {
            let kinds = &mut self.kinds;
            let content = *self.contents.entry(word).or_insert_with(|| {
                let messages = system.words().messages(word).into_iter();
                let mut all: Vec<u32> = messages.map(|it| system.message_kind(it)).collect();
                all.sort_unstable();
                all.dedup();
                kinds.intern(all)
            });
            scene.kinds.push(content);
        }
        scene
    }

    /// The machines that may touch one of these things while the frozen ones stand still; nothing if one may that
    /// does not exist yet.
    pub(super) fn conflicts(
        &mut self,
        scene: &Scene,
        frozen: &[usize],
        needs: &[Touch],
    ) -> Option<Vec<usize>> {
        if !self.may_ever(scene, frozen, needs) {
            return Some(Vec::new());
        }
        let reaches = self.meanwhile(scene, frozen);
        let mut found = Vec::new();
        for (own, reaches) in reaches.iter() {
            let meets = |reach: &Reach| needs.iter().any(|&it| self.meets(scene, *own, *reach, it));
            if reaches.iter().any(meets) {
                found.push((*own)?);
            }
        }
        Some(found)
    }

    fn meets(&self, scene: &Scene, own: Option<usize>, reach: Reach, touch: Touch) -> bool {
        reach.meets(own, touch, |queue| self.class_of(scene, queue))
    }

    /// The class of the machine with the number of a queue.
    fn class_of(&self, scene: &Scene, queue: QueueId) -> Option<u32> {
        let place = *scene.places.get(queue.index())?;
        let (class, _) = self.places.value(place);
        (*class != NO_CLASS).then_some(*class)
    }

    /// Whether anybody else ever touches one of these things, whatever happens.
    fn may_ever(&self, scene: &Scene, frozen: &[usize], needs: &[Touch]) -> bool {
        let may = |own: Option<usize>, class: u32| {
            let Some(reaches) = self.by_class.get(&class) else { return class == NO_CLASS };
            let mut all = reaches.iter();
            all.any(|&reach| needs.iter().any(|&it| self.meets(scene, own, reach, it)))
        };
        let class = |machine: usize| self.places.value(scene.places[machine]).0;
        let mut others = (0..scene.places.len()).filter(|it| !frozen.contains(it));
        others.any(|it| may(Some(it), class(it))) || self.created.iter().any(|&it| may(None, it))
    }

    fn meanwhile(&mut self, scene: &Scene, frozen: &[usize]) -> Reaches {
        let mut key: Vec<u32> = frozen.iter().map(|&it| it as u32).collect();
        key.push(u32::MAX);
        for (&place, &moving) in scene.places.iter().zip(&scene.moving) {
            key.push((place as u32) << 1 | u32::from(moving));
        }
        key.extend(scene.kinds.iter().map(|&it| it as u32));
        if let Some(known) = self.memory.get(&key) {
            return known.clone();
        }
        let reaches = Arc::new(Fixpoint::new(self, scene, frozen).run());
        self.memory.insert(key, reaches.clone());
        reaches
    }
}

/// Somebody who does not stand still.
struct Actor {
    /// Its number, if it exists.
    own: Option<usize>,
    class: u32,
    /// The stages that it may come to; `None` if nothing is known about it.
    stages: Option<BTreeSet<StageId>>,
    moves: bool,
}

struct Fixpoint<'a> {
    outlook: &'a Outlook,
    scene: &'a Scene,
    actors: Vec<Actor>,
    /// The kinds of messages that may be in each queue.
    kinds: Vec<BTreeSet<u32>>,
    /// The stages of those who move that are still to be followed.
    todo: Vec<(usize, StageId)>,
}

impl<'a> Fixpoint<'a> {
    fn new(outlook: &'a Outlook, scene: &'a Scene, frozen: &[usize]) -> Self {
        let actor = |own: usize| {
            let (class, stages) = outlook.places.value(scene.places[own]).clone();
            let stages = stages.map(|stages| stages.into_iter().collect());
            Actor { own: Some(own), class, stages, moves: scene.moving[own] }
        };
        let awake = (0..scene.places.len()).filter(|it| !frozen.contains(it));
        let kinds = scene.kinds.iter().map(|&it| outlook.kinds.value(it).iter().copied());
        Self {
            outlook,
            scene,
            actors: awake.map(actor).collect(),
            kinds: kinds.map(Iterator::collect).collect(),
            todo: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<(Option<usize>, Vec<Reach>)> {
        let prospects = self.outlook.prospects.clone();
        for number in 0..self.actors.len() {
            if self.actors[number].moves {
                self.look_again(number, |_| true);
            }
        }
        while let Some((number, stage)) = self.todo.pop() {
            for &(doing, to) in &prospects.stages[stage].ways {
                self.follow(number, doing, to);
            }
        }
        let moving = self.actors.iter().filter(|actor| actor.moves);
        let reaches = |actor: &Actor| {
            let Some(stages) = &actor.stages else { return vec![Reach::Everything] };
            let all = stages.iter().flat_map(|&stage| &prospects.stages[stage].reaches);
            all.copied().collect::<BTreeSet<_>>().into_iter().collect()
        };
        moving.map(|actor| (actor.own, reaches(actor))).collect()
    }

    fn follow(&mut self, number: usize, doing: Doing, to: Option<StageId>) {
        let own = self.actors[number].own;
        match doing {
            Doing::Nothing => {}
            Doing::Takes(mailbox, kind) => {
                let queues = self.queues(own, mailbox);
                // What is in the queues of those who do not exist yet is not known.
                let may = own.is_none() || queues.iter().any(|&it| self.kinds[it].contains(&kind));
                if !may {
                    return;
                }
                // What was behind the message may be for another reader.
                for queue in queues {
                    self.wake(queue);
                }
            }
            Doing::Puts(mailbox, kind) => {
                for queue in self.queues(own, mailbox) {
                    if self.kinds[queue].insert(kind) {
                        self.arrives(kind);
                    }
                    self.wake(queue);
                }
            }
            Doing::Starts(stage) => self.start(stage),
        }
        let stages = self.actors[number].stages.as_mut();
        if let (Some(stages), Some(to)) = (stages, to)
            && stages.insert(to)
        {
            self.todo.push((number, to));
        }
    }

    /// Follows the stages of somebody, or some of them, once more. Whoever may do anything is in the way of everybody,
    /// so nobody asks what comes of it.
    fn look_again(&mut self, number: usize, is_one: impl Fn(StageId) -> bool) {
        let stages = self.actors[number].stages.iter().flatten().copied();
        self.todo.extend(stages.filter(|&stage| is_one(stage)).map(|stage| (number, stage)));
    }

    /// A message of this kind may be where it could not be before.
    fn arrives(&mut self, kind: u32) {
        let prospects = self.outlook.prospects.clone();
        let takes = |stage: StageId| {
            let mut ways = prospects.stages[stage].ways.iter();
            ways.any(|(doing, _)| matches!(doing, Doing::Takes(_, it) if *it == kind))
        };
        for number in 0..self.actors.len() {
            if self.actors[number].moves {
                self.look_again(number, takes);
            }
        }
    }

    /// The queues that may be meant, by number.
    fn queues(&self, own: Option<usize>, mailbox: Mailbox) -> Vec<usize> {
        let class = |queue| self.outlook.class_of(self.scene, queue);
        let may = |&it: &usize| mailbox.may_be(own, QueueId::new(it), class(QueueId::new(it)));
        (0..self.kinds.len()).filter(may).collect()
    }

    /// Lets those move who wait for messages of a queue.
    fn wake(&mut self, queue: usize) {
        for number in 0..self.actors.len() {
            let actor = &self.actors[number];
            let listens = |stage: &StageId| {
                let mut ways = self.outlook.prospects.stages[*stage].ways.iter();
                ways.any(|(doing, _)| match doing {
                    Doing::Takes(Mailbox::Queue(it), _) => it.index() == queue,
                    Doing::Takes(Mailbox::Own, _) => actor.own == Some(queue),
                    Doing::Takes(Mailbox::Of(_), _) => true,
                    Doing::Nothing | Doing::Puts(..) | Doing::Starts(_) => false,
                })
            };
            let hears = || actor.stages.as_ref().is_none_or(|stages| stages.iter().any(listens));
            if !actor.moves && hears() {
                self.actors[number].moves = true;
                self.look_again(number, |_| true);
            }
        }
    }

    fn start(&mut self, stage: StageId) {
        let class = self.outlook.prospects.stages[stage].class;
        let is_one = |it: &Actor| it.own.is_none() && it.class == class;
        let number = self.actors.iter().position(is_one).unwrap_or_else(|| {
            let stages = Some(BTreeSet::new());
            self.actors.push(Actor { own: None, class, stages, moves: true });
            self.actors.len() - 1
        });
        if self.actors[number].stages.get_or_insert_default().insert(stage) {
            self.todo.push((number, stage));
        }
    }
}
