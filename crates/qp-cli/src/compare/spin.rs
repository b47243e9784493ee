//! Runs SPIN on a copy of a model.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use queueproof::File;

use crate::compare::pan::{self, Said};
use crate::compare::process::{self, Folder, Until};

/// C compilers, those that make faster programs first.
const COMPILERS: [&str; 4] = ["cc", "gcc", "clang", "tcc"];
/// The first depth of a search, and the greatest. Each step takes about fifty bytes.
const DEPTH_FIRST: u64 = 100_000;
const DEPTH_MAX: u64 = 100_000_000;
/// Bytes for a state, where the usual ones are not enough.
const WIDTHS: [u32; 3] = [8192, 65_536, 524_288];
/// The copy of the model's main file.
const MAIN: &str = "queueproof_main.pml";
/// A file that defines macros and then includes the model.
const DEFINED: &str = "queueproof_defined.pml";

/// The programs that are needed.
pub(super) struct Tools {
    pub(super) spin: PathBuf,
    pub(super) compiler: PathBuf,
}

impl Tools {
    /// The programs, or what to do to have them.
    pub(super) fn find(compiler: Option<&str>) -> Result<Self, String> {
        let how = "install both, for instance with `apt-get install spin gcc` or \
                   `brew install spin`, and try again";
        let missing = |what: &str| format!("{what} is not on the PATH; {how}");
        let spin = process::find("spin").ok_or_else(|| missing("spin"))?;
        let compiler = match compiler {
            Some(name) => process::find(name).ok_or_else(|| missing(name))?,
            None => COMPILERS
                .iter()
                .find_map(|name| process::find(name))
                .ok_or_else(|| missing("a C compiler (cc, gcc, clang or tcc)"))?,
        };
        Ok(Self { spin, compiler })
    }
}

/// One way of using SPIN: what its parts are told.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) generate: &'static [&'static str],
    pub(super) compile: Vec<&'static str>,
    pub(super) run: Vec<String>,
}

/// What a search found.
pub(super) struct Searched {
    pub(super) said: Said,
    /// Seconds of the last run of the verifier.
    pub(super) time_s: f64,
}

/// A copy of a model, and how much searches of it may spend.
pub(super) struct Spin<'a> {
    pub(super) tools: Tools,
    folder: Folder,
    inside: PathBuf,
    main: &'static str,
    pub(super) time: Option<Duration>,
    pub(super) memory_bytes: u64,
    pub(super) cancelled: &'a AtomicBool,
}

