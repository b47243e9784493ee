//! Sets of rows: for each control a union of products.
//!
//! A union could also be one automaton that reads one queue after the other. It is not one here: cycles are taken with one
//! language for each queue, so it would have to be taken apart again, and what it is better at, asking whether a union
//! has a product in it, is asked by taking product after product away from that one ([`Product::without`]). What
//! products have in common is shared where they differ in one queue only: they are made one.

use qp_automata::loops::Product;
use qp_base::{Budget, Exhausted, IndexVec};

use super::world::ControlId;

/// Whether a union of more products than this covers another one is not asked.
const UNION_MAX: usize = 10;

/// For each control, what its queues can hold: the union of products.
#[derive(Clone, Default)]
pub(super) struct Rows {
    of: IndexVec<ControlId, Vec<Product>>,
}

impl Rows {
    /// The products of a control.
    pub(super) fn of(&self, control: ControlId) -> &[Product] {
        self.of.get(control).map_or(&[], |products| &products[..])
    }

    fn at(&mut self, control: ControlId) -> &mut Vec<Product> {
        while self.of.len() <= control.index() {
            self.of.push(Vec::new());
        }
        &mut self.of[control]
    }

    /// All rows, in the order in which controls were met.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ControlId, &Product)> {
        let controls = self.of.iter_enumerated();
        controls.flat_map(|(id, products)| products.iter().map(move |product| (id, product)))
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.of.iter().map(Vec::len).sum()
    }

    /// Adds a product. Where it is new: the product to go on with, which has what differed from it in one queue
    /// only in it.
    pub(super) fn add(
        &mut self,
        control: ControlId,
        product: Product,
        automata: &Budget,
    ) -> Result<Option<Product>, Exhausted> {
        let products = self.at(control);
        if is_covered(&product, products, automata)? {
            return Ok(None);
        }
        let mut grown = product;
        products.retain(|old| !old.is_included_in(&grown));
        while let Some(place) = products.iter().position(|old| is_near(old, &grown)) {
            let near = products.remove(place);
            for (language, other) in grown.0.iter_mut().zip(&near.0) {
                if language != other {
                    *language = language.union(other, automata)?;
                }
            }
            products.retain(|old| !old.is_included_in(&grown));
        }
        products.push(grown.clone());
        Ok(Some(grown))
    }

    /// Adds a product as it is.
    pub(super) fn put(&mut self, control: ControlId, product: Product) {
        self.at(control).push(product);
    }
}

/// Whether the union of some products has everything that a product has.
pub(super) fn is_covered(
    product: &Product,
    products: &[Product],
    automata: &Budget,
) -> Result<bool, Exhausted> {
    if product.is_empty() || products.iter().any(|old| product.is_included_in(old)) {
        return Ok(true);
    }
    if products.len() < 2 || products.len() > UNION_MAX {
        return Ok(false);
    }
    match product.without(products, &automata.at_most(100)) {
        Ok(rest) => Ok(rest.is_empty()),
        // A union that is too fine to ask is no cover.
        Err(Exhausted::States) => Ok(false),
        Err(exhausted) => Err(exhausted),
    }
}

/// The union of some products, if it is a product and that is easily seen.
pub(super) fn as_one(products: &[Product], automata: &Budget) -> Option<Product> {
    let (first, mut rest) = products.split_first().map(|(first, rest)| (first, rest.to_vec()))?;
    let mut one = first.clone();
    while let Some(place) = rest.iter().position(|it| is_near(it, &one)) {
        let near = rest.swap_remove(place);
        for (language, other) in one.0.iter_mut().zip(&near.0) {
            if language != other {
                *language = language.union(other, automata).ok()?;
            }
        }
        rest.retain(|it| !it.is_included_in(&one));
    }
    rest.is_empty().then_some(one)
}

/// How many states the automata of a product have.
pub(super) fn size(product: &Product) -> usize {
    product.0.iter().map(|language| language.dfa().states().len()).sum()
}

/// Whether two products differ in one queue only.
fn is_near(a: &Product, b: &Product) -> bool {
    a.0.iter().zip(&b.0).filter(|(a, b)| a != b).count() <= 1
}
