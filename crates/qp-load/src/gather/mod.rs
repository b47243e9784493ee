//! From a path to the files of one model, and from a folder to the models in it.
//!
//! Files are read through [`Disk`], so that all of this is a function of values.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use qp_base::{Code, Diagnostic, Source, Span};

use crate::{EXTENSIONS, File, Language, Switches, promela, text_of};

/// A project names a folder that is not there.
pub(crate) const NO_FOLDER: Code = Code(264);

/// Where files are.
pub trait Disk {
    /// The bytes of a file, or why they cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;
    /// The entries of a folder, as paths; or why they cannot be listed.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, String>;
    /// Whether it is a folder.
    fn is_folder(&self, path: &Path) -> bool;
}

/// Why the files of a model cannot be gathered.
#[derive(Debug)]
pub enum GatherError {
    /// A file or folder cannot be read.
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A project file is not one.
    Broken(Box<(Source, Diagnostic)>),
}

/// All files of the model at a path: the file itself with what it includes, what a project names, or the P
/// files of a folder. What is included may depend on how the model is read.
pub fn gather(disk: &dyn Disk, path: &Path, switches: &Switches) -> Result<Vec<File>, GatherError> {
    if disk.is_folder(path) {
        let mut paths = Vec::new();
        add_files(disk, path, &["p"], &mut paths)?;
        return paths.iter().map(|path| read(disk, path)).collect();
    }
    if switches.language_of(&path.to_string_lossy()) == Some(Language::Promela) {
        return Ok(promela::gather(disk, read(disk, path)?, switches));
    }
    if !has_extension(path, &["pproj"]) {
        return Ok(vec![read(disk, path)?]);
    }
    let parts = Parts::of(disk, path)?;
    parts.files.iter().map(|path| read(disk, path)).collect()
}

/// What to know about the gathering of a model that stopped nothing, each with the text that it is about: folders that
/// a project names and that are not there.
pub fn remarks(disk: &dyn Disk, path: &Path) -> Vec<(Source, Diagnostic)> {
    if disk.is_folder(path) || !has_extension(path, &["pproj"]) {
        return Vec::new();
    }
    Parts::of(disk, path).map(|parts| parts.missing).unwrap_or_default()
}

/// What a folder stands for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Models {
    /// The models, sorted: projects, folders that are one P program, and single files.
    pub paths: Vec<PathBuf>,
    /// P files that lie among those of a project and that no project names.
    pub passed_over: Vec<PathBuf>,
}

/// The models in a folder and in the folders below it.
pub fn models(disk: &dyn Disk, folder: &Path) -> Result<Models, GatherError> {
    let mut found = Models::default();
    walk(disk, folder, &Owner::Nobody, &mut found)?;
    Ok(found)
}

/// Whose the P files of a folder are.
enum Owner {
    /// Each is a program of its own.
    Nobody,
    /// They are parts of one program: that of the folder, or of one above.
    Folder,
    /// The projects of the folder and of those above; these are their parts.
    Projects(Vec<PathBuf>),
}

fn walk(
    disk: &dyn Disk,
    folder: &Path,
    above: &Owner,
    found: &mut Models,
) -> Result<(), GatherError> {
    let mut entries = list(disk, folder)?;
    entries.retain(|path| !is_hidden(path));
    let owner = owner(disk, &entries, above)?;
    if matches!((above, &owner), (Owner::Nobody, Owner::Folder)) {
        found.paths.push(folder.to_owned());
    }
    let included = |entry: &PathBuf| matches!(above, Owner::Projects(it) if it.contains(entry));
    for entry in entries {
        if disk.is_folder(&entry) {
            walk(disk, &entry, &owner, found)?;
        } else if has_extension(&entry, &["p"]) {
            match &owner {
                Owner::Nobody => found.paths.push(entry),
                Owner::Projects(parts) if !parts.contains(&entry) => found.passed_over.push(entry),
                Owner::Folder | Owner::Projects(_) => {}
            }
        } else if has_extension(&entry, EXTENSIONS) && !included(&entry) {
            found.paths.push(entry);
        }
    }
    Ok(())
}

/// Whom the P files of a folder with these entries belong to.
fn owner(disk: &dyn Disk, entries: &[PathBuf], above: &Owner) -> Result<Owner, GatherError> {
    let mut parts = match above {
        Owner::Folder => return Ok(Owner::Folder),
        Owner::Projects(parts) => parts.clone(),
        Owner::Nobody => Vec::new(),
    };
    let is_project = |path: &&PathBuf| has_extension(path, &["pproj"]) && !disk.is_folder(path);
    for project in entries.iter().filter(is_project) {
        parts.push(project.clone());
        // One that cannot be read has no parts, and reading it says why.
        if let Ok(Parts { projects, files, .. }) = Parts::of(disk, project) {
            parts.extend(projects.into_iter().chain(files));
        }
    }
    if !parts.is_empty() {
        return Ok(Owner::Projects(parts));
    }
    let is_part = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| ["PSrc", "PSpec", "PTst"].contains(&name)) && disk.is_folder(path)
    };
    let is_one = entries.iter().any(is_part) || is_one_program(disk, entries)?;
    Ok(if is_one { Owner::Folder } else { Owner::Nobody })
}

