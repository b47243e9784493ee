//! What is true of configurations and steps, as bits.

use qp_automata::Buchi;
use qp_base::{Interner, Map};
use qp_machines::{Config, Event, Letter, LocalId, System};

/// The letters that the automata ask for, each with a bit.
pub(super) struct Letters {
    letters: Interner<usize, Letter>,
    /// Whether a machine is where a letter says, by bit and local state: control states have long names.
    at: Map<(usize, LocalId), bool>,
}

/// An automaton whose conditions are bits.
pub(super) struct Reader {
    pub(super) start: Vec<usize>,
    pub(super) accepting: Vec<bool>,
    /// For each state: the bits that must be set, those that must not be, and the state afterwards.
    pub(super) edges: Vec<Vec<(u64, u64, usize)>>,
}

impl Letters {
    pub(super) fn new() -> Self {
        Self { letters: Interner::new(), at: Map::default() }
    }

    /// An automaton over bits; `None` if there are more letters than bits.
    pub(super) fn compile(&mut self, automaton: &Buchi<Letter>) -> Option<Reader> {
        let mut edges = Vec::new();
        for state in &automaton.states {
            let mut compiled = Vec::new();
            for edge in &state.edges {
                let (mut set, mut clear) = (0, 0);
                for (letter, value) in &edge.when {
                    *if *value { &mut set } else { &mut clear } |= self.bit(letter)?;
                }
                compiled.push((set, clear, edge.to));
            }
            edges.push(compiled);
        }
        let accepting = automaton.states.iter().map(|state| state.accepting).collect();
        Some(Reader { start: automaton.start.clone(), accepting, edges })
    }

    /// The bit of a letter; `None` if there are more letters than bits.
    pub(super) fn bit(&mut self, letter: &Letter) -> Option<u64> {
        let number = self.letters.intern(letter.clone());
        (number < 64).then_some(1 << number)
    }

    /// Whether any letter is about steps.
    pub(super) fn any_about_steps(&self) -> bool {
        self.letters.values().iter().any(Letter::is_about_step)
    }

    /// The bits of a configuration.
    pub(super) fn of_config(&mut self, system: &mut System, config: &Config) -> u64 {
        let mut bits = 0;
        for (number, letter) in self.letters.values().iter().enumerate() {
            let holds = match letter {
                Letter::Sends(_) | Letter::SendsSome(_) | Letter::Receives(_) => false,
                Letter::At(machine, _) => {
                    config.locals.get(machine.index()).is_some_and(|&local| {
                        let read = || system.reads(letter, config, None);
                        *self.at.entry((number, local)).or_insert_with(read)
                    })
                }
                Letter::Holds(_) | Letter::Progress | Letter::Accepts => {
                    system.reads(letter, config, Some(Event::Internal))
                }
            };
            bits |= u64::from(holds) << number;
        }
        bits
    }

    /// The bits of having ended.
    pub(super) fn of_end(&self) -> u64 {
        self.letters.find(&Letter::Progress).map_or(0, |number| 1 << number)
    }

    /// The bits of a step.
    pub(super) fn of_step(&self, system: &mut System, config: &Config, event: Event) -> u64 {
        let letters = self.letters.values().iter().enumerate();
        letters.filter(|(_, letter)| letter.is_about_step()).fold(0, |bits, (number, letter)| {
            bits | u64::from(system.reads(letter, config, Some(event))) << number
        })
    }
}
