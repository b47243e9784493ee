//! Other programs: finding them, running them with a limit, and a folder for their files.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// How long a program that was asked to stop may take to say what it knows.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A folder that is removed with everything in it.
pub(super) struct Folder {
    pub(super) path: PathBuf,
}

impl Folder {
    pub(super) fn new() -> std::io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("queueproof-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A folder that is there already belongs to somebody else, or is a trap.
        std::fs::create_dir(&path)?;
        Ok(Self { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The file that a name of a program stands for.
pub(super) fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Path::new(program).is_file().then(|| PathBuf::from(program));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// What came of running a program.
pub(super) struct Ran {
    /// Everything that it printed.
    pub(super) text: String,
    /// How it ended by itself; `None` if it was stopped.
    pub(super) status: Option<ExitStatus>,
    pub(super) time: Duration,
}

/// When programs have to stop.
#[derive(Clone, Copy)]
pub(super) struct Until<'a> {
    pub(super) deadline: Option<Instant>,
    pub(super) cancelled: &'a AtomicBool,
}

impl Until<'_> {
    pub(super) fn is_over(self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.cancelled.load(Ordering::Relaxed)
    }
}

/// Runs a program in a folder. What it prints goes through a file, so that nothing waits for a pipe that a
/// program of the program keeps open.
pub(super) fn run(
    folder: &Path,
    program: &Path,
    args: &[impl AsRef<OsStr>],
    until: Until<'_>,
) -> std::io::Result<Ran> {
    let said = folder.join("said.txt");
    let out = File::create(&said)?;
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null());
    let mut child = command.stdout(out.try_clone()?).stderr(out).spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if until.is_over() {
            stop(&mut child);
            break None;
        }
        std::thread::sleep(LOOK);
    };
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&std::fs::read(&said)?).into_owned();
    Ok(Ran { text, status, time })
}

/// Ends a program. It is asked first, because SPIN's verifier then says how far it came.
fn stop(child: &mut Child) {
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let patience = if asked.is_ok() { LAST_WORDS } else { Duration::ZERO };
    let end = Instant::now() + patience;
    while Instant::now() < end {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(LOOK);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_shell(script: &str, limit: Option<Duration>) -> (Ran, PathBuf) {
        let folder = Folder::new().expect("there is room for files");
        let shell = find("sh").expect("there is a shell");
        let cancelled = AtomicBool::new(false);
        let deadline = limit.map(|limit| Instant::now() + limit);
        let until = Until { deadline, cancelled: &cancelled };
        let ran = run(&folder.path, &shell, &["-c", script], until).expect("the shell runs");
        (ran, folder.path.clone())
    }

    #[test]
    fn everything_that_is_printed_is_there_and_the_folder_is_gone() {
        let (ran, folder) = run_shell("echo one; echo two >&2; exit 3", None);
        assert_eq!(ran.text, "one\ntwo\n");
        assert_eq!(ran.status.and_then(|status| status.code()), Some(3));
        assert!(!folder.exists());
    }

    #[test]
    fn a_program_that_takes_too_long_is_asked_to_stop() {
        // Who is started in the background of a shell without terminal cannot be interrupted.
        let (deaf, _) = run_shell("trap 'exit 7' INT; kill -INT $$; exit 0", None);
        if deaf.status.and_then(|status| status.code()) != Some(7) {
            return;
        }
        let script = "trap 'echo stopped; exit' INT; echo begun; while :; do sleep 0.05; done";
        let (ran, _) = run_shell(script, Some(Duration::from_millis(300)));
        assert!(ran.status.is_none() && ran.time < Duration::from_secs(20));
        assert_eq!(ran.text, "begun\nstopped\n");
    }

    #[test]
    fn programs_that_do_not_exist_are_not_found() {
        assert_eq!(find("no-such-program-anywhere"), None);
        assert_eq!(find("/no/such/program"), None);
    }
}
