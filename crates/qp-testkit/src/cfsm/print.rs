//! A text in any layout: declarations in any order, spaces, line ends and comments anywhere.

use super::written::{Chain, Deed, Demand, Formula, Machine, Place, Room, Shape, Sketch};
use crate::net::{Loss, Sharing, Size};
use crate::rng::Rng;

/// Writes the text. `seed` chooses the layout; nothing of it has a meaning.
pub fn text(sketch: &Sketch, seed: u64) -> String {
    let mut printer = Printer { sketch, rng: Rng::new(seed ^ 0x7e47), words: Vec::new() };
    let mut items = printer.items();
    for last in (1..items.len()).rev() {
        items.swap(last, printer.rng.below(last + 1));
    }
    let mut text = String::new();
    for claim in &sketch.claims {
        text.push_str(claim);
        text.push('\n');
    }
    for word in items.concat() {
        text.push_str(&word);
        text.push_str(match printer.rng.below(30) {
            0 => " // machine X { \"\n",
            1 => " /* } ; \n : */ ",
            2..=6 => "\n    ",
            7 => " \t ",
            _ => " ",
        });
    }
    text
}

struct Printer<'a> {
    sketch: &'a Sketch,
    rng: Rng,
    words: Vec<String>,
}

impl Printer<'_> {
    fn say(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    fn all(&mut self, words: &[&str]) {
        for word in words {
            self.say(word);
        }
    }

    /// The declarations, each as words. Those of channels keep their order, which no meaning depends on.
    fn items(&mut self) -> Vec<Vec<String>> {
        let sketch = self.sketch;
        let mut items = Vec::new();
        if sketch.says_sharing {
            let how = match sketch.sharing {
                Sharing::Mailbox => "mailbox",
                Sharing::Pairs => "peer-to-peer",
                Sharing::Channels => "channels",
            };
            items.push(["queues", how, ";"].map(str::to_owned).to_vec());
        }
        if let Some(room) = sketch.capacity {
            self.say("capacity");
            items.push(self.room(room));
        }
        for (names, room) in &sketch.channels {
            self.say("channel");
            self.list(names.iter().map(String::as_str), ",");
            items.push(match room {
                Some(room) => self.room(*room),
                None => self.semicolon(),
            });
        }
        for (from, to, room) in &sketch.rooms {
            self.queue(*from, *to);
            items.push(self.room(*room));
        }
        for machine in &sketch.machines {
            items.push(self.machine(machine));
        }
        for (number, conditions) in sketch.bad.iter().enumerate() {
            items.push(self.bad(number, conditions));
        }
        for (number, (formula, over_sends)) in sketch.ltl.iter().enumerate() {
            self.all(&["ltl", &format!("f{number}")]);
            if *over_sends {
                self.all(&["over", "sends"]);
            }
            self.say(":");
            self.formula(formula, 1);
            items.push(self.semicolon());
        }
        items
    }

    fn list<'s>(&mut self, names: impl Iterator<Item = &'s str>, between: &str) {
        for (number, name) in names.enumerate() {
            if number > 0 {
                self.say(between);
            }
            self.say(name);
        }
    }

    fn semicolon(&mut self) -> Vec<String> {
        self.say(";");
        std::mem::take(&mut self.words)
    }

    fn room(&mut self, room: Room) -> Vec<String> {
        match room.size {
            Size::Unbounded => self.say("unbounded"),
            Size::Messages(n) => self.say(&n.to_string()),
            Size::Rendezvous => self.say("rendezvous"),
        }
        match room.loss {
            Loss::Nothing => {}
            Loss::WhenFull => self.say("drop"),
            Loss::Anything => self.say("lossy"),
        }
        self.semicolon()
    }

    /// `queue A` or `queue A from B`.
    fn queue(&mut self, from: Option<usize>, at: usize) {
        let name = self.end(at);
        self.all(&["queue", &name]);
        if let Some(from) = from {
            let sender = self.sketch.machines[from].name.clone();
            self.all(&["from", &sender]);
        }
    }

    /// The name of a machine, or of a channel.
    fn end(&self, at: usize) -> String {
        match self.sketch.sharing {
            Sharing::Channels => {
                let mut names = self.sketch.channels.iter().flat_map(|(names, _)| names);
                names.nth(at).expect("there is such a channel").clone()
            }
            Sharing::Mailbox | Sharing::Pairs => self.sketch.machines[at].name.clone(),
        }
    }

    /// A message; spaces between its values do not count, and those before them only in patterns.
    fn message(&mut self, message: usize, tight: bool) -> String {
        let text = &self.sketch.messages[message];
        match self.rng.below(4) {
            0 if !tight => text.replace('(', " ( ").replace(')', " )"),
            1 => text.replace(',', " , ").replace('(', "( ").replace(')', " )"),
            _ => text.clone(),
        }
    }

    fn machine(&mut self, machine: &Machine) -> Vec<String> {
        self.all(&["machine", &machine.name, "{"]);
        for (number, place) in machine.states.iter().enumerate() {
            self.place(machine, place, number == machine.initial);
        }
        self.say("}");
        std::mem::take(&mut self.words)
    }

    fn place(&mut self, machine: &Machine, place: &Place, first: bool) {
        let mut labels = vec![
            (first, "init"),
            (place.end, "end"),
            (place.progress, "progress"),
            (place.bad, "bad"),
        ];
        labels.retain(|label| label.0);
        while !labels.is_empty() {
            let (_, label) = labels.swap_remove(self.rng.below(labels.len()));
            self.say(label);
        }
        self.all(&[&place.name, ":"]);
        let (mut chains, mut defers) = (place.chains.iter(), place.deferred.iter());
        for number in 0..place.chains.len() + place.deferred.len() {
            if number > 0 {
                self.say("|");
            }
            // The order of chains counts the unnamed states; what is deferred may stand anywhere.
            let deferred = if self.rng.percent(50) { defers.next() } else { None };
            match deferred.is_none().then(|| chains.next()).flatten() {
                Some(chain) => self.chain(machine, chain),
                None => self.defer(deferred.or_else(|| defers.next()).expect("one is left")),
            }
        }
    }

    fn defer(&mut self, messages: &[usize]) {
        self.say("defer");
        let names: Vec<String> = messages.iter().map(|&m| self.message(m, false)).collect();
        self.list(names.iter().map(String::as_str), ",");
    }

    fn chain(&mut self, machine: &Machine, chain: &Chain) {
        for (number, deed) in chain.deeds.iter().enumerate() {
            if number > 0 {
                self.say("->");
            }
            match *deed {
                Deed::Internal => self.say("internal"),
                Deed::Fail => self.all(&["fail", "\"wrong: { // here\""]),
                Deed::Send { to, message } => {
                    let (to, message) = (self.end(to), self.message(message, false));
                    self.all(&["send", &to, &message]);
                }
                Deed::Receive { from, message } => {
                    self.say("recv");
                    if self.sketch.sharing != Sharing::Mailbox {
                        let from = self.end(from);
                        self.say(&from);
                    }
                    let message = self.message(message, false);
                    self.say(&message);
                }
            }
        }
        if let Some(to) = chain.to {
            self.all(&["->", &machine.states[to].name]);
        }
    }

    fn bad(&mut self, number: usize, conditions: &[Demand]) -> Vec<String> {
        self.all(&["bad", &format!("B{number}"), ":"]);
        for (number, condition) in conditions.iter().enumerate() {
            if number > 0 {
                self.say(",");
            }
            match condition {
                Demand::In { machine, states } => {
                    let machine = &self.sketch.machines[*machine];
                    self.all(&[&machine.name, "in"]);
                    self.list(states.iter().map(|&s| machine.states[s].name.as_str()), "|");
                }
                Demand::Holds { from, at, shape } => {
                    self.queue(*from, *at);
                    self.say("matches");
                    self.shape(shape, 0);
                }
            }
        }
        self.semicolon()
    }

    /// A pattern inside of nothing (0), a choice (1), a sequence (2) or a repetition (3).
    fn shape(&mut self, shape: &Shape, inside: usize) {
        let own = match shape {
            Shape::Or(_) => 1,
            Shape::Then(_) => 2,
            Shape::Star(_) | Shape::Plus(_) | Shape::Maybe(_) => 3,
            Shape::Empty | Shape::Any | Shape::One(_) => 4,
        };
        let wrapped = own <= inside || self.rng.percent(10);
        if wrapped {
            self.say("(");
        }
        match shape {
            Shape::Empty => self.say("empty"),
            Shape::Any => self.say("."),
            Shape::One(message) => {
                let message = self.message(*message, true);
                self.say(&message);
            }
            Shape::Then(parts) => parts.iter().for_each(|part| self.shape(part, 2)),
            Shape::Or(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        self.say("|");
                    }
                    self.shape(part, 1);
                }
            }
            Shape::Star(part) => self.repeated(part, "*"),
            Shape::Plus(part) => self.repeated(part, "+"),
            Shape::Maybe(part) => self.repeated(part, "?"),
        }
        if wrapped {
            self.say(")");
        }
    }

    fn repeated(&mut self, part: &Shape, sign: &str) {
        self.shape(part, 3);
        self.say(sign);
    }

    /// A formula where only operators that bind at least this tight may stand without parentheses.
    fn formula(&mut self, formula: &Formula, least: usize) {
        let own = strength(formula);
        let wrapped = own < least || self.rng.percent(10);
        if wrapped {
            self.say("(");
        }
        match formula {
            Formula::And(a, b) => self.both((a, own), "&&", (b, own + 1)),
            Formula::Or(a, b) => self.both((a, own), "||", (b, own + 1)),
            Formula::Implies(a, b) => self.both((a, own + 1), "->", (b, own)),
            Formula::Iff(a, b) => self.both((a, own + 1), "<->", (b, own)),
            Formula::Until(a, b) => self.both((a, own + 1), "U", (b, own)),
            Formula::Release(a, b) => self.both((a, own + 1), "R", (b, own)),
            Formula::WeakUntil(a, b) => self.both((a, own + 1), "W", (b, own)),
            Formula::Not(a) => self.prefixed("!", a),
            Formula::Next(a) => self.prefixed("X", a),
            Formula::Finally(a) => self.prefixed(["F", "<>"][usize::from(wrapped)], a),
            Formula::Globally(a) => self.prefixed(["G", "[]"][usize::from(wrapped)], a),
            atom => self.atom(atom),
        }
        if wrapped {
            self.say(")");
        }
    }

    fn both(&mut self, left: (&Formula, usize), sign: &str, right: (&Formula, usize)) {
        self.formula(left.0, left.1);
        self.say(sign);
        self.formula(right.0, right.1);
    }

    fn prefixed(&mut self, sign: &str, inside: &Formula) {
        self.say(sign);
        self.formula(inside, 6);
    }

    fn atom(&mut self, atom: &Formula) {
        match *atom {
            Formula::True => self.say("true"),
            Formula::False => self.say("false"),
            Formula::At(machine, state) => {
                let machine = &self.sketch.machines[machine];
                self.all(&[&machine.name, "@", &machine.states[state].name]);
            }
            Formula::Receives(message) => {
                let message = self.message(message, false);
                self.all(&["recv", &message]);
            }
            Formula::Sends(message) => {
                // `X` alone is an operator.
                if self.sketch.messages[message] == "X" || self.rng.percent(50) {
                    self.say("send");
                }
                let message = self.message(message, false);
                self.say(&message);
            }
            _ => unreachable!("{atom:?} is no atom"),
        }
    }
}

/// How tight an operator binds.
fn strength(formula: &Formula) -> usize {
    match formula {
        Formula::Iff(..) => 1,
        Formula::Implies(..) => 2,
        Formula::Or(..) => 3,
        Formula::And(..) => 4,
        Formula::Until(..) | Formula::Release(..) | Formula::WeakUntil(..) => 5,
        Formula::Not(_) | Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_) => 6,
        _ => 7,
    }
}
