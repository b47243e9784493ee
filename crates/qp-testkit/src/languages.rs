//! Sets with languages: made of configurations that were met, and what they stand for, told without the referee.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use qp_claim::{ABSENT, ClosedSet, Content, Language, RegularSet};
use qp_machines::{Config, MachineId, Model, System, WordId};

/// A part of a language that is written as a sequence: one of these messages, or any number of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Places in the table of messages.
    pub letters: Vec<u32>,
    /// Whether any number may be there, also none.
    pub star: bool,
}

/// The words that are made of these pieces, in order.
pub fn sequence(pieces: &[Piece]) -> Language {
    let skip = |from: usize| {
        let stars = pieces[from..].iter().take_while(|piece| piece.star).count();
        from..=from + stars
    };
    let step = |now: &BTreeSet<usize>, letter: u32| -> BTreeSet<usize> {
        let takes = |&&at: &&usize| pieces.get(at).is_some_and(|it| it.letters.contains(&letter));
        let next = |&at: &usize| skip(at + usize::from(!pieces[at].star));
        now.iter().filter(takes).flat_map(next).collect()
    };
    let letters: BTreeSet<u32> = pieces.iter().flat_map(|piece| piece.letters.clone()).collect();
    let mut states: Vec<BTreeSet<usize>> = vec![skip(0).collect()];
    let mut language = Language::default();
    while let Some(now) = states.get(language.accepting.len()).cloned() {
        let from = language.accepting.len() as u32;
        language.accepting.push(now.contains(&pieces.len()));
        for &letter in &letters {
            let next = step(&now, letter);
            if next.is_empty() {
                continue;
            }
            let to = states.iter().position(|known| *known == next).unwrap_or_else(|| {
                states.push(next);
                states.len() - 1
            });
            language.steps.push((from, letter, to as u32));
        }
    }
    language
}

/// These words and no others.
pub fn words(words: &BTreeSet<Vec<u32>>) -> Language {
    let mut nodes: BTreeMap<Vec<u32>, u32> = BTreeMap::from([(Vec::new(), 0)]);
    let mut language = Language { accepting: vec![false], steps: Vec::new() };
    for word in words {
        for at in 0..word.len() {
            if !nodes.contains_key(&word[..=at]) {
                let new = nodes.len() as u32;
                language.steps.push((nodes[&word[..at]], word[at], new));
                language.accepting.push(false);
                nodes.insert(word[..=at].to_vec(), new);
            }
        }
        language.accepting[nodes[word] as usize] = true;
    }
    language.steps.sort_unstable();
    language
}

/// Writes rows.
pub struct Writer {
    set: RegularSet,
    seen: HashSet<Vec<u32>>,
}

impl Writer {
    /// Without any rows.
    pub fn new(n_machines: usize, n_queues: usize, messages: Vec<String>) -> Self {
        let locals = vec![Vec::new(); n_machines];
        let set = ClosedSet { locals, messages, n_queues, ..ClosedSet::default() };
        let set = RegularSet { set, languages: Vec::new() };
        Self { set, seen: HashSet::new() }
    }

    /// Adds a row: texts of local states, kinds and languages of queues (none for a closed one), the store, and the
    /// holder.
    pub fn row(
        &mut self,
        locals: &[String],
        queues: &[(u32, Option<Language>)],
        store: &str,
        holder: u32,
    ) {
        let set = &mut self.set.set;
        let mut row = vec![ABSENT; set.width()];
        for (machine, text) in locals.iter().enumerate() {
            row[machine] = place(&mut set.locals[machine], text.clone());
        }
        for (queue, (kind, language)) in queues.iter().enumerate() {
            let messages = language.is_some().then(Vec::new);
            let (kind, language) = (*kind, language.clone().unwrap_or_default());
            let mut known = set.contents.iter().zip(&self.set.languages);
            let same = |(content, other): (&Content, &Language)| {
                content.kind == kind && *other == language
            };
            let cell = known.position(same).unwrap_or_else(|| {
                set.contents.push(Content { kind, messages });
                self.set.languages.push(language);
                set.contents.len() - 1
            });
            row[set.locals.len() + queue] = cell as u32;
        }
        let last = row.len() - 2;
        row[last] = place(&mut set.stores, store.to_owned());
        row[last + 1] = holder;
        if self.seen.insert(row.clone()) {
            set.cells.extend(row);
        }
    }

