//! Running the binary in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A fresh folder that a test runs the binary in.
pub(crate) struct Place {
    folder: PathBuf,
}

/// How a run of the binary ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// `name` must differ from that of every other test.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// A folder with the automata of `corpus/` in it.
    pub(crate) fn with_corpus(name: &str) -> Self {
        let place = Self::new(name);
        for model in corpus_models() {
            place.copy(&model);
        }
        place
    }

    /// Copies a file of the repository to the same path in here.
    pub(crate) fn copy(&self, path: &str) {
        self.file(path, std::fs::read(repository().join(path)).unwrap());
    }

    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let read = std::fs::read_to_string(self.folder.join(path));
        read.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.folder.join(path).exists()
    }

    /// The binary, in this folder, with nothing in the environment that changes how it looks.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queueproof"));
        command.args(words).current_dir(&self.folder).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C");
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        self.command(words).output().unwrap().into()
    }

    /// Runs the binary and checks its exit code.
    pub(crate) fn expect(&self, code: i32, words: &[&str]) -> Ended {
        let ended = self.run(words);
        assert_eq!(ended.code, Some(code), "{words:?}\n{}\n{}", ended.out, ended.err);
        ended
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every model of the corpus, as a path from the root of the repository.
pub(crate) fn corpus_models() -> Vec<String> {
    let mut models = Vec::new();
    for language in ["cfsm", "fsa", "scm"] {
        for entry in std::fs::read_dir(repository().join("corpus").join(language)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            models.push(format!("corpus/{language}/{name}"));
        }
    }
    models.sort();
    models
}

/// Small models with every verdict.
pub(crate) const PROVED: &str = "corpus/cfsm/cancel_fixed.cfsm";
pub(crate) const VIOLATED: &str = "corpus/cfsm/cancel_race.cfsm";
pub(crate) const GROWING: &str = "corpus/cfsm/flood.cfsm";

/// A place with the three of them.
pub(crate) fn with_samples(name: &str) -> Place {
    let place = Place::new(name);
    for model in [PROVED, VIOLATED, GROWING] {
        place.copy(model);
    }
    place
}
