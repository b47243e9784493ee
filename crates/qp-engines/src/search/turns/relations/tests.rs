use qp_base::Budget;
use qp_machines::Property;
use qp_testkit::pageant::Pageant;

use super::super::super::any::AnySearch;
use super::super::super::marks::Watch;
use super::super::super::space::Space;
use super::super::super::symbolic::{DiagramSet, Effort};

const EFFORT: Effort = Effort { nodes_max: 1 << 20, ..Effort::ANY };

/// The configurations themselves, not only how many there are, for sets that begin with nothing known.
#[test]
fn nothing_has_to_be_known_beforehand() {
    let (budget, mut n_large) = (Budget::states(2_000), 0);
    for seed in 0..1_500 {
        let model = Pageant::new(seed, true).model();
        let watch = || Watch::new(&[Property::Deadlock], model.outline()).0;
        let mut plain = Space::new(model.system(), watch());
        let search = AnySearch::new(&mut plain, 2, 1).unwrap();
        let (search, end) = search.run(&mut plain, &budget, &mut |_, _| false);
        if end.is_err() {
            continue;
        }
        let text = |space: &mut Space, values: &[u32]| {
            let config = space.config(values);
            let program = space.system().program();
            let locals = config.machines().map(|m| program.local_text(m, config.local(m)));
            let locals: Vec<String> = locals.collect();
            let cells = space.system().cells(config.store);
            let words = config.words.iter().map(|&word| space.system().words().messages(word));
            let words: Vec<_> = words.collect();
            format!("{locals:?} {cells:?} {words:?} {:?} {:?}", config.kinds, config.holder)
        };
        let mut expected = Vec::new();
        for place in 0..search.len() as u32 {
            expected.push(text(&mut plain, &search.values(place)));
        }
        let mut space = Space::new(model.system(), watch());
        let initial = space.system().initial();
        let initial = space.values(&initial);
        let budget = Budget::states(100_000);
        let set = DiagramSet::explore(&mut space, &initial, 2, &budget, EFFORT).unwrap();
        let mut rows = Vec::new();
        set.each(|values| rows.push(values.to_vec()));
        let mut found: Vec<String> = rows.iter().map(|row| text(&mut space, row)).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "seed {seed}");
        n_large += usize::from(found.len() > 30);
    }
    assert!(n_large > 10, "only {n_large} are large");
}
