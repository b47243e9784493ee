//! From a path to the files of one model, and from a folder to the models in it.
//!
//! Files are read through [`Disk`], so that all of this is a function of values.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use qp_base::{Diagnostic, Source};

use crate::{EXTENSIONS, File, Language, Switches, promela, text_of};

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
    let (mut projects, mut paths) = (Vec::new(), Vec::new());
    add_project(disk, &tidy(path), &mut projects, &mut paths)?;
    paths.iter().map(|path| read(disk, path)).collect()
}

/// The models in a folder, sorted: projects, folders that are one P program, and single files.
pub fn models(disk: &dyn Disk, folder: &Path) -> Result<Vec<PathBuf>, GatherError> {
    let mut entries = list(disk, folder)?;
    entries.retain(|path| !is_hidden(path));
    let is_project = |path: &&PathBuf| has_extension(path, &["pproj"]) && !disk.is_folder(path);
    let projects: Vec<PathBuf> = entries.iter().filter(is_project).cloned().collect();
    if !projects.is_empty() {
        return Ok(projects);
    }
    let is_part = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| ["PSrc", "PSpec", "PTst"].contains(&name)) && disk.is_folder(path)
    };
    if entries.iter().any(is_part) || is_one_program(disk, &entries)? {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in entries {
        if disk.is_folder(&entry) {
            found.append(&mut models(disk, &entry)?);
        } else if has_extension(&entry, EXTENSIONS) {
            found.push(entry);
        }
    }
    Ok(found)
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

/// Adds the files of a project and of the projects it includes, each once. Projects may include each
/// other.
fn add_project(
    disk: &dyn Disk,
    path: &Path,
    projects: &mut Vec<PathBuf>,
    paths: &mut Vec<PathBuf>,
) -> Result<(), GatherError> {
    let mut todo = vec![path.to_owned()];
    while let Some(path) = todo.pop() {
        if projects.contains(&path) {
            continue;
        }
        let text = text_of(&read(disk, &path)?.bytes).into_owned();
        let project = qp_front_p::project(&text).map_err(|diagnostic| {
            let source = Source::new(path.to_string_lossy(), text.as_str());
            GatherError::Broken(Box::new((source, diagnostic)))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let beside = |name: &String| tidy(&folder.join(name.replace('\\', "/")));
        for input in project.inputs.iter().map(beside) {
            if disk.is_folder(&input) {
                add_files(disk, &input, &["p"], paths)?;
            } else if !paths.contains(&input) {
                paths.push(input);
            }
        }
        todo.extend(project.includes.iter().map(beside).rev());
        projects.push(path);
    }
    Ok(())
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