    /// The set.
    pub fn finish(self) -> RegularSet {
        self.set
    }
}

fn place(table: &mut Vec<String>, text: String) -> u32 {
    let known = table.iter().position(|other| *other == text);
    known.unwrap_or_else(|| {
        table.push(text);
        table.len() - 1
    }) as u32
}

/// A set written by hand: for each row the local states, and the languages of the queues that exist from the
/// beginning, such as `a b* (ab)*`: a letter is a message, and brackets hold those of which any may come.
pub fn by_hand(model: &Model, rows: &[(&str, &[&str])]) -> RegularSet {
    let outline = model.outline();
    let messages: Vec<String> = outline.messages.iter().cloned().collect();
    let mut writer = Writer::new(outline.machines.len(), outline.queues.len(), messages.clone());
    for (locals, languages) in rows {
        let locals: Vec<String> = locals.split(' ').map(str::to_owned).collect();
        let queues: Vec<(u32, Option<Language>)> = outline
            .queues
            .iter()
            .zip(*languages)
            .map(|(queue, text)| (queue.kind.raw(), Some(sequence(&pieces(text, &messages)))))
            .collect();
        writer.row(&locals, &queues, "", ABSENT);
    }
    writer.finish()
}

fn pieces(text: &str, messages: &[String]) -> Vec<Piece> {
    let piece = |word: &str| {
        let letter = |c: char| messages.iter().position(|message| *message == c.to_string());
        let letters = word.chars().filter(|c| c.is_alphanumeric());
        let letters = letters.map(|c| letter(c).expect("it is a message") as u32).collect();
        Piece { letters, star: word.ends_with('*') }
    };
    text.split_whitespace().map(piece).collect()
}

/// The configurations as they are: each content is a language of one word. Those that differ only in what the queue
/// `merged` holds are one row.
pub fn of_closed(set: &ClosedSet, merged: Option<usize>) -> RegularSet {
    let mut rows: BTreeMap<Vec<u32>, BTreeSet<Vec<u32>>> = BTreeMap::new();
    for row in set.rows() {
        let mut row = row.to_vec();
        let mut held = BTreeSet::new();
        if let Some(queue) = merged {
            let cell = &mut row[set.locals.len() + queue];
            if let Some(Content { kind, messages: Some(word) }) = set.contents.get(*cell as usize) {
                held.insert(word.clone());
                *cell = *kind;
            } else {
                *cell = flipped(*cell);
            }
        }
        rows.entry(row).or_default().extend(held);
    }
    let mut writer = Writer::new(set.locals.len(), set.n_queues, set.messages.clone());
    for (row, held) in rows {
        let exists = |cell: &&u32| **cell != ABSENT;
        let machines = row[..set.locals.len()].iter().take_while(exists).zip(&set.locals);
        let locals: Vec<String> = machines.map(|(&cell, of)| of[cell as usize].clone()).collect();
        let cells = &row[set.locals.len()..set.locals.len() + set.n_queues];
        let mut queues = Vec::new();
        for (queue, &cell) in cells.iter().enumerate() {
            if merged == Some(queue) && !held.is_empty() {
                queues.push((cell, Some(words(&held))));
                continue;
            }
            let cell = if merged == Some(queue) { flipped(cell) } else { cell };
            let Some(content) = set.contents.get(cell as usize) else { continue };
            let alone =
                content.messages.as_ref().map(|word| words(&BTreeSet::from([word.clone()])));
            queues.push((content.kind, alone));
        }
        let rest = &row[row.len() - 2..];
        writer.row(&locals, &queues, &set.stores[rest[0] as usize], rest[1]);
    }
    writer.finish()
}

/// A number that is not that of a kind of queues, for a cell; and back.
fn flipped(cell: u32) -> u32 {
    (ABSENT - 1).wrapping_sub(cell)
}

/// How contents that were met are taken for more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// A message that comes twice in a row may come more often.
    Runs,
    /// Behind the first message anything may come that does.
    Tails,
}

