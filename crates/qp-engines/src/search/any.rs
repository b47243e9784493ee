//! A search whose keys may become wider as it goes.
//!
//! Searches are compiled for a few widths of key. Those who do not look into the inner loop hold one of any
//! width.

use std::ops::Range;

use qp_base::Budget;
use qp_claim::ClosedSet;
use qp_machines::{Config, MachineId};

use super::packing::Packing;
use super::space::{ALL, Space};
use super::witness::Target;
use super::{Halt, Search, evidence, witness};
use crate::Figures;

/// A search of any width.
pub(crate) enum AnySearch {
    W1(Search<1>),
    W2(Search<2>),
    W3(Search<3>),
    W4(Search<4>),
    W8(Search<8>),
    W16(Search<16>),
    W32(Search<32>),
}

/// Why a search stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Exhausted(qp_base::Exhausted),
    /// The caller wanted no more.
    Enough,
    /// A configuration has more parts than any width can hold.
    TooWide,
}

/// The same expression for the search inside.
macro_rules! inside {
    ($any:expr, $search:ident => $body:expr) => {
        match $any {
            AnySearch::W1($search) => $body,
            AnySearch::W2($search) => $body,
            AnySearch::W3($search) => $body,
            AnySearch::W4($search) => $body,
            AnySearch::W8($search) => $body,
            AnySearch::W16($search) => $body,
            AnySearch::W32($search) => $body,
        }
    };
}

pub(crate) use inside;

/// The search that `$make` gives for the least width that is enough.
macro_rules! at_least {
    ($n_words:expr, $make:expr) => {
        match $n_words {
            ..=1 => Some(AnySearch::W1($make)),
            2 => Some(AnySearch::W2($make)),
            3 => Some(AnySearch::W3($make)),
            4 => Some(AnySearch::W4($make)),
            5..=8 => Some(AnySearch::W8($make)),
            9..=16 => Some(AnySearch::W16($make)),
            17..=32 => Some(AnySearch::W32($make)),
            _ => None,
        }
    };
}

impl AnySearch {
    /// A search that has met nothing but the initial configuration of a space; `None` if that has too many
    /// parts.
    pub(crate) fn new(space: &mut Space, bound: u32, jobs: usize) -> Option<Self> {
        let initial = space.system().initial();
        let values = space.values(&initial);
        let packing = Packing::for_counts(&space.counts());
        at_least!(packing.n_words(), Search::new(packing, &values, bound, jobs))
    }

    /// A search of nothing, to stand where one is being taken.
    pub(crate) fn nothing() -> Self {
        Self::W1(Search::new(Packing::for_counts(&[]), &[], 1, 1))
    }

    /// Leaves some orders of steps out, where the space can: for searches that have only begun.
    pub(crate) fn reduce(&mut self, space: &mut Space) {
        if space.reduce() {
            inside!(self, search => search.reduce());
        }
    }

    /// For each configuration: the machines whose turns alone were taken; nothing if all were everywhere.
    pub(crate) fn reduced(&self, space: &Space) -> Option<Vec<Option<Vec<MachineId>>>> {
        inside!(self, search => {
            let firsts = search.firsts.as_ref()?;
            if firsts.iter().all(|&set| set == ALL) {
                return None;
            }
            let machines = |set| space.set(set).iter().map(|&it| MachineId::from_raw(it)).collect();
            Some(firsts.iter().map(|&set| (set != ALL).then(|| machines(set))).collect())
        })
    }

    /// Whether it leaves some orders of steps out.
    pub(crate) fn reduces(&self) -> bool {
        inside!(self, search => search.reduces())
    }

    /// How many configurations there are of which not all turns were taken.
    pub(crate) fn n_reduced(&self) -> usize {
        let firsts = inside!(self, search => search.firsts.as_deref());
        firsts.map_or(0, |firsts| firsts.iter().filter(|&&set| set != ALL).count())
    }

    /// Goes on until everything within the bound was met. After each batch `enough` is asked, with the
    /// number of configurations and what was hit.
    pub(crate) fn run(
        self,
        space: &mut Space,
        budget: &Budget,
        enough: &mut dyn FnMut(usize, &[Option<u32>; 64]) -> bool,
    ) -> (Self, Result<(), Stop>) {
        let mut any = self;
        loop {
            let halt = inside!(&mut any, search => {
                let enough = |search: &Search<_>| enough(search.visited.len(), &search.hits);
                search.run(space, budget, enough).and_then(|()| search.follow_more(space, budget))
            });
            let stop = match halt {
                Ok(true) => continue,
                Ok(false) => return (any, Ok(())),
                Err(Halt::Exhausted(exhausted)) => Stop::Exhausted(exhausted),
                Err(Halt::Enough) => Stop::Enough,
                Err(Halt::BeginAgain) => {
                    space.begin_again();
                    let (bound, jobs) = inside!(&any, search => (search.bound, search.jobs));
                    match Self::new(space, bound, jobs) {
                        Some(fresh) => any = fresh,
                        None => return (any, Err(Stop::TooWide)),
                    }
                    inside!(&mut any, search => search.reduce());
                    continue;
                }
                Err(Halt::TooNarrow) => {
                    let counts = space.counts();
                    let packing = inside!(&any, search => search.wider_packing(&counts));
                    if packing.n_words() <= 32 {
                        any = any.widened(packing, counts.len());
                        continue;
                    }
                    Stop::TooWide
                }
            };
            return (any, Err(stop));
        }
    }

