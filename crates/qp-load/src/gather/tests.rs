use std::collections::BTreeMap;

use super::*;

/// Files in memory.
struct Shelf(BTreeMap<PathBuf, &'static str>);

impl Shelf {
    fn new(files: &[(&str, &'static str)]) -> Self {
        Self(files.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect())
    }

    fn gathered(&self, path: &str) -> Vec<String> {
        let files =
            gather(self, Path::new(path), &Switches::default()).expect("everything is there");
        files.into_iter().map(|file| file.name).collect()
    }

    fn models(&self, path: &str) -> Vec<String> {
        names(&models(self, Path::new(path)).expect("everything is there").paths)
    }

    fn passed_over(&self, path: &str) -> Vec<String> {
        names(&models(self, Path::new(path)).expect("everything is there").passed_over)
    }
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

impl Disk for Shelf {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let text = self.0.get(path).ok_or_else(|| "not there".to_owned())?;
        Ok(text.as_bytes().to_vec())
    }
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let below = self.0.keys().filter_map(|path| path.strip_prefix(folder).ok());
        let mut names: Vec<PathBuf> =
            below.map(|rest| folder.join(rest.components().next().expect("a name"))).collect();
        names.dedup();
        Ok(names)
    }
    fn is_folder(&self, path: &Path) -> bool {
        self.0.keys().any(|file| file.starts_with(path) && file != path)
    }
}

const MAIN: &str = "machine Main { start state S { } }";
const TIMER: &str = "machine Timer { start state S { } }";

#[test]
fn a_single_file_is_a_model() {
    let shelf = Shelf::new(&[("a/x.p", MAIN), ("a/y.p", MAIN)]);
    assert_eq!(shelf.gathered("a/x.p"), ["a/x.p"]);
    assert_eq!(shelf.models("a"), ["a/x.p", "a/y.p"]);
}

#[test]
fn a_project_names_files_folders_and_other_projects() {
    let shelf = Shelf::new(&[
        (
            "bank/Bank.pproj",
            "<Project><ProjectName>Bank</ProjectName>
             <InputFiles><PFile>./PSrc/</PFile><PFile>PTst/Test.p</PFile></InputFiles>
             <IncludeProject>../timer/Timer.pproj</IncludeProject></Project>",
        ),
        ("bank/PSrc/Server.p", ""),
        ("bank/PSrc/deep/Client.p", ""),
        ("bank/PSrc/._Server.p", "junk"),
        ("bank/PSrc/notes.txt", ""),
        ("bank/PTst/Test.p", MAIN),
        ("bank/PTst/Unused.p", ""),
        (
            "timer/Timer.pproj",
            "<Project><ProjectName>Timer</ProjectName><InputFiles><PFile>Timer.p</PFile></InputFiles>
             <IncludeProject>../bank/Bank.pproj</IncludeProject></Project>",
        ),
        ("timer/Timer.p", TIMER),
    ]);
    let files =
        ["bank/PSrc/Server.p", "bank/PSrc/deep/Client.p", "bank/PTst/Test.p", "timer/Timer.p"];
    assert_eq!(shelf.gathered("bank/Bank.pproj"), files);
    assert_eq!(shelf.models("bank"), ["bank/Bank.pproj"]);
    assert_eq!(shelf.passed_over("bank"), ["bank/PTst/Unused.p"]);
}

#[test]
fn a_project_includes_the_projects_below_it() {
    let outer =
        "<Project><ProjectName>A</ProjectName><InputFiles><PFile>main.p</PFile></InputFiles>
                 <IncludeProject>timer/Timer.pproj</IncludeProject></Project>";
    let inner = "<Project><ProjectName>B</ProjectName><InputFiles><PFile>timer.p</PFile></InputFiles></Project>";
    let shelf = Shelf::new(&[
        ("a/A.pproj", outer),
        ("a/main.p", MAIN),
        ("a/other/C.pproj", inner),
        ("a/other/timer.p", TIMER),
        ("a/race.cfsm", ""),
        ("a/timer/Timer.pproj", inner),
        ("a/timer/timer.p", TIMER),
    ]);
    assert_eq!(shelf.models("a"), ["a/A.pproj", "a/other/C.pproj", "a/race.cfsm"]);
    assert_eq!(shelf.passed_over("a"), Vec::<String>::new());
}

#[test]
fn files_without_a_common_name_are_one_program() {
    let test = "test t [main = Main]: { Main, Timer };";
    let shelf = Shelf::new(&[("a/main.p", MAIN), ("a/timer.p", TIMER), ("a/test.p", test)]);
    assert_eq!(shelf.models("a"), ["a"]);
    assert_eq!(shelf.gathered("a"), ["a/main.p", "a/test.p", "a/timer.p"]);
}

#[test]
fn models_beside_a_program_are_models_too() {
    let shelf = Shelf::new(&[
        ("a/deep/more.p", ""),
        ("a/deep/ring.fsa", ""),
        ("a/main.p", MAIN),
        ("a/race.cfsm", ""),
        ("a/timer.p", TIMER),
        ("b/PSrc/lift.pml", ""),
        ("b/PSrc/x.p", MAIN),
    ]);
    assert_eq!(shelf.models("a"), ["a", "a/deep/ring.fsa", "a/race.cfsm"]);
    assert_eq!(shelf.models("b"), ["b", "b/PSrc/lift.pml"]);
}

#[test]
fn the_usual_folders_are_one_program() {
    let shelf = Shelf::new(&[("a/PSrc/x.p", MAIN), ("a/PTst/y.p", "test t [main = X]: { X };")]);
    assert_eq!(shelf.models("a"), ["a"]);
    assert_eq!(shelf.gathered("a"), ["a/PSrc/x.p", "a/PTst/y.p"]);
}

#[test]
fn models_of_all_languages_are_found_below() {
    let shelf =
        Shelf::new(&[("m/a.cfsm", ""), ("m/b/c.scm", ""), ("m/b/d.md", ""), ("m/b/e.p", "")]);
    assert_eq!(shelf.models("m"), ["m/a.cfsm", "m/b/c.scm", "m/b/e.p"]);
}

#[test]
fn what_is_missing_is_named() {
    let project = "<Project><ProjectName>X</ProjectName><InputFiles><PFile>gone.p</PFile></InputFiles></Project>";
    let shelf = Shelf::new(&[("a/x.pproj", project)]);
    let error =
        gather(&shelf, Path::new("a/x.pproj"), &Switches::default()).expect_err("it is gone");
    let GatherError::Unreadable { path, why } = error else { unreachable!("{error:?}") };
    assert_eq!((path.to_str(), why.as_str()), (Some("a/gone.p"), "not there"));
}

#[test]
fn a_folder_that_is_missing_is_passed_over() {
    let project = "<Project><ProjectName>X</ProjectName>
<InputFiles><PFile>main.p</PFile><PFile>./PForeign/</PFile></InputFiles></Project>";
    let shelf = Shelf::new(&[("a/x.pproj", project), ("a/main.p", MAIN)]);
    assert_eq!(shelf.gathered("a/x.pproj"), ["a/main.p"]);
    let said = remarks(&shelf, Path::new("a/x.pproj"));
    let [(source, remark)] = &said[..] else { unreachable!("{said:?}") };
    assert_eq!(remark.message, "the project names `./PForeign/`, which is not there");
    assert_eq!(source.place(remark.primary.span.start).line, 2);
}

#[test]
fn a_promela_model_brings_what_it_includes() {
    let shelf = Shelf::new(&[
        ("m/main.pml", "#include \"inc/types.h\"\ninit { x = 1 }"),
        ("m/inc/types.h", "#include \"more.h\"\n"),
        ("m/inc/more.h", "byte x;\n"),
        ("m/inc/other.h", ""),
    ]);
    let files =
        gather(&shelf, Path::new("m/main.pml"), &Switches::default()).expect("everything is there");
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["m/main.pml", "m/inc/types.h", "m/inc/more.h"]);
    let reading = crate::load_files("m/main.pml", &files, &crate::Switches::default());
    assert_eq!(reading.diagnostics, []);
    assert!(reading.model.is_some());
}