/// A set that has these configurations, and more of the same kind.
pub fn guessed(system: &System, configs: &[Config], guess: Guess) -> RegularSet {
    let program = system.program();
    let most = |size: fn(&Config) -> usize| configs.iter().map(size).max().unwrap_or(0);
    let (n_machines, n_queues) = (most(|it| it.locals.len()), most(|it| it.words.len()));
    let mut messages = Vec::new();
    let mut rows = Vec::new();
    for config in configs {
        let mut held = Vec::new();
        for (&word, kind) in config.words.iter().zip(&config.kinds) {
            let letters = system.words().messages(word).into_iter();
            let letters = letters.map(|m| place(&mut messages, program.message_text(m)));
            let language = sequence(&guess.pieces(&letters.collect::<Vec<_>>()));
            held.push((kind.raw(), (word != WordId::CLOSED).then_some(language)));
        }
        rows.push(held);
    }
    let mut writer = Writer::new(n_machines, n_queues, messages);
    for (config, held) in configs.iter().zip(rows) {
        let text = |m| program.local_text(m, config.local(m));
        let locals: Vec<String> = config.machines().map(text).collect();
        let holder = config.holder.map_or(ABSENT, MachineId::raw);
        writer.row(&locals, &held, &system.store_text(config.store), holder);
    }
    writer.finish()
}

impl Guess {
    fn pieces(self, word: &[u32]) -> Vec<Piece> {
        let piece = |letters: &[u32], star| Piece { letters: letters.to_vec(), star };
        let mut pieces: Vec<Piece> = Vec::new();
        match self {
            Self::Runs => {
                for run in word.chunk_by(|a, b| a == b) {
                    pieces.push(piece(&run[..1], false));
                    if run.len() > 1 {
                        pieces.push(piece(&run[..1], true));
                    }
                }
            }
            Self::Tails => {
                pieces.extend(word.first().map(|&first| piece(&[first], false)));
                if word.len() > 1 {
                    let tail: BTreeSet<u32> = word[1..].iter().copied().collect();
                    pieces.push(piece(&tail.into_iter().collect::<Vec<_>>(), true));
                }
            }
        }
        pieces
    }
}

/// What a set stands for.
pub struct Members<'a> {
    set: &'a RegularSet,
    /// The rows by everything but what queues hold.
    rows: HashMap<String, Vec<&'a [u32]>>,
}

impl<'a> Members<'a> {
    /// Of this set. Rows that make no sense are left out.
    pub fn new(set: &'a RegularSet) -> Self {
        let mut rows: HashMap<String, Vec<&'a [u32]>> = HashMap::new();
        for row in set.set.rows() {
            if let Some(key) = key_of_row(set, row) {
                rows.entry(key).or_default().push(row);
            }
        }
        Self { set, rows }
    }

    /// Whether a row stands for the configuration.
    pub fn contains(&self, system: &System, config: &Config) -> bool {
        let program = system.program();
        let locals = config.machines().map(|m| program.local_text(m, config.local(m))).collect();
        let kinds = config.kinds.iter().zip(&config.words);
        let kinds = kinds.map(|(kind, &word)| (kind.raw(), word == WordId::CLOSED)).collect();
        let holder = config.holder.map_or(ABSENT, MachineId::raw);
        let key = key(locals, kinds, &system.store_text(config.store), holder);
        let accepts = |row: &&&[u32]| {
            let cells = &row[self.set.set.locals.len()..];
            config.words.iter().zip(cells).all(|(&word, &cell)| {
                let letters = system.words().messages(word).into_iter();
                let texts: Vec<String> = letters.map(|m| program.message_text(m)).collect();
                word == WordId::CLOSED || self.accepts(cell, &texts)
            })
        };
        self.rows.get(&key).into_iter().flatten().any(|row| accepts(&row))
    }

    /// Configurations that rows stand for, with queues of at most this length; not more than `most` of each row.
    pub fn short(&self, system: &mut System, longest: usize, most: usize) -> Vec<Config> {
        let mut all = Vec::new();
        let mut rows: Vec<_> = self.rows.values().flatten().copied().collect();
        rows.sort_unstable();
        for row in rows {
            all.extend(self.short_of_row(system, row, longest, most));
        }
        all
    }

