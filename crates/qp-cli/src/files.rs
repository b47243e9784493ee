//! Reading models and writing what a run leaves behind.

use std::io::IsTerminal;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use qp_base::{Diagnostic, Source};
use qp_report::Style;
use qp_report::diagnostics::diagnostics;
use queueproof::{Disk, GatherError, Loaded, Switches};

use crate::args::{LookArgs, ReadArgs, When};
use crate::exit::Trouble;

/// The user's disk.
pub(crate) struct RealDisk {
    /// Larger files are not read.
    pub(crate) bytes_max: u64,
}

/// The largest file that is read, unless somebody wants to.
pub(crate) const INPUT_MAX: u64 = 64 << 20;

impl Default for RealDisk {
    fn default() -> Self {
        Self { bytes_max: INPUT_MAX }
    }
}

/// The bytes of a file, unless there are too many: one without an end is read up to there.
pub(crate) fn bytes_of(path: &Path, max: u64, option: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
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
            let models = queueproof::models(&RealDisk::default(), path);
            let mut models = models.map_err(|error| Trouble::from(LoadError::from(error)))?;
            for file in &models.passed_over {
                crate::tell(&format!(
                    "queueproof: passed over {}: no project names it\n",
                    file.display()
                ));
            }
            if models.paths.is_empty() {
                let message = format!("{}: no models in this folder", path.display());
                return Err(Trouble::usage(message));
            }
            found.append(&mut models.paths);
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

impl From<LoadError> for Trouble {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unreadable(trouble) => trouble,
            LoadError::Refused(source, diagnostics) => Self::refused(source, diagnostics),
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
    let style = style(look, &std::io::stderr());
    let disk = RealDisk { bytes_max: wanted.input_max };
    for (source, remark) in queueproof::remarks(&disk, &wanted.path) {
        crate::tell(&diagnostics(&source, &[remark], &style));
    }
    let load = || {
        let files = queueproof::gather(&disk, &wanted.path, &wanted.switches)?;
        queueproof::load_files(&wanted.path.to_string_lossy(), &files, &wanted.switches)
            .map_err(|refused| LoadError::Refused(refused.source, refused.diagnostics))
    };
    let loaded = load();
    if let Err(LoadError::Refused(source, list)) = &loaded {
        crate::tell(&diagnostics(source, list, &style));
    }
    loaded
}

pub(crate) fn read(path: &Path) -> Result<String, Trouble> {
    read_at_most(path, INPUT_MAX, "nothing that large is needed here")
}

/// Reads a text, unless it is too large: `option` says how to read more.
pub(crate) fn read_at_most(path: &Path, max: u64, option: &str) -> Result<String, Trouble> {
    let bytes = bytes_of(path, max, option).map_err(|why| unreadable(path, &why))?;
    String::from_utf8(bytes)
        .map_err(|_| Trouble::unreadable(format!("{}: this is not text", path.display())))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let cannot =
        |error: std::io::Error| Trouble::usage(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(path, text).map_err(cannot)
}

fn unreadable(path: &Path, why: &str) -> Trouble {
    Trouble::unreadable(format!("cannot read {}: {why}", path.display()))
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
    let columns = std::env::var("COLUMNS").ok();
    // A pipe has no width of its own: what is written there must not depend on the terminal beside it.
    let size = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = width(look.width, columns.as_deref(), terminal.then(size).flatten());
    Style { color, unicode, width, full: look.full }
}

/// Columns to fill: what was asked for, else what the environment says, else those of the terminal.
fn width(asked: Option<usize>, columns: Option<&str>, terminal: Option<usize>) -> usize {
    let columns = columns.and_then(|columns| columns.trim().parse().ok()).filter(|&n| n > 0);
    // Some terminals, serial lines for instance, do not know their width and say 0.
    let terminal = terminal.filter(|&n| n > 0);
    asked.or(columns).or(terminal).unwrap_or(100).clamp(40, 500)
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn the_width_is_that_of_the_terminal_unless_somebody_says_otherwise() {
        assert_eq!(width(None, None, Some(180)), 180);
        assert_eq!(width(None, Some("90"), Some(180)), 90);
        assert_eq!(width(Some(70), Some("90"), Some(180)), 70);
        assert_eq!(width(None, None, None), 100);
        for nonsense in ["", "0", "wide", "-3"] {
            assert_eq!(width(None, Some(nonsense), Some(180)), 180, "{nonsense}");
        }
        assert_eq!(width(None, None, Some(0)), 100);
        assert_eq!((width(Some(3), None, None), width(Some(9999), None, None)), (40, 500));
    }
}