impl<'a> Spin<'a> {
    /// Copies a model, with everything that it includes, into a folder of its own.
    pub(super) fn new(
        tools: Tools,
        files: &[File],
        defines: &[(String, String)],
        cancelled: &'a AtomicBool,
    ) -> std::io::Result<Self> {
        let folder = Folder::new()?;
        let places = places(files);
        let inside =
            folder.path.join(places.first().and_then(|it| it.parent()).unwrap_or(Path::new("")));
        std::fs::create_dir_all(&inside)?;
        for (number, (file, place)) in files.iter().zip(&places).enumerate() {
            let path = if number == 0 { inside.join(MAIN) } else { folder.path.join(place) };
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, &file.bytes)?;
        }
        let mut main = MAIN;
        if !defines.is_empty() {
            // SPIN hands options to a shell; in a file nothing needs to be quoted.
            let define = |(name, value): &(String, String)| format!("#define {name} {value}\n");
            let lines: String = defines.iter().map(define).collect();
            std::fs::write(inside.join(DEFINED), format!("{lines}#include \"{MAIN}\"\n"))?;
            main = DEFINED;
        }
        let (time, memory_bytes) = (None, u64::MAX);
        Ok(Self { tools, folder, inside, main, time, memory_bytes, cancelled })
    }

    /// Generates, compiles and runs a verifier, again with more room where it says that it needs it; or says
    /// what SPIN or the compiler has against the model.
    pub(super) fn search(&self, setting: &Setting) -> Result<Searched, String> {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let until = Until { deadline, cancelled: self.cancelled };
        self.generate(setting, until)?;
        let mut wider = WIDTHS.into_iter();
        self.compile(setting, None, until)?;
        let mut depth = DEPTH_FIRST;
        loop {
            let searched = self.run(setting, depth, until)?;
            if searched.said.too_wide && !until.is_over() {
                let Some(width) = wider.next() else { return Ok(searched) };
                self.compile(setting, Some(width), until)?;
            } else if searched.said.too_deep && !until.is_over() && depth < DEPTH_MAX {
                depth *= 10;
            } else {
                return Ok(searched);
            }
        }
    }

    fn generate(&self, setting: &Setting, until: Until<'_>) -> Result<(), String> {
        let _ = std::fs::remove_file(self.inside.join("pan.c"));
        let args: Vec<&str> = setting.generate.iter().copied().chain(["-a", self.main]).collect();
        let ran = self.start(&self.tools.spin, &args, until)?;
        let made = self.inside.join("pan.c").exists() && ran.status.is_some_and(|it| it.success());
        made.then_some(())
            .ok_or_else(|| format!("SPIN refuses the model: {}", complaint(&ran.text)))
    }

    fn compile(
        &self,
        setting: &Setting,
        width: Option<u32>,
        until: Until<'_>,
    ) -> Result<(), String> {
        let _ = std::fs::remove_file(self.inside.join("pan"));
        let megabytes = (self.memory_bytes >> 20).clamp(1, 1 << 40);
        let mut args = vec!["-O2".to_owned(), "-w".to_owned(), format!("-DMEMLIM={megabytes}")];
        args.extend(setting.compile.iter().map(|&flag| flag.to_owned()));
        args.extend(width.map(|width| format!("-DVECTORSZ={width}")));
        args.extend(["-o", "pan", "pan.c", "-lm"].map(str::to_owned));
        let ran = self.start(&self.tools.compiler, &args, until)?;
        let made = self.inside.join("pan").exists() && ran.status.is_some_and(|it| it.success());
        let failed =
            || format!("the verifier that SPIN writes does not compile: {}", complaint(&ran.text));
        made.then_some(()).ok_or_else(failed)
    }

    fn run(&self, setting: &Setting, depth: u64, until: Until<'_>) -> Result<Searched, String> {
        let mut args = setting.run.clone();
        args.push(format!("-m{depth}"));
        let ran = self.start(&self.inside.join("pan"), &args, until)?;
        let mut said = pan::read(&ran.text);
        if ran.status.is_none() {
            said.gap = Some("the time limit was met".to_owned());
        }
        Ok(Searched { said, time_s: ran.time.as_secs_f64() })
    }

    fn start(
        &self,
        program: &Path,
        args: &[impl AsRef<std::ffi::OsStr>],
        until: Until<'_>,
    ) -> Result<process::Ran, String> {
        if until.is_over() {
            return Err("SPIN was not run: the time limit was met".to_owned());
        }
        let cannot = |error| format!("cannot run {}: {error}", program.display());
        debug_assert!(self.inside.starts_with(&self.folder.path));
        process::run(&self.inside, program, args, until).map_err(cannot)
    }
}

/// Where copies of files go, so that they find each other as before.
fn places(files: &[File]) -> Vec<PathBuf> {
    let full = |file: &File| {
        let path = Path::new(&file.name);
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    };
    let full: Vec<PathBuf> = files.iter().map(full).collect();
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().map(|part| part.as_os_str().to_owned()).collect()
    };
    let mut shared = full.first().and_then(|path| path.parent()).map(parts).unwrap_or_default();
    for path in &full {
        let own = path.parent().map(parts).unwrap_or_default();
        let same = shared.iter().zip(&own).take_while(|(left, right)| left == right).count();
        shared.truncate(same);
    }
    full.iter().map(|path| path.components().skip(shared.len()).collect()).collect()
}

/// The first line of an output that says what is wrong.
fn complaint(text: &str) -> String {
    let bad = |line: &&str| line.to_lowercase().contains("error");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.clone().find(bad).or_else(|| lines.next()).unwrap_or("it says nothing");
    line.replace("queueproof_main.pml", "the model").chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_places_to_each_other() {
        let check = |names: &[&str], expect: &[&str]| {
            let file = |name: &&str| File { name: format!("/none/{name}"), bytes: Vec::new() };
            let files: Vec<File> = names.iter().map(file).collect();
            let expect: Vec<PathBuf> = expect.iter().map(PathBuf::from).collect();
            assert_eq!(places(&files), expect, "{names:?}");
        };
        check(&["a/m.pml"], &["m.pml"]);
        check(&["a/m.pml", "a/b/x.h"], &["m.pml", "b/x.h"]);
        check(&["a/b/m.pml", "a/x.h"], &["b/m.pml", "x.h"]);
    }

    #[test]
    fn complaints_are_the_line_with_the_error() {
        assert_eq!(
            complaint("ltl p: x\nspin: a.pml:1, Error: syntax error\n"),
            "spin: a.pml:1, Error: syntax error"
        );
        assert_eq!(complaint(""), "it says nothing");
    }
}