    /// The same search with keys that are wide enough for what others have learnt meanwhile; `None` if no width
    /// is enough.
    pub(crate) fn refitted(self, space: &Space) -> Option<Self> {
        let counts = space.counts();
        if inside!(&self, search => search.packing.fits(&counts)) {
            return Some(self);
        }
        let packing = inside!(&self, search => search.wider_packing(&counts));
        (packing.n_words() <= 32).then(|| self.widened(packing, counts.len()))
    }

    fn widened(self, packing: Packing, n_parts: usize) -> Self {
        let wide = inside!(self, search => {
            at_least!(packing.n_words(), search.widen(packing, n_parts))
        });
        wide.expect("the width was looked at")
    }

    /// Allows longer queues from now on.
    pub(crate) fn raise(&mut self, bound: u32) {
        inside!(self, search => search.raise(bound));
    }

    pub(crate) fn bound(&self) -> u32 {
        inside!(self, search => search.bound)
    }

    pub(crate) fn len(&self) -> usize {
        inside!(self, search => search.visited.len())
    }

    pub(crate) fn transitions(&self) -> u64 {
        inside!(self, search => search.transitions)
    }

    /// How far it got.
    pub(crate) fn figures(&self) -> Figures {
        let (states, transitions) = (self.len() as u64, self.transitions());
        Figures { bound: self.bound(), states, transitions }
    }

    pub(crate) fn bytes(&self) -> u64 {
        inside!(self, search => search.bytes())
    }

    /// For each watched property: the first configuration that violates it.
    pub(crate) fn hits(&self) -> &[Option<u32>; 64] {
        inside!(self, search => &search.hits)
    }

    /// The first configuration in which the interpreter gave up.
    pub(crate) fn gave_up(&self) -> Option<u32> {
        inside!(self, search => search.gave_up)
    }

    /// How many are visited and were not expanded yet.
    pub(crate) fn waiting(&self) -> usize {
        inside!(self, search => search.waiting())
    }

    /// Whether everything that was cut by the bound before was gone on with.
    pub(crate) fn is_level(&self) -> bool {
        inside!(self, search => search.is_level())
    }

    /// Whether everything within the bound was met.
    pub(crate) fn is_through(&self) -> bool {
        inside!(self, search => search.is_through())
    }

    /// Whether a greater bound would show nothing more.
    pub(crate) fn is_over(&self) -> bool {
        inside!(self, search => search.is_over())
    }

    /// Calls `f` with the values of the parts of every configuration at these places. Parts that were added
    /// later are not there.
    pub(crate) fn each(&self, places: Range<usize>, mut f: impl FnMut(&[u32])) {
        inside!(self, search => {
            let mut values = Vec::new();
            for key in &search.visited.keys()[places] {
                search.packing.unpack(key, &mut values);
                f(&values);
            }
        });
    }

    /// For each part: the values that it has in one of the first so many configurations.
    pub(crate) fn met(&self, space: &Space, places: usize) -> Vec<Vec<u32>> {
        let mut met: Vec<Vec<bool>> =
            space.counts().iter().map(|&count| vec![false; count]).collect();
        self.each(0..places, |values| {
            for (met, &value) in met.iter_mut().zip(values) {
                met[value as usize] = true;
            }
        });
        let values =
            |met: Vec<bool>| (0..met.len() as u32).filter(|&value| met[value as usize]).collect();
        met.into_iter().map(values).collect()
    }

    /// The values of the parts of a visited configuration.
    pub(crate) fn values(&self, place: u32) -> Vec<u32> {
        inside!(self, search => search.values(place))
    }

    /// The places on the way to a place.
    pub(crate) fn path(&self, place: u32) -> Vec<u32> {
        inside!(self, search => search.path(place))
    }

    /// The configurations on the way to a place.
    pub(crate) fn way(&self, space: &mut Space, place: u32) -> Vec<Config> {
        inside!(self, search => witness::configs(space, search, place))
    }

    /// A shortest way, with queues as long as here, to the target, which `found` is known to be.
    pub(crate) fn shortest(
        &self,
        space: &mut Space,
        jobs: usize,
        budget: &Budget,
        (target, found): (&Target<'_>, u32),
    ) -> Vec<Config> {
        inside!(self, search => witness::shortest(space, search, jobs, budget, target, found))
    }

    /// For each queue: a few configurations in which a send to it was cut.
    pub(crate) fn stalls(&self) -> &[Vec<u32>] {
        inside!(self, search => &search.stalls)
    }

    /// Forgets what was hit: something else is watched from now on.
    pub(crate) fn forget_hits(&mut self) {
        inside!(self, search => search.hits = [None; 64]);
    }

    /// Whether every configuration was met, at any queue length.
    pub(crate) fn is_complete(&self) -> bool {
        inside!(self, search => search.is_complete())
    }

    /// Raises `longest` to the greatest length of each queue in any visited configuration.
    pub(crate) fn longest(&self, space: &mut Space, longest: &mut [u32]) {
        inside!(self, search => space.longest(search, longest));
    }

    /// Everything that was visited, as evidence.
    pub(crate) fn closed_set(&self, space: &mut Space) -> ClosedSet {
        inside!(self, search => evidence::closed_set(space, search))
    }
}
