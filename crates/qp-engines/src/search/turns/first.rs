//! Which machines go first, where orders of steps are left out.
//!
//! A set of machines may go first if the others cannot touch what its next steps need as long as it stands still
//! (`docs/decisions/006-reduction.md`). What they can touch is told by the control flow of the program
//! ([`Outlook`]); where that is not known, by what they were ever seen to touch: that is taken for granted until
//! somebody is seen to touch more, and then the search begins again with what was learnt.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Interner, Map};
use qp_machines::{LocalId, Moves, System, Touch, Turn, View, WordId};

use super::outlook::{Outlook, Scene};
use super::slots::{LOOKS, N_MACHINES, N_QUEUES, Slots};

/// What a machine needs to stay as it is, and whether only a message lets it move if it cannot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Footprint {
    needs: Option<Vec<Touch>>,
    waits: bool,
}

/// Among more machines than this it takes too long to find out what the others can do: all go first.
const MACHINES_MAX: usize = 48;

/// The footprint of somebody who waits for a message.
pub(super) const WAITING: u32 = 0;

/// What a machine can do in a configuration.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    /// Whether it can move, also if that is cut.
    pub(super) can: bool,
    /// Whether some of it is cut.
    pub(super) cut: bool,
    /// How many ways it has to go on.
    pub(super) ways: u32,
    pub(super) footprint: u32,
}

/// The sets that were chosen for some configurations.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    pub(super) firsts: &'a Firsts,
    /// For places: the number of a set.
    pub(super) sets: &'a Map<u32, u32>,
}

impl<'a> Chosen<'a> {
    /// The number of the set of a place, and its machines.
    #[inline]
    pub(super) fn of(self, place: u32) -> Option<(u32, &'a [u32])> {
        let set = *self.sets.get(&place)?;
        Some((set, self.firsts.set(set)))
    }
}

pub(super) struct Firsts {
    footprints: Interner<usize, Footprint>,
    /// All sets of machines that go first somewhere, each in order.
    sets: Interner<usize, Vec<u32>>,
    outlook: Option<Outlook>,
    seen: Seen,
}

/// What machines were seen to touch.
#[derive(Default)]
struct Seen {
    users: BTreeMap<Touch, BTreeSet<usize>>,
    /// What is taken to be touched by nobody but these machines.
    relied: BTreeSet<(Touch, usize)>,
    /// Whether anybody goes first.
    goes_first: bool,
    /// Whether somebody was seen to go on alone. Nobody goes first then.
    is_held: bool,
    /// Whether something that was taken for granted is not so.
    is_wrong: bool,
}

