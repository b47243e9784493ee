//! What events do to single values, remembered.
//!
//! The same question is asked for every node in which a value occurs, so most answers are looked up here. Nothing
//! depends on an answer being there.

use qp_base::Map;

use crate::events::{EventId, Events, Moves};
use crate::frame::NEAR;

/// Answers of a [`Moves`], until it is told that they change.
#[derive(Default)]
pub(crate) struct Answers {
    /// For each relation and value: what it leads to, as a code.
    rows: Vec<Vec<u32>>,
    /// How many codes there are.
    n_codes: usize,
    /// Several values, with their number in front.
    several: Vec<u32>,
    /// For each level and value: the events that can happen, as far as this level is concerned.
    able: Vec<Vec<Able>>,
    /// The same for values that are too great for a table.
    far: Map<(u32, u32), Able>,
    n_able: usize,
}

/// The events of a level that can happen where it has some value.
#[derive(Default)]
struct Able {
    /// How many events were looked at.
    n_asked: u32,
    events: Vec<EventId>,
}

/// Nothing is known.
const UNASKED: u32 = 0;
/// The relation leads nowhere from the value.
const NOWHERE: u32 = 1;
/// It leads somewhere; nobody has asked where.
const SOMEWHERE: u32 = 2;
/// From here on: one value; with the last bit, a place among several.
const FIRST: u32 = 4;

/// More codes are not kept: 64 MB.
const CODES_MAX: usize = 1 << 24;

impl Answers {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn bytes(&self) -> u64 {
        (4 * (self.n_codes + self.several.len() + self.n_able)) as u64
    }

    /// Whether a relation leads anywhere from a value.
    #[inline]
    pub(crate) fn leads(&mut self, relation: u32, value: u32, moves: &mut dyn Moves) -> bool {
        match self.code(relation, value) {
            UNASKED => {
                let leads = moves.leads(relation, value);
                self.keep(relation, value, if leads { SOMEWHERE } else { NOWHERE });
                leads
            }
            code => code != NOWHERE,
        }
    }

    /// Appends the values that a relation leads to from a value.
    #[inline]
    pub(crate) fn next(
        &mut self,
        relation: u32,
        value: u32,
        moves: &mut dyn Moves,
        found: &mut Vec<u32>,
    ) {
        match self.code(relation, value) {
            UNASKED | SOMEWHERE => self.ask(relation, value, moves, found),
            NOWHERE => {}
            code if code & 1 == 0 => found.push((code - FIRST) / 2),
            code => {
                let place = ((code - FIRST) / 2) as usize;
                let n = self.several[place] as usize;
                found.extend_from_slice(&self.several[place + 1..][..n]);
            }
        }
    }

    /// Whether a relation is known to lead from a value to itself and nowhere else.
    #[inline]
    pub(crate) fn keeps(&self, relation: u32, value: u32) -> bool {
        value < 1 << 30 && self.code(relation, value) == 2 * value + FIRST
    }

    fn ask(&mut self, relation: u32, value: u32, moves: &mut dyn Moves, found: &mut Vec<u32>) {
        let base = found.len();
        moves.next(relation, value, found);
        let code = match found[base..] {
            [] => NOWHERE,
            [one] if one < 1 << 30 => 2 * one + FIRST,
            _ if self.several.len() >= 1 << 30 => UNASKED,
            ref many => {
                let place = self.several.len() as u32;
                self.several.push(many.len() as u32);
                self.several.extend_from_slice(many);
                2 * place + FIRST + 1
            }
        };
        self.keep(relation, value, code);
    }

    #[inline]
    fn code(&self, relation: u32, value: u32) -> u32 {
        let row = self.rows.get(relation as usize);
        row.and_then(|row| row.get(value as usize)).copied().unwrap_or(UNASKED)
    }

    fn keep(&mut self, relation: u32, value: u32, code: u32) {
        let (relation, value) = (relation as usize, value as usize);
        if relation >= self.rows.len() {
            self.rows.resize_with(relation + 1, Vec::new);
        }
        let row = &mut self.rows[relation];
        if value >= row.len() {
            let len = (value + 1).next_power_of_two();
            if self.n_codes + len > CODES_MAX {
                return;
            }
            self.n_codes += len - row.len();
            row.resize(len, UNASKED);
        }
        row[value] = code;
    }

    /// The event with this number among those that can happen where the highest level that they touch has this value.
    #[inline]
    pub(crate) fn able(
        &mut self,
        level: u32,
        value: u32,
        number: usize,
        events: &Events,
        moves: &mut dyn Moves,
    ) -> Option<EventId> {
        let known = self.able.get(level as usize).and_then(|of| of.get(value as usize));
        match known.and_then(|able| able.events.get(number)) {
            Some(&event) => Some(event),
            None => self.find_able(level, value, number, events, moves),
        }
    }

    /// Looks at events that were added since the last time.
    fn find_able(
        &mut self,
        level: u32,
        value: u32,
        number: usize,
        events: &Events,
        moves: &mut dyn Moves,
    ) -> Option<EventId> {
        let (at, of) = (level as usize, value as usize);
        let able = if value < NEAR {
            if at >= self.able.len() {
                self.able.resize_with(at + 1, Vec::new);
            }
            if of >= self.able[at].len() {
                self.able[at].resize_with(of + 1, Able::default);
            }
            &mut self.able[at][of]
        } else {
            self.far.entry((level, value)).or_default()
        };
        while let Some(event) = events.at_top(level, able.n_asked as usize) {
            able.n_asked += 1;
            let touch = events.touch(event, 0).expect("an event touches something");
            if moves.leads(touch.relation, value) {
                able.events.push(event);
                self.n_able += 1;
            }
        }
        able.events.get(number).copied()
    }
}
