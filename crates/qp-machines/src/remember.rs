//! What a program answered, remembered by what it looked at.
//!
//! An answer depends on what the [`World`] was asked for, and on nothing else. So all answers to one question are a
//! tree: each inner node is the next look, each branch a value that was seen there, and the answer is at the end.

use std::hash::Hash;

use qp_base::{Decisions, Map, Root};

use crate::reads::{Plain, Reads, Within, World};
use crate::{CellId, Config, KindId, LocalId, MachineId, QueueDomain, QueueId, WordId, Words};

/// More than this is not kept ([`Decisions::size`]): everything is forgotten, and learned again where it is needed.
const SIZE_MAX: usize = 1 << 23;

/// Answers of a program to questions `Q`.
pub(crate) struct Memory<Q, A> {
    roots: Map<Q, Root>,
    answers: Decisions<Look, A>,
    /// What smaller looks at local states came to.
    hints: Hints,
}

type Hints = Map<(MachineId, u64, LocalId), u32>;

/// A part of a configuration that a program can look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Machines,
    Queues,
    Local(MachineId),
    Cell(CellId),
    Word(QueueId),
    Kind(QueueId),
    About(MachineId, u64),
}

impl<Q: Eq + Hash, A: Clone> Memory<Q, A> {
    pub(crate) fn new() -> Self {
        Self { roots: Map::default(), answers: Decisions::new(), hints: Map::default() }
    }

    /// The answer for a world that looks like one for which the program was asked before; otherwise what `ask`
    /// says.
    pub(crate) fn answer(
        &mut self,
        question: Q,
        plain: Plain<'_>,
        (words, domain): (&mut Words, &mut dyn QueueDomain),
        ask: impl FnOnce(&mut dyn World) -> A,
    ) -> A {
        if let Some(&root) = self.roots.get(&question) {
            let see = |look: Look| look.value(plain.config, plain.cells, &self.hints);
            if let Some(number) = self.answers.find(root, see) {
                return self.answers.answers()[number as usize].clone();
            }
        }
        if self.answers.size() + 32 * self.hints.len() > SIZE_MAX {
            *self = Self::new();
        }
        let mut noted = Noted { plain, path: Vec::new(), hints: &mut self.hints };
        let answer = ask(&mut Within::new(&mut noted, words, domain));
        let path = noted.path;
        let root = self.roots.entry(question).or_insert(Root::NEW);
        self.answers.insert(root, &path, answer.clone());
        answer
    }
}

impl Look {
    /// What is seen, if it is known without the program.
    fn value(self, config: &Config, cells: &[i32], hints: &Hints) -> Option<u32> {
        Some(match self {
            Self::Machines => config.locals.len() as u32,
            Self::Queues => config.words.len() as u32,
            Self::Local(machine) => config.local(machine).raw(),
            Self::Cell(cell) => cells[cell.index()].cast_unsigned(),
            Self::Word(queue) => config.word(queue).raw(),
            Self::Kind(queue) => config.kinds[queue.index()].raw(),
            Self::About(machine, question) => {
                *hints.get(&(machine, question, config.local(machine)))?
            }
        })
    }
}

/// A configuration whose looks are written down, each once.
struct Noted<'a> {
    plain: Plain<'a>,
    path: Vec<(Look, u32)>,
    hints: &'a mut Hints,
}

impl Noted<'_> {
    fn note(&mut self, look: Look, value: u32) {
        if self.path.iter().all(|&(known, _)| known != look) {
            self.path.push((look, value));
        }
    }
}

impl Reads for Noted<'_> {
    fn n_machines(&mut self) -> usize {
        let n = self.plain.n_machines();
        self.note(Look::Machines, n as u32);
        n
    }

    fn n_queues(&mut self) -> usize {
        let n = self.plain.n_queues();
        self.note(Look::Queues, n as u32);
        n
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        let local = self.plain.local(machine);
        self.note(Look::Local(machine), local.raw());
        local
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        let value = self.plain.cell(cell);
        self.note(Look::Cell(cell), value.cast_unsigned());
        value
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        let word = self.plain.word(queue);
        self.note(Look::Word(queue), word.raw());
        word
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        let kind = self.plain.kind(queue);
        self.note(Look::Kind(queue), kind.raw());
        kind
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        let local = self.plain.local(machine);
        let seen = answer(local);
        self.hints.insert((machine, question, local), seen);
        self.note(Look::About(machine, question), seen);
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreId;

    fn config(locals: &[u32]) -> Config {
        let locals = locals.iter().map(|&raw| LocalId::from_raw(raw)).collect();
        let (words, kinds) = (vec![WordId::EMPTY], vec![KindId::from_raw(0)]);
        Config { locals, words, kinds, store: StoreId::NONE, holder: None }
    }

    /// Whether the program had to be asked.
    fn asks(memory: &mut Memory<u32, u32>, question: u32, config: &Config) -> bool {
        let (mut words, mut asked) = (Words::new(), false);
        let plain = Plain { config, cells: &[] };
        let second = MachineId::new(1);
        let answer = memory.answer(question, plain, (&mut words, &mut crate::Exact), |world| {
            asked = true;
            // The parity of the second machine matters, and the whole of it only if it is odd.
            let odd = world.about(second, 7, &mut |local| local.raw() % 2);
            if odd == 1 { world.local(second).raw() } else { 0 }
        });
        let raw = config.local(second).raw();
        assert_eq!(answer, if raw % 2 == 1 { raw } else { 0 });
        asked
    }

    #[test]
    fn only_what_was_looked_at_matters() {
        let mut memory = Memory::new();
        assert!(asks(&mut memory, 0, &config(&[1, 5])));
        assert!(!asks(&mut memory, 0, &config(&[2, 5])), "nobody looked at the first machine");
        assert!(asks(&mut memory, 0, &config(&[1, 3])));
        assert!(asks(&mut memory, 1, &config(&[1, 5])), "this is another question");
    }

    #[test]
    fn a_smaller_look_is_at_the_answer_alone() {
        let mut memory = Memory::new();
        assert!(asks(&mut memory, 0, &config(&[1, 4])));
        let size = memory.answers.size();
        assert!(asks(&mut memory, 0, &config(&[1, 6])), "whether 6 is odd is not known yet");
        assert_eq!(memory.answers.size(), size);
        assert!(!asks(&mut memory, 0, &config(&[1, 6])));
    }

    #[test]
    fn what_is_too_much_is_forgotten() {
        let mut memory = Memory::new();
        let even = config(&[1, 4]);
        let n_questions = SIZE_MAX as u32 / 32;
        assert!((0..n_questions).all(|question| asks(&mut memory, question, &even)));
        assert!(memory.answers.size() + 32 * memory.hints.len() <= SIZE_MAX + 128);
        assert!(asks(&mut memory, 0, &even), "it is forgotten");
        assert!(!asks(&mut memory, 0, &even));
    }
}
