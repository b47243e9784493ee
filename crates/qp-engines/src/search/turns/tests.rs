use qp_base::Budget;
use qp_machines::{Config, Model, Property};
use qp_testkit::pageant::Pageant;

use super::super::any::AnySearch;
use super::super::marks::Watch;
use super::super::space::{Space, Subject};

const PROPERTIES: [Property; 5] = [
    Property::Assert,
    Property::Divergence,
    Property::Deadlock,
    Property::Reach(0),
    Property::Reach(1),
];

/// Everything that a search of one bound after the other has to say.
#[derive(PartialEq, Debug)]
struct Told {
    /// In order of discovery.
    configs: Vec<Config>,
    subjects: Vec<Vec<Subject>>,
    transitions: u64,
    hits: Vec<Option<u32>>,
    gave_up: Option<u32>,
    stalls: Vec<Vec<u32>>,
    longest: Vec<u32>,
    is_over: bool,
}

fn told(space: &mut Space, bound: u32, jobs: usize) -> Told {
    let budget = Budget::states(2_000);
    let mut search = AnySearch::new(space, 1, jobs).unwrap();
    loop {
        let (now, end) = search.run(space, &budget, &mut |_, _| false);
        search = now;
        if search.bound() == bound || search.is_over() || end.is_err() {
            break;
        }
        search.raise(search.bound() + 1);
    }
    let places = 0..search.len() as u32;
    let mut subjects = Vec::new();
    if search.is_over() {
        for place in places.clone() {
            let mut found = Vec::new();
            space.subjects(&search.values(place), &mut found);
            subjects.push(found);
        }
    }
    // Numbers of machines and queues that a cut turn would have made do not count.
    let mut longest = vec![0; space.n_machines_queues().1];
    search.longest(space, &mut longest);
    longest.truncate(longest.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
    let mut stalls = search.stalls().to_vec();
    stalls.truncate(stalls.iter().rposition(|s| !s.is_empty()).map_or(0, |last| last + 1));
    Told {
        configs: places.map(|place| renumbered(space, &search, place)).collect(),
        subjects,
        transitions: search.transitions(),
        hits: search.hits().to_vec(),
        gave_up: search.gave_up(),
        stalls,
        longest,
        is_over: search.is_over(),
    }
}

/// The numbers of contents depend on who asked first: in the order of their messages they do not.
fn renumbered(space: &mut Space, search: &AnySearch, place: u32) -> Config {
    let mut config = space.config(&search.values(place));
    let words = space.system().words();
    for word in &mut config.words {
        let number = words.messages(*word).iter().fold(1, |n, message| 3 * n + message.raw());
        *word = qp_machines::WordId::from_raw(number);
    }
    let program = space.system().program();
    let cells = program.cells(config.store).into_iter().fold(0, |n, cell| 3 * n + (cell + 1));
    config.store = qp_machines::StoreId::from_raw(cells.cast_unsigned());
    let texts = config.machines().map(|m| program.local_text(m, config.local(m)));
    let number = |text: String| text.bytes().fold(0, |n, byte| n * 256 + u32::from(byte));
    config.locals = texts.map(|text| qp_machines::LocalId::from_raw(number(text))).collect();
    config
}

/// Also the order of discovery is that of the one step function.
#[test]
fn trees_say_what_the_step_function_says_in_the_same_order() {
    let (mut n_large, mut n_cut) = (0, 0);
    for seed in 0..2400 {
        let model: Model = Pageant::new(seed, seed % 3 == 0).model();
        let watch = || Watch::new(&PROPERTIES, model.outline()).0;
        let slow = told(&mut Space::general(model.system(), watch()), 3, 1);
        for jobs in [1, 2] {
            let mut space = Space::new(model.system(), watch());
            assert!(matches!(space, Space::Turns(_)));
            assert_eq!(told(&mut space, 3, jobs), slow, "seed {seed}");
        }
        n_large += usize::from(slow.configs.len() > 100);
        n_cut += usize::from(!slow.is_over);
    }
    assert!(n_large > 30 && n_cut > 100, "the test is not vacuous: {n_large} {n_cut}");
}
