//! Fingerprints: numbers that depend on the content of a configuration alone, in whatever process.
//!
//! They say who owns a configuration and in which order configurations are looked at. Nothing rests on
//! different configurations having different ones.
//!
//! That of a configuration is the sum of those of its parts: so a step changes it by what the changed parts
//! say, and parts that are not there do not count.

use qp_base::Map;
use qp_engines::{Piece, Stepper};
use qp_machines::{LocalId, MachineId, MessageId, System, WordId};

/// What there is to know of the values of parts, each worked out once.
#[derive(Default)]
pub(crate) struct Prints {
    facts: Vec<Vec<Fact>>,
    locals: Map<(MachineId, LocalId), u64>,
    messages: Map<MessageId, u64>,
    words: Map<WordId, u64>,
}

#[derive(Clone, Copy, Default)]
struct Fact {
    print: u64,
    /// The numbers behind those of the last machine and the last queue that are there.
    machines_end: u32,
    queues_end: u32,
    /// How many machines and queues are there.
    n_machines: u16,
    n_queues: u16,
    /// The number behind that of the machine that goes on alone.
    holder_end: u32,
}

impl Prints {
    /// Looks at all values that are new since.
    pub(crate) fn learn(&mut self, stepper: &mut Stepper) {
        for (part, count) in stepper.counts().into_iter().enumerate() {
            if part == self.facts.len() {
                self.facts.push(Vec::new());
            }
            for value in self.facts[part].len()..count {
                let pieces = stepper.pieces(part, value as u32);
                let fact = self.fact(stepper.system(), &pieces);
                self.facts[part].push(fact);
            }
        }
    }

    /// The fingerprint of a configuration.
    pub(crate) fn of(&self, row: &[u32]) -> u64 {
        self.facts(row).fold(0, |print, fact| print.wrapping_add(fact.print))
    }

    /// The fingerprint of a configuration that differs little from another one, whose fingerprint is known.
    /// Its row is as long as there are parts.
    pub(crate) fn after(&self, print: u64, before: &[u32], after: &[u32]) -> u64 {
        let mut print = print;
        for (number, (facts, &new)) in self.facts.iter().zip(after).enumerate() {
            let old = before.get(number).copied().unwrap_or(0);
            if old != new {
                let (old, new) = (facts[old as usize].print, facts[new as usize].print);
                print = print.wrapping_add(new).wrapping_sub(old);
            }
        }
        print
    }

    /// How many machines and queues a configuration has.
    pub(crate) fn n_machines_queues(&self, row: &[u32]) -> (u32, u32) {
        let facts = self.facts(row);
        facts.fold((0, 0), |(n_machines, n_queues), fact| {
            (n_machines.max(fact.machines_end), n_queues.max(fact.queues_end))
        })
    }

    /// Whether there can be such a configuration, as far as that can be seen: those who exist are the first
    /// ones, and who goes on alone is one of them.
    pub(crate) fn is_sound(&self, row: &[u32]) -> bool {
        let (mut n_machines, mut n_queues, mut holder_end) = (0, 0, 0);
        for fact in self.facts(row) {
            n_machines += u32::from(fact.n_machines);
            n_queues += u32::from(fact.n_queues);
            holder_end = holder_end.max(fact.holder_end);
        }
        (n_machines, n_queues) == self.n_machines_queues(row) && holder_end <= n_machines
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let facts: usize = self.facts.iter().map(|facts| facts.len() * size_of::<Fact>()).sum();
        (facts + (self.locals.len() + self.words.len()) * 20) as u64
    }

    fn facts<'p>(&'p self, row: &'p [u32]) -> impl Iterator<Item = &'p Fact> {
        let values = row.iter().copied().chain(std::iter::repeat(0));
        self.facts.iter().zip(values).map(|(facts, value)| &facts[value as usize])
    }

    fn fact(&mut self, system: &System, pieces: &[Piece]) -> Fact {
        let (mut fact, mut print) = (Fact::default(), Mix::new(pieces.len() as u64));
        let mut says_something = false;
        for &piece in pieces {
            says_something |= !matches!(piece, Piece::NoMachine(_) | Piece::NoQueue(_));
            match piece {
                Piece::Store(number) => {
                    print.all([1, fingerprint(&system.program().store_text(&[number]))]);
                }
                Piece::Holder(holder) => {
                    fact.holder_end = holder.map_or(0, |machine| machine.raw().saturating_add(1));
                    print.all([2, u64::from(fact.holder_end)]);
                }
                Piece::Cell(cell, value) => {
                    print.all([3, u64::from(cell.raw()), u64::from(value.cast_unsigned())]);
                }
                Piece::Machine(machine, local) => {
                    let local = self.local(system, machine, local);
                    print.all([4, u64::from(machine.raw()), local]);
                    fact.machines_end = fact.machines_end.max(machine.raw() + 1);
                    fact.n_machines += 1;
                }
                Piece::Queue(queue, kind, word) => {
                    let word = self.word(system, word);
                    print.all([5, u64::from(queue.raw()), u64::from(kind.raw()), word]);
                    fact.queues_end = fact.queues_end.max(queue.raw() + 1);
                    fact.n_queues += 1;
                }
                Piece::NoMachine(_) | Piece::NoQueue(_) => {}
            }
        }
        if says_something {
            fact.print = print.finish();
        }
        fact
    }

    fn local(&mut self, system: &System, machine: MachineId, local: LocalId) -> u64 {
        let text = || fingerprint(&system.program().local_text(machine, local));
        *self.locals.entry((machine, local)).or_insert_with(text)
    }

    fn word(&mut self, system: &System, word: WordId) -> u64 {
        if let Some(&known) = self.words.get(&word) {
            return known;
        }
        let mut print = Mix::new(u64::from(word == WordId::CLOSED));
        for message in system.words().messages(word) {
            let text = || fingerprint(&system.program().message_text(message));
            print.add(*self.messages.entry(message).or_insert_with(text));
        }
        *self.words.entry(word).or_insert(print.finish())
    }
}

/// A number that depends on the text alone, on every machine.
pub fn fingerprint(text: &str) -> u64 {
    let mut print = Mix::new(text.len() as u64);
    for piece in text.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..piece.len()].copy_from_slice(piece);
        print.add(u64::from_le_bytes(bytes));
    }
    print.finish()
}

/// Mixes numbers into one. Written out here because it must be the same on every machine and in every
/// version of every library.
struct Mix(u64);

impl Mix {
    fn new(first: u64) -> Self {
        let mut mix = Self(0);
        mix.add(first);
        mix
    }

    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn all<const N: usize>(&mut self, numbers: [u64; N]) {
        for number in numbers {
            self.add(number);
        }
    }

    fn finish(self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_same_fingerprint_everywhere() {
        assert_eq!(fingerprint(""), fingerprint(""));
        let texts = ["", "a", "b", "ab", "ba", "aaaaaaaa", "aaaaaaaab", "baaaaaaaa"];
        let prints: std::collections::BTreeSet<u64> = texts.map(fingerprint).into_iter().collect();
        assert_eq!(prints.len(), texts.len());
    }
}
