//! `translate`.

use crate::args::{Target, TranslateArgs};
use crate::exit::{Exit, Trouble};
use crate::{files, print, tell};

pub(crate) fn translate(args: &TranslateArgs) -> Result<Exit, Trouble> {
    let wanted = files::model(&args.path, &args.reading)?;
    let loaded = files::load(&wanted, &args.look)?;
    let translated = match args.to {
        Target::Promela => queueproof::to_promela(&loaded, args.bound),
    };
    let translation = translated
        .map_err(|why| Trouble::new(Exit::Refused, format!("{}: {why}", args.path.display())))?;
    for note in &translation.notes {
        tell(&format!("queueproof: {note}\n"));
    }
    match &args.output {
        Some(path) => files::write(path, &translation.text)?,
        None => print(&translation.text),
    }
    Ok(Exit::Fine)
}
