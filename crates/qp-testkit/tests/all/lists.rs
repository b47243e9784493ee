//! Sets of lists, written by hand or projected from what is reachable: the referee must refuse those
//! that leave something out.

mod by_hand;
mod conditions;
mod projected;
mod sets;
