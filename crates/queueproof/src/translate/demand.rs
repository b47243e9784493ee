//! What a model demands, as formulas of Promela.

use std::collections::BTreeMap;

use qp_machines::{Atom, Letter, LtlFormula, Matched, Matcher, MessageId, Outline, Pattern, Says};

use crate::translate::write::{Form, Writer, Written};

/// A condition that is longer than this helps nobody.
const CONDITION_MAX: usize = 20_000;

/// Bad situations and formulas, each as an `ltl` block. What cannot be said is noted.
pub(super) fn demands(writer: &mut Writer<'_>, outline: &Outline) -> Vec<String> {
    let mut demands = Vec::new();
    for bad in &outline.bad {
        let case = |atoms: &Vec<Atom>| -> Option<String> {
            let atoms: Option<Vec<String>> = atoms.iter().map(|it| atom(writer, it)).collect();
            Some(atoms?.join(" && "))
        };
        let cases: Option<Vec<String>> = bad.cases.iter().map(case).collect();
        let formula = cases.map(|cases| format!("[] !(({}))", cases.join(") || (")));
        let what = format!("reach:{}", bad.name);
        demands.extend(block(writer, &what, &format!("reach_{}", bad.name), formula, "too long"));
    }
    for ltl in &outline.ltl {
        let said = match &ltl.says {
            Says::Formula(formula) => self::formula(writer, formula),
            Says::Never(_) => Err("not a formula"),
        };
        let why = said.as_ref().err().copied().unwrap_or_default();
        demands.extend(block(writer, &format!("ltl:{}", ltl.name), &ltl.name, said.ok(), why));
    }
    demands
}

fn block(
    writer: &mut Writer<'_>,
    what: &str,
    name: &str,
    formula: Option<String>,
    why: &str,
) -> Option<String> {
    let Some(formula) = formula.filter(|it| it.len() <= CONDITION_MAX) else {
        let why = if why.is_empty() { "too long" } else { why };
        writer.notes.push(format!("{what} is left out: it is {why}."));
        return None;
    };
    let name = writer.names.fresh(name);
    Some(format!("ltl {name} {{ {formula} }}"))
}

/// One condition of a bad situation.
fn atom(writer: &Writer<'_>, atom: &Atom) -> Option<String> {
    match atom {
        Atom::Control(machine, controls) => Some(writer.is_at(machine.index(), controls)),
        Atom::Content(queue, pattern) => content(writer, &writer.queues[queue.index()], pattern),
    }
}

/// Whether what is in a queue matches.
fn content(writer: &Writer<'_>, queue: &Written<'_>, pattern: &Pattern) -> Option<String> {
    let name = &queue.name;
    match queue.form {
        // Nothing is ever in a rendezvous.
        Form::Channel if queue.room == 0 => Some(pattern.matches(&[]).to_string()),
        Form::Channel => Some(format!("len({name}) == 0")),
        Form::Array => {
            let matcher = Matcher::new(pattern);
            let start = matcher.start();
            let mut unrolled = Unrolled { writer, queue, matcher, known: BTreeMap::new() };
            let text = unrolled.from(&start, 0)?;
            Some(format!("({text})"))
        }
    }
}

/// A pattern, written out for every length.
struct Unrolled<'a> {
    writer: &'a Writer<'a>,
    queue: &'a Written<'a>,
    matcher: Matcher,
    known: BTreeMap<(Matched, u32), Option<String>>,
}

impl Unrolled<'_> {
    /// Whether what stands from a place on matches what is left of the pattern.
    fn from(&mut self, now: &Matched, place: u32) -> Option<String> {
        let key = (now.clone(), place);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let text = self.written(now, place);
        self.known.insert(key, text.clone());
        text
    }

    fn written(&mut self, now: &Matched, place: u32) -> Option<String> {
        let (name, mut terms) = (&self.queue.name, Vec::new());
        if self.matcher.accepts(now) {
            terms.push(format!("{name}_n == {place}"));
        }
        let messages = &self.queue.queue.messages;
        let mut groups: Vec<(Matched, Vec<MessageId>)> = Vec::new();
        for &message in messages.iter().filter(|_| place < self.queue.room) {
            let next = self.matcher.step(now, message);
            match groups.iter_mut().find(|(other, _)| *other == next) {
                Some((_, group)) => group.push(message),
                None => groups.push((next, vec![message])),
            }
        }
        for (next, group) in groups.into_iter().filter(|(next, _)| !next.is_empty()) {
            let rest = self.from(&next, place + 1)?;
            if rest == "false" {
                continue;
            }
            let is = |it: &MessageId| format!("{name}[{place}] == {}", self.writer.messages[it]);
            let which: Vec<String> = group.iter().map(is).collect();
            let all = which.len() == messages.len();
            let which = if all { String::new() } else { format!(" && ({})", which.join(" || ")) };
            terms.push(format!("({name}_n > {place}{which} && ({rest}))"));
        }
        let text = if terms.is_empty() { "false".to_owned() } else { terms.join(" || ") };
        (text.len() <= CONDITION_MAX).then_some(text)
    }
}

/// A formula, or why it cannot be said.
fn formula(writer: &Writer<'_>, what: &LtlFormula) -> Result<String, &'static str> {
    let one = |part: &LtlFormula| formula(writer, part);
    Ok(match what {
        LtlFormula::True => "true".to_owned(),
        LtlFormula::False => "false".to_owned(),
        LtlFormula::Atom(Letter::At(machine, control)) => {
            writer.is_at(machine.index(), std::slice::from_ref(control))
        }
        LtlFormula::Atom(Letter::Sends(_) | Letter::SendsSome(_) | Letter::Receives(_)) => {
            return Err("about sends and receives, which formulas of SPIN do not see");
        }
        LtlFormula::Atom(Letter::Holds(_) | Letter::Progress | Letter::Accepts) => {
            return Err("about more than states of machines");
        }
        LtlFormula::Next(_) => return Err("about the next step, which SPIN does not allow"),
        LtlFormula::Not(a) => format!("!({})", one(a)?),
        LtlFormula::And(a, b) => format!("({} && {})", one(a)?, one(b)?),
        LtlFormula::Or(a, b) => format!("({} || {})", one(a)?, one(b)?),
        LtlFormula::Finally(a) => format!("<> ({})", one(a)?),
        LtlFormula::Globally(a) => format!("[] ({})", one(a)?),
        LtlFormula::Until(a, b) => format!("(({}) U ({}))", one(a)?, one(b)?),
        LtlFormula::Release(a, b) => format!("(({}) V ({}))", one(a)?, one(b)?),
    })
}
