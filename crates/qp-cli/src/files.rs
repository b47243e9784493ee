//! Reading models and writing what a run leaves behind.

use std::io::IsTerminal;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use qp_base::{Diagnostic, Source};
use qp_report::Style;
use qp_report::diagnostics::diagnostics;
use queueproof::{Artifact, Checked, Disk, GatherError, Loaded, Report, Switches};

use crate::args::{LookArgs, ReadArgs, When};
use crate::exit::{Exit, Trouble};

/// The user's disk.
pub(crate) struct RealDisk {
    /// Larger files are not read.
    pub(crate) bytes_max: u64,
}

/// The largest file that is read, unless somebody wants to.
pub(crate) const INPUT_MAX: u64 = 64 << 20;

/// The bytes of a file, unless there are too many: one without an end is read up to there.
pub(crate) fn bytes_of(path: &Path, max: u64, option: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max {
        let mib = max.div_ceil(1 << 20);
        return Err(format!("it is larger than {mib} MiB, the most that is read; {option}"));
    }
    Ok(bytes)
}

const READ_MORE: &str = "--input-max reads more";

impl Disk for RealDisk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        bytes_of(path, self.bytes_max, READ_MORE)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        let path = |entry: std::io::Result<std::fs::DirEntry>| Ok(entry?.path());
        let paths: std::io::Result<Vec<PathBuf>> = entries.map(path).collect();
        paths.map_err(|error| error.to_string())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

/// A model to be read: where it is, and how.
pub(crate) struct Wanted {
    pub(crate) path: PathBuf,
    pub(crate) switches: Switches,
    /// Larger files are not read.
    pub(crate) input_max: u64,
}

/// The models that a list of files and folders stands for, folders sorted by name; with the test cases
/// that are asked for.
pub(crate) fn models(paths: &[PathBuf], reading: &ReadArgs) -> Result<Vec<Wanted>, Trouble> {
    let mut wanted = Vec::new();
    for path in paths_of_models(paths)? {
        let one = |test| Wanted {
            path: path.clone(),
            switches: Switches { test, ..reading.switches() },
            input_max: reading.input_max,
        };
        let tests = if reading.all_tests { tests(&path, reading) } else { reading.test.clone() };
        if tests.is_empty() {
            wanted.push(one(None));
        } else {
            wanted.extend(tests.into_iter().map(|test| one(Some(test))));
        }
    }
    Ok(wanted)
}

/// The one model that a path stands for.
pub(crate) fn model(path: &Path, reading: &ReadArgs) -> Result<Wanted, Trouble> {
    let mut models = models(&[path.to_owned()], reading)?;
    match (models.pop(), models.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(Trouble::usage(format!("{}: several models; name one", path.display()))),
    }
}

/// The paths of models that a list of files and folders stands for.
pub(crate) fn paths_of_models(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Trouble> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let models = queueproof::models(&RealDisk { bytes_max: INPUT_MAX }, path);
            let mut models = models.map_err(|error| Trouble::from(LoadError::from(error)))?;
            if models.is_empty() {
                let message = format!("{}: no models in this folder", path.display());
                return Err(Trouble::usage(message));
            }
            found.append(&mut models);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// The test cases of a model. A program that is refused may still have some; one whose files cannot be
/// gathered has none, and loading it says why.
pub(crate) fn tests(path: &Path, reading: &ReadArgs) -> Vec<String> {
    let disk = RealDisk { bytes_max: reading.input_max };
    let files = queueproof::gather(&disk, path, &reading.switches()).unwrap_or_default();
    queueproof::tests(&path.to_string_lossy(), &files, &reading.switches())
}

/// Why there is no model.
pub(crate) enum LoadError {
    /// The file cannot be read.
    Unreadable(Trouble),
    /// It is not a model. That was said on standard error already.
    Refused(Source, Vec<Diagnostic>),
}

impl LoadError {
    /// The end of a command that needs the model.
    pub(crate) fn trouble(source: &Source) -> Trouble {
        Trouble { exit: Exit::Refused, message: format!("{} was refused", source.name) }
    }
}

impl From<LoadError> for Trouble {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unreadable(trouble) => trouble,
            LoadError::Refused(source, _) => LoadError::trouble(&source),
        }
    }
}

impl From<GatherError> for LoadError {
    fn from(error: GatherError) -> Self {
        match error {
            GatherError::Unreadable { path, why } => Self::Unreadable(unreadable(&path, &why)),
            GatherError::Broken(broken) => Self::Refused(broken.0, vec![broken.1]),
        }
    }
}

/// Reads a model; warnings go to standard error.
pub(crate) fn load(wanted: &Wanted, look: &LookArgs) -> Result<Loaded, LoadError> {
    let loaded = load_quietly(wanted, look)?;
    let style = style(look, &std::io::stderr());
    crate::tell(&diagnostics(&loaded.source, &loaded.warnings, &style));
    Ok(loaded)
}

/// Reads a model; one that is refused is explained on standard error.
pub(crate) fn load_quietly(wanted: &Wanted, look: &LookArgs) -> Result<Loaded, LoadError> {
    let load = || {
        let disk = RealDisk { bytes_max: wanted.input_max };
        let files = queueproof::gather(&disk, &wanted.path, &wanted.switches)?;
        queueproof::load_files(&wanted.path.to_string_lossy(), &files, &wanted.switches)
            .map_err(|refused| LoadError::Refused(refused.source, refused.diagnostics))
    };
    let loaded = load();
    if let Err(LoadError::Refused(source, list)) = &loaded {
        crate::tell(&diagnostics(source, list, &style(look, &std::io::stderr())));
    }
    loaded
}

