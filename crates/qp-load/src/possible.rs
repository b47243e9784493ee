//! What somebody wants to remain possible, in a model of any language.

use qp_base::names::did_you_mean_nearly;
use qp_base::{Code, Diagnostic, Span};
use qp_machines::{Happens, Model, Possible, SiteKind};

use crate::{Fact, Reading};

/// A name stands for nothing, or for several things.
pub(crate) const CODE: Code = Code(123);

/// Asks that what has these names remains possible.
pub(crate) fn ask(reading: &mut Reading, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let Some(model) = &mut reading.model else { return };
    let mut wrong = Vec::new();
    for name in names {
        if model.outline().possible.iter().any(|it| it.name == *name) {
            continue;
        }
        match named(model, name) {
            Ok(what) => model.want(Possible { name: name.clone(), what }),
            Err(error) => wrong.push(*error),
        }
    }
    reading.model = reading.model.take().filter(|_| wrong.is_empty());
    reading.diagnostics.extend(wrong);
    reading.facts.push(Fact::new("possible", names.join("; ")));
    reading.switches.possible = names.to_vec();
}

/// What a name stands for: a state of a machine, or a message, whatever it carries.
fn named(model: &Model, name: &str) -> Result<Happens, Box<Diagnostic>> {
    let (states, outline) = (states(model), model.outline());
    let bare = |text: &String| text.split(['(', ' ']).next().unwrap_or_default().to_owned();
    let is_meant = |text: &&String| *text == name || bare(text) == name;
    let messages: Vec<String> = outline.messages.iter().filter(is_meant).cloned().collect();
    let is_it = |(machine, state): &&(String, String)| {
        *state == name || name.split_once('.') == Some((machine.as_str(), state.as_str()))
    };
    let meant: Vec<&(String, String)> = states.iter().filter(is_it).collect();
    let told = |(machine, state): &(String, String)| format!("{machine}.{state}");
    let refused = |message: String, help: &str| {
        let message = format!("`--possible`: {message}");
        Box::new(Diagnostic::error(CODE, message, Span::default()).help(help))
    };
    match (&meant[..], messages.is_empty()) {
        ([], false) => Ok(Happens::Received(messages)),
        ([(machine, state)], true) => Ok(Happens::Control(machine.clone(), state.clone())),
        ([], true) => {
            let states = states.iter().map(told);
            let known: Vec<String> = states.chain(outline.messages.iter().map(bare)).collect();
            let otherwise = "name a state, like `Client.Idle`, or a message";
            let help = did_you_mean_nearly(name, known.iter().map(String::as_str), otherwise);
            Err(refused(format!("there is no state or message `{name}`"), &help))
        }
        (meant, no_message) => {
            let mut all: Vec<String> = meant.iter().map(|it| told(it)).collect();
            all.extend((!no_message).then(|| "a message".to_owned()));
            let help = "write the machine as well, like `Client.Idle`";
            Err(refused(format!("`{name}` may mean {}", all.join(" or ")), help))
        }
    }
}

/// All states that the text has, by machine.
fn states(model: &Model) -> Vec<(String, String)> {
    let sites = model.system().program().unvisited().unwrap_or_default();
    let states = sites.into_iter().filter(|site| site.kind == SiteKind::State);
    let mut all: Vec<(String, String)> = states.map(|it| (it.machine, it.name)).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use qp_machines::Happens;

    use crate::{File, Reading, Switches, load_files};

    const PAIR: &str = "machine A { init S: send B m(1) -> T  T: send B n -> S }
machine B { init S: recv m(1) -> U  U: recv n -> S }";

    fn read(names: &[&str]) -> Reading {
        let file = File { name: "pair.cfsm".to_owned(), bytes: PAIR.as_bytes().to_vec() };
        let possible = names.iter().map(|&text| text.to_owned()).collect();
        load_files("pair.cfsm", &[file], &Switches { possible, ..Switches::default() })
    }

    #[test]
    fn names_are_states_and_messages() {
        let reading = read(&["A.S", "U", "m", "A.S"]);
        let model = reading.model.expect("all are known");
        let what: Vec<&Happens> = model.outline().possible.iter().map(|it| &it.what).collect();
        let state =
            |machine: &str, state: &str| Happens::Control(machine.to_owned(), state.to_owned());
        let message = Happens::Received(vec!["m(1)".to_owned()]);
        assert_eq!(what, [&state("A", "S"), &state("B", "U"), &message]);
    }

    #[test]
    fn what_is_not_there_or_not_clear_is_refused() {
        for (name, told) in [("S", "may mean A.S or B.S"), ("A.X", "no state or message `A.X`")] {
            let reading = read(&[name]);
            assert!(reading.model.is_none());
            assert!(reading.diagnostics[0].message.contains(told), "{:?}", reading.diagnostics);
        }
    }
}
