//! What a run leaves behind: a folder for each model, with its traces and certificates.
//!
//! The folder is where the model is, seen from the folder that has all of them: `.queueproof/models/a.cfsm` for
//! `models/a.cfsm`. So it is the same whenever the same model is checked, and never that of another one. Names that
//! the folders use themselves are changed: `..` is `_up`, what begins with `_` gets one more, and `traces` is
//! `traces_`.

use std::path::{Component, Path, PathBuf};

use queueproof::{Artifact, Checked, Disk, Loaded, Report};

use crate::exit::Trouble;
use crate::files::{RealDisk, write};

/// A file beside traces and certificates that says where their model is, seen from its folder.
const MODEL: &str = "model.txt";

/// The folders for what runs leave behind, inside one folder.
///
/// They are named after the model and not after the time, so that the same run leaves the same bytes. A model that
/// one command reads several times gets numbers.
pub(crate) struct Folders {
    out: PathBuf,
    taken: Vec<PathBuf>,
}

impl Folders {
    pub(crate) fn new(out: &Path) -> Self {
        Self { out: out.to_owned(), taken: Vec::new() }
    }

    pub(crate) fn of(&mut self, loaded: &Loaded) -> PathBuf {
        let here = absolute(Path::new("."));
        let out = absolute(&self.out);
        // Seen from somewhere else, models of two places may look alike.
        let base = if out.starts_with(&here) { here } else { above(&out) };
        let mut place = mirrored(&between(&base, &absolute(Path::new(&loaded.source.name))));
        if let Some(test) = &loaded.switches.test {
            place = format!("{place}-{test}");
        }
        let name = |n: u32| if n == 1 { place.clone() } else { format!("{place}-{n}") };
        let mut folders = (1..).map(|n| self.out.join(name(n)));
        let free = folders.find(|folder| !self.taken.contains(folder));
        let folder = free.expect("some number is free");
        self.taken.push(folder.clone());
        folder
    }
}

fn above(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// The path from the root, without `.` and `..`.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// The way from one folder to a file or folder, both from the root.
fn between(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// The name of the folder for what is at the end of this way.
fn mirrored(way: &Path) -> String {
    let part = |part: Component<'_>| match part {
        Component::ParentDir => Some("_up".to_owned()),
        Component::Normal(name) => Some(unlike_ours(&name.to_string_lossy())),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    let parts: Vec<String> = way.components().filter_map(part).collect();
    if parts.is_empty() { "_here".to_owned() } else { parts.join("/") }
}

/// A name that is none of those that the folders use themselves, and different for different names.
fn unlike_ours(name: &str) -> String {
    if name.starts_with('_') {
        format!("_{name}")
    } else if name.trim_end_matches('_') == "traces" {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}

/// Where the model of a trace or certificate is: as the files beside it say, or as it was named then, seen from here.
pub(crate) fn model_of(file: &Path, named: &str) -> Option<PathBuf> {
    let named = PathBuf::from(named);
    let folders = file.parent().into_iter().flat_map(|folder| [folder.join(".."), folder.into()]);
    for folder in folders {
        let Ok(way) = std::fs::read_to_string(folder.join(MODEL)) else { continue };
        let found = absolute(&folder.join(way.trim_end()));
        if found.exists() {
            // The shorter name is the one that the user knows.
            let here = between(&absolute(Path::new(".")), &found);
            return Some(if found == absolute(&named) { named } else { here });
        }
    }
    named.exists().then_some(named)
}

/// Writes traces and certificates into a folder and makes the report name them from here.
pub(crate) fn keep(checked: &mut Checked, loaded: &Loaded, folder: &Path) -> Result<(), Trouble> {
    clear(folder);
    keep_so_far(&mut checked.report, &checked.artifacts, (loaded, folder))
}

/// Removes what an earlier run left: it would look like this one's.
fn clear(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join("traces"));
    for path in RealDisk::default().list(folder).unwrap_or_default() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("certificate") && name.ends_with(".json") {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Writes what is there into the folder of a model and makes the report name it from here.
pub(crate) fn keep_so_far(
    report: &mut Report,
    artifacts: &[Artifact],
    (loaded, folder): (&Loaded, &Path),
) -> Result<(), Trouble> {
    for Artifact { name, text } in artifacts {
        write(&folder.join(name), text)?;
    }
    if !artifacts.is_empty() {
        let way = between(&absolute(folder), &absolute(Path::new(&loaded.source.name)));
        let way = way.to_string_lossy().replace('\\', "/");
        write(&folder.join(MODEL), &format!("{way}\n"))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(from: &str, to: &str) -> String {
        mirrored(&between(&absolute(Path::new(from)), &absolute(Path::new(to))))
    }

    #[test]
    fn folders_are_where_models_are() {
        assert_eq!(folder("/a", "/a/m.cfsm"), "m.cfsm");
        assert_eq!(folder("/a", "/a/b/./c/../m.cfsm"), "b/m.cfsm");
        assert_eq!(folder("/a/b", "/a/c/m.cfsm"), "_up/c/m.cfsm");
        assert_eq!(folder("/a", "/a"), "_here");
    }

    #[test]
    fn no_two_models_share_a_folder() {
        let models = [
            "/a/m.p",
            "/a/m.pml",
            "/a/b/m.p",
            "/m.p",
            "/a/_up/m.p",
            "/a/__up/m.p",
            "/a",
            "/a/_here",
            "/a/traces",
            "/a/traces_",
            "/a/_traces",
        ];
        let mut folders: Vec<String> = models.iter().map(|model| folder("/a", model)).collect();
        assert!(folders.iter().all(|it| it.split('/').all(|part| part != "traces")));
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), models.len(), "{folders:?}");
    }
}
