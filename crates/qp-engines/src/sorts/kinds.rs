//! Kinds of sorts: which numbers may be exchanged, from what can still be done with them.

use std::collections::BTreeSet;

use qp_machines::Use;

use super::tables::{Bits, Tables};

/// How numbers of a sort may be renamed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Not at all.
    Plain,
    /// Each by itself, as long as it compares alike with constants.
    Collapse,
    /// All by the same distance.
    Slide,
    /// In the same order, above all constants and below all generators.
    Ranks,
    /// In any way, above all constants and below all generators.
    Names,
    /// In any way among those that compare alike with constants and are in the same ranges of choices.
    Cells,
}

impl Kind {
    /// What it means, in the user's words.
    pub(super) fn says(self) -> &'static str {
        match self {
            Self::Plain => "are numbers",
            Self::Collapse => "are only compared with constants: those that compare alike are one",
            Self::Slide => "are compared by their distance: where they begin does not matter",
            Self::Ranks => "are compared by order: how far they are apart does not matter",
            Self::Names => "are names: which number it is does not matter",
            Self::Cells => "are only compared with each other: which number it is does not matter",
        }
    }
}

/// A sort, with what can still be done with its numbers.
#[derive(Clone, Debug)]
pub(super) struct Sort {
    pub(super) kind: Kind,
    /// The greatest constant, if there is any.
    pub(super) fixed: Option<i64>,
    /// Whether a generator can begin anew.
    pub(super) resets: bool,
    /// Whether something is added to numbers.
    grows: bool,
    literals: BTreeSet<i64>,
    /// Where cells begin.
    cuts: BTreeSet<i64>,
    /// The same with the ends of ranges of choices.
    ends: BTreeSet<i64>,
}

/// The sorts of a configuration, from what can still be done.
pub(super) fn sorts(tables: &Tables, future: &Bits) -> Vec<Sort> {
    let none = BTreeSet::new();
    let plain = Sort {
        kind: Kind::Plain,
        fixed: None,
        resets: false,
        grows: false,
        literals: none.clone(),
        cuts: none.clone(),
        ends: none,
    };
    let mut sorts = vec![plain; tables.n_sorts];
    let mut uses: Vec<BTreeSet<Use>> = vec![BTreeSet::new(); tables.n_sorts];
    for (slot, it) in tables.listed(future) {
        let number = tables.sort(slot);
        uses[number].insert(it);
        let sort = &mut sorts[number];
        let mut constant = |c: i64| sort.fixed = Some(sort.fixed.map_or(c, |fixed| fixed.max(c)));
        match it {
            Use::Literal(c) => {
                constant(c);
                sort.literals.insert(c);
            }
            Use::Cut(c) => {
                constant(c);
                sort.cuts.insert(c);
            }
            Use::Choose(n) => {
                constant(n - 1);
                sort.ends.insert(n);
            }
            Use::Reset => sort.resets = true,
            Use::Step | Use::Shift => sort.grows = true,
            _ => {}
        }
    }
    for (number, sort) in sorts.iter_mut().enumerate() {
        sort.ends.insert(0);
        sort.ends.extend(&sort.cuts);
        let has_constants = !sort.literals.is_empty() || !sort.cuts.is_empty();
        sort.kind = match kind(&uses[number], tables.keyed[number]) {
            // What is counted up to a constant and beyond comes round in the end.
            Kind::Collapse if sort.grows && has_constants => Kind::Plain,
            kind => kind,
        };
    }
    sorts
}

fn kind(uses: &BTreeSet<Use>, keyed: bool) -> Kind {
    let any = |which: &[Use]| which.iter().any(|it| uses.contains(it));
    if any(&[Use::Other, Use::Walk]) {
        Kind::Plain
    } else if !any(&[Use::Equal, Use::Order, Use::Back, Use::Size]) && !keyed {
        Kind::Collapse
    } else if any(&[Use::Shift, Use::Back]) {
        Kind::Slide
    } else if any(&[Use::Order]) {
        Kind::Ranks
    } else if any(&[Use::Step]) {
        Kind::Names
    } else {
        Kind::Cells
    }
}

impl Sort {
    /// Whether a number is above all constants.
    pub(super) fn is_above(&self, number: i64) -> bool {
        self.fixed.is_none_or(|fixed| number > fixed)
    }

    /// The number that stands for a number of a sort that collapses.
    pub(super) fn collapsed(&self, number: i64) -> i64 {
        if self.is_literal(number) { number } else { self.names(begin(&self.cuts, number)).0 }
    }

    /// The cell of a number that is no literal.
    pub(super) fn cell(&self, number: i64) -> Cell {
        begin(&self.ends, number)
    }

    /// Whether a number stays what it is in its cell.
    pub(super) fn is_literal(&self, number: i64) -> bool {
        self.literals.contains(&number)
    }

    /// The first name from here on, and what comes behind it.
    pub(super) fn names(&self, Cell { mut from, up }: Cell) -> (i64, Cell) {
        let next = |from: i64| if up { from + 1 } else { from - 1 };
        while self.literals.contains(&from) {
            from = next(from);
        }
        (from, Cell { from: next(from), up })
    }
}

/// Numbers that compare alike with all constants: from the first one up, or from the last one down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cell {
    from: i64,
    up: bool,
}

impl Cell {
    /// All numbers from here on.
    pub(super) fn up_from(from: i64) -> Self {
        Self { from, up: true }
    }

    /// The first of all numbers, and what comes behind it.
    pub(super) fn plain(self) -> (i64, Self) {
        (self.from, Self { from: self.from + 1, ..self })
    }
}

fn begin(ends: &BTreeSet<i64>, number: i64) -> Cell {
    match (ends.range(..=number).next_back(), ends.first()) {
        (Some(&from), _) => Cell { from, up: true },
        (None, Some(first)) => Cell { from: first - 1, up: false },
        (None, None) => Cell { from: 0, up: true },
    }
}