pub(crate) fn read(path: &Path) -> Result<String, Trouble> {
    read_at_most(path, INPUT_MAX, "nothing that large is needed here")
}

/// Reads a text, unless it is too large: `option` says how to read more.
pub(crate) fn read_at_most(path: &Path, max: u64, option: &str) -> Result<String, Trouble> {
    let bytes = bytes_of(path, max, option).map_err(|why| unreadable(path, &why))?;
    String::from_utf8(bytes).map_err(|_| Trouble {
        exit: Exit::Refused,
        message: format!("{}: this is not text", path.display()),
    })
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let cannot = |error: std::io::Error| Trouble {
        exit: Exit::Usage,
        message: format!("cannot write {}: {error}", path.display()),
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(path, text).map_err(cannot)
}

fn unreadable(path: &Path, why: &str) -> Trouble {
    Trouble { exit: Exit::Refused, message: format!("cannot read {}: {why}", path.display()) }
}

/// The folders for what runs leave behind, inside one folder.
///
/// They are named after the model and not after the time, so that the same run leaves the same bytes.
/// Models of one command that share a name get numbers.
pub(crate) struct Folders {
    out: PathBuf,
    taken: Vec<PathBuf>,
}

impl Folders {
    pub(crate) fn new(out: &Path) -> Self {
        Self { out: out.to_owned(), taken: Vec::new() }
    }

    pub(crate) fn of(&mut self, loaded: &Loaded) -> PathBuf {
        let model = Path::new(&loaded.source.name);
        let mut stem = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(test) = &loaded.switches.test {
            stem = format!("{stem}-{test}");
        }
        let name = |n: u32| if n == 1 { stem.clone() } else { format!("{stem}-{n}") };
        let mut folders = (1..).map(|n| self.out.join(name(n)));
        let free = folders.find(|folder| !self.taken.contains(folder));
        let folder = free.expect("some number is free");
        self.taken.push(folder.clone());
        folder
    }
}

/// Writes traces and certificates into a folder and makes the report name them from here.
pub(crate) fn keep(checked: &mut Checked, folder: &Path) -> Result<(), Trouble> {
    clear(folder);
    keep_so_far(&mut checked.report, &checked.artifacts, folder)
}

/// Removes what an earlier run left: it would look like this one's.
pub(crate) fn clear(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join("traces"));
    for path in RealDisk { bytes_max: 0 }.list(folder).unwrap_or_default() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("certificate") && name.ends_with(".json") {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Writes what is there into a folder and makes the report name it from here.
pub(crate) fn keep_so_far(
    report: &mut Report,
    artifacts: &[Artifact],
    folder: &Path,
) -> Result<(), Trouble> {
    for Artifact { name, text } in artifacts {
        write(&folder.join(name), text)?;
    }
    rename(report, |name| folder.join(name).to_string_lossy().into_owned());
    Ok(())
}

/// Makes the report name no files: none were written.
pub(crate) fn forget(report: &mut Report) {
    let traces = report.properties.iter_mut().filter_map(|p| p.trace.as_mut());
    let growths = report.queues.iter_mut().filter_map(|q| q.trace.as_mut());
    traces.chain(growths).for_each(|trace| trace.file = None);
    report.properties.iter_mut().for_each(|p| p.certificate = None);
    report.queues.iter_mut().for_each(|q| q.certificate = None);
    let needs_file = |command: &String| command.contains(".json");
    report.next.retain(|command| !needs_file(command));
}

fn rename(report: &mut Report, to: impl Fn(&str) -> String) {
    let change = |file: &mut Option<String>| {
        if let Some(name) = file {
            let new = to(name);
            for command in &mut report.next {
                let old = format!(" {name}");
                if command.ends_with(&old) || command.contains(&format!("{old} ")) {
                    *command = command.replacen(&old, &format!(" {new}"), 1);
                }
            }
            *name = new;
        }
    };
    let mut files: Vec<&mut Option<String>> = Vec::new();
    for property in &mut report.properties {
        files.extend(property.trace.as_mut().map(|trace| &mut trace.file));
        files.push(&mut property.certificate);
    }
    for queue in &mut report.queues {
        files.extend(queue.trace.as_mut().map(|trace| &mut trace.file));
        files.push(&mut queue.certificate);
    }
    files.into_iter().for_each(change);
}

/// How text looks on a stream.
pub(crate) fn style(look: &LookArgs, stream: &impl IsTerminal) -> Style {
    let terminal = stream.is_terminal();
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let color = match look.color {
        When::Always => true,
        When::Never => false,
        When::Auto => (terminal || set("CLICOLOR_FORCE")) && !set("NO_COLOR") && !dumb,
    };
    let utf8 = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok());
    let utf8 =
        utf8.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
    let unicode = match look.unicode {
        When::Always => true,
        When::Never => false,
        When::Auto => utf8,
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = look.width.or(columns).unwrap_or(100).clamp(40, 500);
    Style { color, unicode, width, full: look.full }
}
