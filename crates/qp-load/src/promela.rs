//! Promela models with the files that they include.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::Path;

use qp_base::Severity;
use qp_front_promela::{Included, Includes, Options};
use qp_promela::{Channels, Granularity};

use crate::gather::tidy;
use crate::switches::{channels_name, granularity_name};
use crate::{Disk, Fact, File, Reading, Switches};

/// The text of a file. Old models have comments in Latin-1, and SPIN does not mind them.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match crate::text_of(bytes) {
        Cow::Owned(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
        text @ Cow::Borrowed(_) => text,
    }
}

/// Reads the model whose main file comes first.
pub(crate) fn read(reading: &mut Reading, files: &[(String, String)], switches: &Switches) {
    let Some((name, text)) = files.first() else { return };
    let read = qp_front_promela::read(name, text, &Given { files }, &options(switches));
    reading.diagnostics = read.diagnostics;
    reading.source = read.source;
    let Some(spec) = read.spec else { return };
    let channels = switches.channels.unwrap_or_default();
    let granularity = switches.granularity.unwrap_or_default();
    let warnings = match channels {
        Channels::Declared => Vec::new(),
        Channels::Unbounded => qp_promela::capacity_tests(&spec),
    };
    let options = qp_promela::Options { channels, granularity, fair: switches.fair };
    let (model, said) = qp_promela::model(spec, options);
    if said.iter().all(|it| it.severity != Severity::Error) {
        reading.diagnostics.extend(warnings);
    }
    reading.model = model;
    reading.diagnostics.extend(said);
    let note = (channels == Channels::Unbounded).then_some("sends never wait");
    reading.facts.push(Fact { note, ..Fact::new("channels", channels_name(channels)) });
    if granularity != Granularity::default() {
        reading.facts.push(Fact::new("granularity", granularity_name(granularity)));
    }
    reading.switches = switches.clone();
}

fn options(switches: &Switches) -> Options {
    Options { defines: switches.defines.clone() }
}

/// The main file and all files that it includes, each once. What cannot be read is left out: the reader
/// says so, at the place where it is included.
pub(crate) fn gather(disk: &dyn Disk, main: File, switches: &Switches) -> Vec<File> {
    let (name, text) = (main.name.clone(), text_of(&main.bytes).into_owned());
    let lent = Lent { disk, opened: RefCell::new(vec![main]) };
    qp_front_promela::read(&name, &text, &lent, &options(switches));
    lent.opened.into_inner()
}

/// The name of a file that is included by another one.
fn beside(from: &str, name: &str) -> String {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    tidy(&folder.join(name)).to_string_lossy().into_owned()
}

/// Files that were gathered before.
struct Given<'a> {
    files: &'a [(String, String)],
}

impl Includes for Given<'_> {
    fn open(&self, from: &str, name: &str) -> Option<Included> {
        let name = beside(from, name);
        let (name, text) = self.files.iter().find(|(file, _)| *file == name)?;
        Some(Included { name: name.clone(), text: text.clone() })
    }
}

/// Files on a disk. Remembers which were asked for.
struct Lent<'a> {
    disk: &'a dyn Disk,
    opened: RefCell<Vec<File>>,
}

impl Includes for Lent<'_> {
    fn open(&self, from: &str, name: &str) -> Option<Included> {
        let name = beside(from, name);
        let bytes = self.disk.read(Path::new(&name)).ok()?;
        let text = text_of(&bytes).into_owned();
        let mut opened = self.opened.borrow_mut();
        if opened.iter().all(|file| file.name != name) {
            opened.push(File { name: name.clone(), bytes });
        }
        Some(Included { name, text })
    }
}
