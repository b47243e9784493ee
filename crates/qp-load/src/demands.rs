//! Demands on what is sent that somebody makes, in a model of any language.

use qp_base::{Code, Diagnostic, Severity, Span};
use qp_machines::{Ltl, Model, Runs, Says};

use crate::{Fact, Reading};

/// A demand that cannot be made of this model.
pub(crate) const CODE: Code = Code(118);

/// Makes demands, each a formula over sends.
pub(crate) fn make(reading: &mut Reading, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    let Some(model) = &mut reading.model else { return };
    let mut wrong = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let name =
            if texts.len() == 1 { "given".to_owned() } else { format!("given{}", number + 1) };
        match demand(model, text, name) {
            Ok(ltl) => model.demand(ltl),
            Err(error) => wrong.push(*error),
        }
    }
    reading.model = reading.model.take().filter(|_| wrong.is_empty());
    reading.diagnostics.extend(wrong);
    reading.facts.push(Fact::new("ltl", texts.join("; ")));
    reading.switches.ltl = texts.to_vec();
}

fn demand(model: &Model, text: &str, name: String) -> Result<Ltl, Box<Diagnostic>> {
    let refused = |message: String, help: &str| {
        let message = format!("`--ltl`: {message}");
        Box::new(Diagnostic::error(CODE, message, Span::default()).help(help))
    };
    let mut system = model.system();
    if system.program_mut().as_moves().is_none() {
        let help = "state it over variables in the model, with `ltl NAME { ... }`";
        return Err(refused(
            "steps of this model may send several messages at once".to_owned(),
            help,
        ));
    }
    let (sends, diagnostics) = qp_front_cfsm::sends(text);
    let Some(sends) = sends else {
        let error = diagnostics.iter().find(|it| it.severity == Severity::Error);
        let error = error.expect("what is refused has an error");
        let (start, help) =
            (error.primary.span.start as usize, error.help.as_deref().unwrap_or_default());
        let rest = text.get(start..).unwrap_or_default();
        let place = if rest.is_empty() { "at its end".to_owned() } else { format!("at `{rest}`") };
        return Err(refused(format!("{}, {place}", error.message), help));
    };
    for message in &sends.messages {
        if system.program_mut().message_from_text(message).is_none() {
            let help = "name messages as in the text of the model, without their values";
            return Err(refused(format!("there is no message `{message}`"), help));
        }
    }
    let name = sends.name.unwrap_or(name);
    if model.outline().ltl.iter().any(|ltl| ltl.name == name) {
        let help = "give it another name: `--ltl 'NAME: FORMULA'`";
        return Err(refused(format!("there is a formula `{name}` already"), help));
    }
    let says = Says::Formula(sends.says);
    Ok(Ltl { name, span: Span::default(), says, runs: Runs::Sending })
}

#[cfg(test)]
mod tests {
    use crate::{File, Reading, Switches, load_files};

    const PAIR: &str = "machine A { init S: send B m -> S }  machine B { init S: recv m -> S }";

    fn read(name: &str, text: &str, ltl: &[&str]) -> Reading {
        let file = File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        let ltl = ltl.iter().map(|&text| text.to_owned()).collect();
        load_files(name, &[file], &Switches { ltl, ..Switches::default() })
    }

    fn names(reading: &Reading) -> Vec<String> {
        let model = reading.model.as_ref().expect("it is a model");
        model.outline().ltl.iter().map(|ltl| ltl.name.clone()).collect()
    }

    fn refused(name: &str, text: &str, ltl: &[&str]) -> String {
        let reading = read(name, text, ltl);
        assert!(reading.model.is_none());
        assert_eq!(reading.diagnostics[0].code.0, 118);
        reading.diagnostics[0].message.clone()
    }

    #[test]
    fn demands_have_names() {
        assert_eq!(names(&read("m.cfsm", PAIR, &["G F m"])), ["given"]);
        assert_eq!(names(&read("m.cfsm", PAIR, &["G F m", "twice: F X m"])), ["given1", "twice"]);
    }

    #[test]
    fn what_cannot_be_demanded_is_refused() {
        let said = refused("m.cfsm", PAIR, &["G (m -> F n)"]);
        assert_eq!(said, "`--ltl`: there is no message `n`");
        let said = refused("m.cfsm", PAIR, &["F m", "given1: F m"]);
        assert_eq!(said, "`--ltl`: there is a formula `given1` already");
        let said = refused("m.cfsm", PAIR, &["G (recv m)"]);
        assert_eq!(
            said,
            "`--ltl`: a formula over sends is about sent messages alone, at `G (recv m)`"
        );
        let said = refused("m.cfsm", PAIR, &["G (m"]);
        assert!(said.ends_with("at its end"), "{said}");
        let turns = "chan c = [1] of { mtype }; mtype { m }; bool x; active proctype A() { atomic { c!m; c?m; x = _nr_pr > 1 } }";
        let said = refused("m.pml", turns, &["F m"]);
        assert_eq!(said, "`--ltl`: steps of this model may send several messages at once");
    }
}
