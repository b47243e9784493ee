//! What SPIN says about a model.
//!
//! Without merging of statements, resetting of variables and reduction, so that states can be counted.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A run that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// SPIN and a compiler for C, with a folder of their own.
pub struct Spin {
    folder: PathBuf,
    compiler: &'static str,
}

/// What a search by SPIN came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// How many states were stored.
    pub stored: usize,
    /// What went wrong, in SPIN's words, other than ends in the wrong place.
    pub failures: Vec<String>,
    /// Whether a run can end in the wrong place.
    pub stuck: bool,
}

impl Searched {
    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty() && !self.stuck
    }
}

/// Why there is nothing to compare with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unable {
    /// SPIN does not take the text for a model.
    Refuses(String),
    /// What SPIN made of it cannot be compiled.
    Compiles(String),
    /// The search did not come to its end, or was not complete.
    Searches(String),
}

/// What is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search<'a> {
    /// Failures and ends in the wrong place.
    Safety,
    /// Runs that a formula or a `never` claim forbids.
    Claim {
        /// The name of the formula, if there are several.
        name: Option<&'a str>,
        /// Whether no process is passed over for ever.
        fair: bool,
    },
    /// Runs that pass an `accept` label again and again.
    Acceptance {
        /// Whether no process is passed over for ever.
        fair: bool,
    },
    /// Runs without progress.
    Progress {
        /// Whether no process is passed over for ever.
        fair: bool,
    },
}

impl Spin {
    /// SPIN, if it and a compiler are installed; it works in this folder.
    pub fn find(folder: &Path) -> Option<Self> {
        let compiler = ["tcc", "gcc", "cc"].into_iter().find(|it| answers(it, "-v"))?;
        if !answers("spin", "-V") {
            return None;
        }
        std::fs::create_dir_all(folder).expect("there is room for files");
        Some(Self { folder: folder.to_owned(), compiler })
    }

    /// Writes the searching program for a model.
    pub fn translate(&self, text: &str) -> Result<(), Unable> {
        let _ = std::fs::remove_file(self.folder.join("pan.c"));
        std::fs::write(self.folder.join("model.pml"), text).expect("there is room for files");
        let (_, said) = self.run("spin", &["-o1", "-o2", "-o3", "-a", "model.pml"])?;
        let complains = |line: &str| {
            let is_harmless = line.contains("dubious use of 'else'");
            (line.contains("Error:") || line.contains("error")) && !is_harmless
        };
        if said.lines().any(complains) || !self.folder.join("pan.c").exists() {
            return Err(Unable::Refuses(said));
        }
        Ok(())
    }

    /// Searches the model that was translated last.
    pub fn search(&self, search: Search<'_>) -> Result<Searched, Unable> {
        let _ = std::fs::remove_file(self.folder.join("pan"));
        let _ = std::fs::remove_file(self.folder.join("model.pml.trail"));
        let mut args = vec!["-w", "-DNOREDUCE", "-DVECTORSZ=4096"];
        args.extend(match search {
            Search::Safety => &["-DSAFETY", "-DNOCLAIM", "-DNOFAIR"][..],
            Search::Claim { .. } => &[],
            Search::Acceptance { .. } => &["-DNOCLAIM"],
            Search::Progress { .. } => &["-DNP", "-DNOCLAIM"],
        });
        args.extend(["-o", "pan", "pan.c"]);
        let (status, said) = self.run(self.compiler, &args)?;
        if status != Some(0) || !self.folder.join("pan").exists() {
            return Err(Unable::Compiles(said));
        }
        let mut args = vec!["-n", "-m100000", "-w18"];
        match search {
            Search::Safety => args.push("-c0"),
            Search::Claim { name, .. } => {
                args.push("-a");
                args.extend(name.into_iter().flat_map(|name| ["-N", name]));
            }
            Search::Acceptance { .. } => args.push("-a"),
            Search::Progress { .. } => args.push("-l"),
        }
        if let Search::Claim { fair: true, .. }
        | Search::Acceptance { fair: true }
        | Search::Progress { fair: true } = search
        {
            args.push("-f");
        }
        searched(&self.run("./pan", &args)?.1)
    }

    fn run(&self, program: &str, args: &[&str]) -> Result<(Option<i32>, String), Unable> {
        let path = self.folder.join("said");
        let out = File::create(&path).expect("there is room for files");
        let err = out.try_clone().expect("files can be opened twice");
        let mut child = Command::new(program)
            .args(args)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .spawn()
            .expect("the program runs");
        let (_voice, silence) = std::sync::mpsc::channel::<()>();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("programs can be waited for") {
                break status;
            }
            if start.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Unable::Searches("it takes too long".to_owned()));
            }
            // Nobody sends anything: this only lets time pass.
            let _ = silence.recv_timeout(Duration::from_millis(1));
        };
        let said = std::fs::read(&path).expect("the file was written just now");
        Ok((status.code(), String::from_utf8_lossy(&said).into_owned()))
    }
}

fn answers(program: &str, option: &str) -> bool {
    let null = || Stdio::null();
    let mut command = Command::new(program);
    command.arg(option).stdin(null()).stdout(null()).stderr(null()).status().is_ok()
}

fn searched(said: &str) -> Result<Searched, Unable> {
    let unable = || Err(Unable::Searches(said.to_owned()));
    let counted = said.lines().find_map(|line| line.trim().strip_suffix(" states, stored"));
    let counted = counted.or_else(|| {
        said.lines().find_map(|line| Some(line.trim().split_once(" states, stored (")?.0))
    });
    let Some(stored) = counted.and_then(|count| count.trim().parse().ok()) else {
        return unable();
    };
    let too_deep = said.contains("max search depth too small");
    if !said.contains("errors: ") || too_deep || said.contains("VECTORSZ") {
        return unable();
    }
    let mut found = Searched { stored, failures: Vec::new(), stuck: false };
    for line in said.lines().filter(|line| line.starts_with("pan:")) {
        let Some((number, what)) = line["pan:".len()..].split_once(": ") else { continue };
        if number.parse::<u64>().is_err() {
            continue;
        }
        let what = what.split(" (at depth").next().unwrap_or(what).to_owned();
        if what.contains("invalid end state") {
            found.stuck = true;
        } else if !found.failures.contains(&what) {
            found.failures.push(what);
        }
    }
    if found.is_clean() != said.contains("errors: 0") {
        return unable();
    }
    Ok(found)
}
