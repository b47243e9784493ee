//! Which language a model is in: the one that the user names, or the one that the end of its name stands for.

use crate::{Switches, extension};

/// A language that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// P programs.
    P,
    /// Promela models.
    Promela,
    /// Communicating automata in our own language.
    Cfsm,
    /// Communicating automata as `McScM` has them.
    Scm,
    /// Communicating automata as lists of transitions.
    Fsa,
}

impl Language {
    const ALL: [Self; 5] = [Self::P, Self::Promela, Self::Cfsm, Self::Scm, Self::Fsa];

    /// Its name on the command line and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::P => "p",
            Self::Promela => "promela",
            Self::Cfsm => "cfsm",
            Self::Scm => "scm",
            Self::Fsa => "fsa",
        }
    }

    /// The language with a name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.word() == word)
    }

    /// The ends of names that stand for it.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::P => &["p", "pproj"],
            Self::Promela => &["pml", "promela", "prom"],
            Self::Cfsm => &["cfsm"],
            Self::Scm => &["scm"],
            Self::Fsa => &["fsa", "fsm"],
        }
    }

    /// What the end of a name stands for.
    pub fn of(path_name: &str) -> Option<Self> {
        let extension = extension(path_name);
        Self::ALL.into_iter().find(|it| it.extensions().contains(&extension.as_str()))
    }
}

impl Switches {
    /// The language of a file of this name, if it is known. A project is one of P whatever is asked for.
    pub fn language_of(&self, path_name: &str) -> Option<Language> {
        let is_project = extension(path_name) == "pproj";
        self.language.filter(|_| !is_project).or_else(|| Language::of(path_name))
    }
}