impl Firsts {
    pub(super) fn new(system: &mut System) -> Self {
        let mut footprints = Interner::new();
        footprints.intern(Footprint { needs: None, waits: true });
        let moves = system.program_mut().as_moves();
        let outlook = moves.and_then(Moves::prospects).map(Outlook::new);
        Self { footprints, sets: Interner::new(), outlook, seen: Seen::default() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.outlook.as_ref().map_or(0, Outlook::bytes)
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.seen.is_wrong
    }

    /// Takes nothing for granted that was wrong.
    pub(super) fn begin_again(&mut self) {
        self.seen.relied.clear();
        self.seen.goes_first = false;
        self.seen.is_wrong = false;
    }

    /// The machines of a set.
    pub(super) fn set(&self, set: u32) -> &[u32] {
        self.sets.value(set as usize)
    }

    /// Notes what a machine was seen to touch; the number of its footprint.
    pub(super) fn note(&mut self, machine: usize, view: &View) -> u32 {
        self.seen.note(machine, view);
        let has_turns = !view.turns.is_empty();
        let needs = view.needs.clone().filter(|_| has_turns);
        self.footprints.intern(Footprint { needs, waits: view.waits }) as u32
    }

    /// The set of machines whose steps are enough in a configuration, if not all are needed.
    pub(super) fn choose(
        &mut self,
        system: &mut System,
        slots: &Slots,
        looks: &[u32],
        movers: &[Mover],
    ) -> Option<u32> {
        let n_moving = movers.iter().filter(|it| it.can).count();
        if n_moving < 2 || movers.len() > MACHINES_MAX {
            return None;
        }
        let mut free: Vec<usize> =
            (0..movers.len()).filter(|&it| self.is_free(movers[it])).collect();
        free.sort_by_cached_key(|&it| self.rank(slots, looks, it, movers[it]));
        let mut scene = None;
        let mut best: Option<Vec<usize>> = None;
        for machine in free {
            let found = self.close((system, slots, looks, movers), &mut scene, machine);
            if let Some(found) = found
                && best.as_ref().map_or(n_moving, Vec::len) > found.len()
            {
                let is_least = found.len() == 1;
                best = Some(found);
                if is_least {
                    break;
                }
            }
        }
        let best = best?;
        self.seen.rely(&self.footprints, &best, movers, self.outlook.is_none());
        Some(self.sets.intern(best.into_iter().map(|it| it as u32).collect()) as u32)
    }

    /// The set with the least one that has this machine, too; nothing if that is all.
    pub(super) fn with(
        &mut self,
        (system, slots, looks): (&mut System, &Slots, &[u32]),
        movers: &[Mover],
        set: u32,
        machine: usize,
    ) -> Option<u32> {
        let more = if self.is_free(movers[machine]) {
            self.close((system, slots, looks, movers), &mut None, machine)?
        } else {
            return None;
        };
        self.seen.rely(&self.footprints, &more, movers, self.outlook.is_none());
        let old = self.set(set).iter().copied();
        let all: BTreeSet<u32> = old.chain(more.into_iter().map(|it| it as u32)).collect();
        Some(self.sets.intern(all.into_iter().collect()) as u32)
    }

    fn needs(&self, mover: Mover) -> Option<&Vec<Touch>> {
        self.footprints.value(mover.footprint as usize).needs.as_ref()
    }

    fn is_free(&self, mover: Mover) -> bool {
        mover.can && !mover.cut && mover.ways > 0 && self.needs(mover).is_some()
    }

    /// Those who only take go first, then whoever has the most to take: it is behind.
    fn rank(
        &self,
        slots: &Slots,
        looks: &[u32],
        machine: usize,
        mover: Mover,
    ) -> (bool, Reverse<u32>, u32, usize) {
        let needs = self.needs(mover).map_or(&[][..], Vec::as_slice);
        let mut waiting = 0;
        for touch in needs {
            if let Touch::Front(queue) = touch {
                let part = slots.queue(queue.index());
                waiting += slots.len(part, looks[part + LOOKS]);
            }
        }
        let puts = needs.iter().any(|touch| !matches!(touch, Touch::Front(_)));
        (puts, Reverse(waiting), mover.ways, machine)
    }

    /// The least set with a machine that may go first; nothing if there is none.
    fn close(
        &mut self,
        (system, slots, looks, movers): (&mut System, &Slots, &[u32], &[Mover]),
        scene: &mut Option<Scene>,
        machine: usize,
    ) -> Option<Vec<usize>> {
        let mut set = vec![machine];
        loop {
            let mut needs = BTreeSet::new();
            for &member in &set {
                needs.extend(self.needs(movers[member])?.iter().copied());
            }
            let needs: Vec<Touch> = needs.into_iter().collect();
            let Some(outlook) = &mut self.outlook else {
                return self.seen.are_private(&needs, machine).then_some(set);
            };
            let footprints = &self.footprints;
            let scene = scene.get_or_insert_with(|| {
                let waits = |mover: &Mover| footprints.value(mover.footprint as usize).waits;
                let moving = movers.iter().map(|mover| mover.can || !waits(mover)).collect();
                let locals = (0..looks[N_MACHINES] as usize).map(|it| {
                    let part = slots.machine(it);
                    LocalId::from_raw(slots.raw(part, looks[part + LOOKS]).0)
                });
                let words = (0..looks[N_QUEUES] as usize).map(|it| {
                    let part = slots.queue(it);
                    WordId::from_raw(slots.raw(part, looks[part + LOOKS]).0)
                });
                outlook.scene(system, locals, words, moving)
            });
            let more = outlook.conflicts(scene, &set, &needs)?;
            if more.is_empty() {
                return Some(set);
            }
            if !more.iter().all(|&it| self.is_free(movers[it])) {
                return None;
            }
            set.extend(more);
            set.sort_unstable();
        }
    }
}

impl Seen {
    fn note(&mut self, machine: usize, view: &View) {
        for &touch in &view.touches {
            if self.users.entry(touch).or_default().insert(machine) {
                let mut relied = self.relied.range((touch, 0)..=(touch, usize::MAX));
                self.is_wrong |= relied.any(|&(_, relier)| relier != machine);
            }
        }
        let holds =
            |turn: &Turn| matches!(turn, Turn::Does { after, .. } if after.holder.is_some());
        self.is_held |= view.turns.iter().any(holds);
        self.is_wrong |= self.is_held && self.goes_first;
    }

    /// Whether none of these things was touched by anybody but this machine.
    fn are_private(&self, needs: &[Touch], machine: usize) -> bool {
        let users = |touch| self.users.get(touch).into_iter().flatten();
        let is_private = |touch| users(touch).all(|&user| user == machine);
        !self.is_held && needs.iter().all(is_private)
    }

    fn rely(
        &mut self,
        footprints: &Interner<usize, Footprint>,
        set: &[usize],
        movers: &[Mover],
        by_sight: bool,
    ) {
        self.goes_first = true;
        for &machine in set.iter().filter(|_| by_sight) {
            let footprint = footprints.value(movers[machine].footprint as usize);
            self.relied.extend(footprint.needs.iter().flatten().map(|&touch| (touch, machine)));
        }
    }
}