    fn short_of_row(
        &self,
        system: &mut System,
        row: &[u32],
        longest: usize,
        most: usize,
    ) -> Vec<Config> {
        let set = &self.set.set;
        let mut base = system.initial();
        let rest = &row[row.len() - 2..];
        base.store = system.store_from_text(&set.stores[rest[0] as usize]).expect("it is one");
        let program = system.program_mut();
        base.holder = (rest[1] != ABSENT).then(|| MachineId::from_raw(rest[1]));
        let machines = row.iter().take_while(|cell| **cell != ABSENT).zip(&set.locals).enumerate();
        let local = |(m, (&cell, texts)): (usize, (&u32, &Vec<String>))| {
            program.local_from_text(MachineId::new(m), &texts[cell as usize]).expect("it is one")
        };
        base.locals = machines.map(local).collect();
        (base.words, base.kinds) = (Vec::new(), Vec::new());
        let mut configs = vec![base];
        for &cell in row[set.locals.len()..row.len() - 2].iter().filter(|cell| **cell != ABSENT) {
            let kind = qp_machines::KindId::from_raw(set.contents[cell as usize].kind);
            let held = self.short_words(system, cell, longest);
            let longer = |config: &Config| {
                let add = |&word: &WordId| {
                    let mut config = config.clone();
                    config.words.push(word);
                    config.kinds.push(kind);
                    config
                };
                held.iter().map(add).collect::<Vec<_>>()
            };
            configs = configs.iter().flat_map(longer).take(most).collect();
        }
        configs
    }

    fn short_words(&self, system: &mut System, cell: u32, longest: usize) -> Vec<WordId> {
        let language = &self.set.languages[cell as usize];
        if language.accepting.is_empty() {
            return vec![WordId::CLOSED];
        }
        let (mut found, mut layer) = (Vec::new(), vec![(0, WordId::EMPTY)]);
        for _ in 0..=longest {
            let mut next = Vec::new();
            for (state, word) in layer {
                if language.accepting[state as usize] {
                    found.push(word);
                }
                for &(_, letter, to) in language.steps.iter().filter(|step| step.0 == state) {
                    let text = &self.set.set.messages[letter as usize];
                    let message = system.program_mut().message_from_text(text).expect("it is one");
                    next.push((to, system.words_mut().push(word, message)));
                }
            }
            layer = next;
        }
        found
    }

    fn accepts(&self, cell: u32, texts: &[String]) -> bool {
        let language = &self.set.languages[cell as usize];
        let mut state = 0;
        for text in texts {
            let is_it = |step: &&(u32, u32, u32)| {
                step.0 == state && self.set.set.messages.get(step.1 as usize) == Some(text)
            };
            let Some(step) = language.steps.iter().find(is_it) else { return false };
            state = step.2;
        }
        language.accepting.get(state as usize) == Some(&true)
    }
}

fn key_of_row(set: &RegularSet, row: &[u32]) -> Option<String> {
    let rows = &set.set;
    let machines = row.iter().zip(&rows.locals).filter(|(cell, _)| **cell != ABSENT);
    let locals = machines.map(|(&cell, texts)| texts.get(cell as usize).cloned());
    let queues = row[rows.locals.len()..row.len() - 2].iter().filter(|cell| **cell != ABSENT);
    let kinds = queues.map(|&cell| {
        let content = rows.contents.get(cell as usize)?;
        Some((content.kind, set.languages.get(cell as usize)?.accepting.is_empty()))
    });
    let rest = &row[row.len() - 2..];
    let store = rows.stores.get(rest[0] as usize)?;
    Some(key(locals.collect::<Option<_>>()?, kinds.collect::<Option<_>>()?, store, rest[1]))
}

#[expect(clippy::needless_pass_by_value, reason = "both callers have just made them")]
fn key(locals: Vec<String>, kinds: Vec<(u32, bool)>, store: &str, holder: u32) -> String {
    format!("{locals:?} {kinds:?} {store:?} {holder}")
}
