//! Renaming in terms.

use qp_machines::{ClassId, SlotId, Term};

/// Calls `visit` with every number of a term.
pub(super) fn numbers(term: &Term, visit: &mut dyn FnMut(SlotId, i64)) {
    match term {
        Term::Number(slot, number) => visit(*slot, *number),
        Term::Atom(_) => {}
        Term::Tuple(_, terms) | Term::Set(_, terms) => {
            for term in terms {
                numbers(term, visit);
            }
        }
        Term::Map(_, entries) => {
            for (key, value) in entries {
                numbers(key, visit);
                numbers(value, visit);
            }
        }
    }
}

/// The term with other numbers and without the entries that are not kept; collections are sorted.
pub(super) fn renamed(
    term: &Term,
    name: &dyn Fn(SlotId, i64) -> i64,
    keeps: &dyn Fn(ClassId, &Term) -> bool,
) -> Term {
    let again = |term: &Term| renamed(term, name, keeps);
    match term {
        Term::Number(slot, number) => Term::Number(*slot, name(*slot, *number)),
        Term::Atom(atom) => Term::Atom(*atom),
        Term::Tuple(kind, terms) => Term::Tuple(*kind, terms.iter().map(again).collect()),
        Term::Set(class, items) => {
            let kept = items.iter().filter(|item| keeps(*class, item));
            let mut items: Vec<Term> = kept.map(again).collect();
            items.sort_unstable();
            Term::Set(*class, items)
        }
        Term::Map(class, entries) => {
            let kept = entries.iter().filter(|entry| keeps(*class, &entry.0));
            let mut entries: Vec<_> = kept.map(|(key, value)| (again(key), again(value))).collect();
            entries.sort_unstable();
            Term::Map(*class, entries)
        }
    }
}