/// Several P files are one program, unless two of them declare the same name.
fn is_one_program(disk: &dyn Disk, entries: &[PathBuf]) -> Result<bool, GatherError> {
    let files = entries.iter().filter(|path| has_extension(path, &["p"]) && !disk.is_folder(path));
    let (mut n_files, mut names) = (0, BTreeSet::new());
    for path in files {
        let File { bytes, .. } = read(disk, path)?;
        n_files += 1;
        let mut own = qp_front_p::declared(&text_of(&bytes));
        own.sort();
        // A name twice in one file is a mistake in that file, and says nothing about the others.
        own.dedup();
        if own.into_iter().any(|name| !names.insert(name)) {
            return Ok(false);
        }
    }
    Ok(n_files > 1)
}

/// What a project consists of, with the projects that it includes.
#[derive(Default)]
struct Parts {
    projects: Vec<PathBuf>,
    files: Vec<PathBuf>,
    missing: Vec<(Source, Diagnostic)>,
}

impl Parts {
    /// Each once: projects may include each other.
    fn of(disk: &dyn Disk, path: &Path) -> Result<Self, GatherError> {
        let mut parts = Self::default();
        let mut todo = vec![tidy(path)];
        while let Some(path) = todo.pop() {
            if parts.projects.contains(&path) {
                continue;
            }
            let text = text_of(&read(disk, &path)?.bytes).into_owned();
            let source = Source::new(path.to_string_lossy(), text.as_str());
            let project = qp_front_p::project(&text).map_err(|diagnostic| {
                GatherError::Broken(Box::new((source.clone(), diagnostic)))
            })?;
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let beside = |name: &String| tidy(&folder.join(name.replace('\\', "/")));
            for (name, span) in &project.inputs {
                if !parts.add(disk, &beside(name))? {
                    parts.missing.push((source.clone(), not_there(name, *span)));
                }
            }
            todo.extend(project.includes.iter().map(beside).rev());
            parts.projects.push(path);
        }
        Ok(parts)
    }

    /// Adds a file or the files of a folder, and says whether it is there. A folder that is not there has no files,
    /// as for P; a file that is not there is missed when it is read.
    fn add(&mut self, disk: &dyn Disk, input: &Path) -> Result<bool, GatherError> {
        if disk.is_folder(input) {
            add_files(disk, input, &["p"], &mut self.files)?;
        } else if !has_extension(input, &["p"]) && disk.read(input).is_err() {
            return Ok(false);
        } else if !self.files.iter().any(|file| file == input) {
            self.files.push(input.to_owned());
        }
        Ok(true)
    }
}

fn not_there(name: &str, span: Span) -> Diagnostic {
    let message = format!("the project names `{name}`, which is not there");
    Diagnostic::warning(NO_FOLDER, message, span)
        .help("it is passed over, as P does; remove it from the project, or is the name wrong?")
}

/// Adds the files with these extensions in a folder and the folders below, sorted.
fn add_files(
    disk: &dyn Disk,
    folder: &Path,
    extensions: &[&str],
    paths: &mut Vec<PathBuf>,
) -> Result<(), GatherError> {
    for entry in list(disk, folder)? {
        if is_hidden(&entry) {
            continue;
        }
        if disk.is_folder(&entry) {
            add_files(disk, &entry, extensions, paths)?;
        } else if has_extension(&entry, extensions) && !paths.contains(&entry) {
            paths.push(entry);
        }
    }
    Ok(())
}

fn list(disk: &dyn Disk, folder: &Path) -> Result<Vec<PathBuf>, GatherError> {
    let unreadable = |why| GatherError::Unreadable { path: folder.to_owned(), why };
    let mut entries: Vec<PathBuf> = disk.list(folder).map_err(unreadable)?;
    entries = entries.iter().map(|path| tidy(path)).collect();
    entries.sort();
    Ok(entries)
}

fn read(disk: &dyn Disk, path: &Path) -> Result<File, GatherError> {
    let unreadable = |why| GatherError::Unreadable { path: path.to_owned(), why };
    let bytes = disk.read(path).map_err(unreadable)?;
    Ok(File { name: path.to_string_lossy().into_owned(), bytes })
}

/// Editors and file systems leave such files beside the real ones.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|it| extensions.iter().any(|known| known.eq_ignore_ascii_case(it)))
}

/// The same path without `.` and, where it can be told, without `..`.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        let can_go_up = matches!(tidied.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if can_go_up => {
                tidied.pop();
            }
            other => tidied.push(other),
        }
    }
    tidied
}

#[cfg(test)]
mod tests;
