//! Sends and receives.

use super::declare::{Chan, Field, Place, Ty};
use super::make::{Maker, Scope};

impl Maker {
    fn some_chan(&mut self, scope: &Scope) -> Chan {
        let chans = scope.chans.clone();
        self.pick(&chans)
    }

    /// A send or a receive. A process mostly stays on its side of a channel.
    pub(crate) fn talk(&mut self, scope: &Scope) -> String {
        let chan = self.some_chan(scope);
        let side =
            (scope.proc + chan.name.len() + chan.name.bytes().map(usize::from).sum::<usize>())
                .is_multiple_of(2);
        if side == self.rng.percent(25) {
            self.receive(scope, &chan)
        } else {
            self.send(scope, &chan)
        }
    }

    fn send(&mut self, scope: &Scope, chan: &Chan) -> String {
        let fields = self.kinds[chan.kind].fields.clone();
        let args: Vec<String> = fields.iter().map(|field| self.sent(scope, *field)).collect();
        let sign = if self.rng.percent(12) { "!!" } else { "!" };
        let args = self.spelled(&args);
        format!("{}{sign}{args}", chan.name)
    }

    /// `a,b,c` or `a(b,c)`.
    fn spelled(&mut self, args: &[String]) -> String {
        match args.split_first() {
            Some((first, rest)) if !rest.is_empty() && self.rng.percent(15) => {
                format!("{first}({})", rest.join(","))
            }
            _ => args.join(","),
        }
    }

    /// What a field is sent, or handed over to a process as.
    pub(crate) fn sent(&mut self, scope: &Scope, field: Field) -> String {
        match field {
            Field::Number(ty) if self.rng.percent(85) => match ty {
                Ty::Mtype => self.pick(&["red", "green", "blue"]).to_owned(),
                _ => self.rng.below(3).to_string(),
            },
            Field::Number(ty) => self.value(scope, ty),
            Field::Record => "rec".to_owned(),
            Field::Chan(kind) => {
                let same: Vec<Chan> =
                    scope.chans.iter().filter(|it| it.kind == kind).cloned().collect();
                if same.is_empty() { "0".to_owned() } else { self.pick(&same).name }
            }
        }
    }

    fn receive(&mut self, scope: &Scope, chan: &Chan) -> String {
        let args = self.matched(scope, chan, true);
        let sign = if self.rng.percent(20) { "??" } else { "?" };
        if self.rng.percent(10) {
            return format!("{}{sign}<{}>", chan.name, args.join(","));
        }
        let args = self.spelled(&args);
        format!("{}{sign}{args}", chan.name)
    }

    /// Whether a message could be received.
    pub(crate) fn poll(&mut self, scope: &Scope) -> String {
        let chan = self.some_chan(scope);
        let args = self.matched(scope, &chan, false);
        let sign = if self.rng.percent(30) { "??" } else { "?" };
        format!("{}{sign}[{}]", chan.name, args.join(","))
    }

    fn matched(&mut self, scope: &Scope, chan: &Chan, binds: bool) -> Vec<String> {
        let mut places = scope.places.clone();
        let mut chans = scope.chans.clone();
        let mut args = Vec::new();
        for field in self.kinds[chan.kind].fields.clone() {
            args.push(match field {
                Field::Number(ty) => self.matched_number(scope, ty, &mut places, binds),
                Field::Record => "rec".to_owned(),
                Field::Chan(kind) => {
                    let at = chans.iter().position(|it| it.kind == kind && !it.is_plain);
                    let spare = |it: usize, chans: &Vec<Chan>| !chans[it].name.contains('[');
                    match at.filter(|&it| binds && spare(it, &chans)) {
                        Some(at) => chans.remove(at).name,
                        None => "_".to_owned(),
                    }
                }
            });
        }
        args
    }

    fn matched_number(
        &mut self,
        scope: &Scope,
        ty: Ty,
        places: &mut Vec<Place>,
        binds: bool,
    ) -> String {
        let fits: Vec<usize> = (0..places.len()).filter(|&it| holds(places[it].ty, ty)).collect();
        match self.rng.below(10) {
            0..=3 if binds && !fits.is_empty() => {
                let at = self.pick(&fits);
                places.remove(at).text
            }
            4 if ty != Ty::Mtype => format!("eval({})", self.number(scope, 1)),
            0 | 5 | 6 => "_".to_owned(),
            _ if ty == Ty::Mtype => self.pick(&["red", "green", "blue"]).to_owned(),
            _ => self.rng.below(3).to_string(),
        }
    }

    /// What a trace says about a field.
    pub(crate) fn watched(&mut self, field: Field) -> String {
        match field {
            Field::Number(Ty::Mtype) if self.rng.percent(60) => {
                self.pick(&["red", "green", "blue"]).to_owned()
            }
            Field::Number(_) if self.rng.percent(60) => self.rng.below(3).to_string(),
            _ => "_".to_owned(),
        }
    }

    /// Starts a process.
    pub(crate) fn run(&mut self, scope: &Scope, proc: usize) -> String {
        let proc = self.procs[proc].clone();
        let args: Vec<String> = proc.params.iter().map(|it| self.sent(scope, *it)).collect();
        let run = format!("run {}({})", proc.name, args.join(", "));
        let bytes: Vec<Place> =
            scope.places.iter().filter(|place| place.ty == Ty::Byte).cloned().collect();
        if bytes.is_empty() || self.rng.percent(60) {
            return run;
        }
        format!("{} = {run}", self.pick(&bytes).text)
    }
}

/// Whether a place holds all that a field may carry. When SPIN goes back behind a receive that cut a value
/// off, it puts back what was left of it, and counts states that do not exist.
fn holds(place: Ty, field: Ty) -> bool {
    match field {
        Ty::Mtype => place == Ty::Mtype,
        Ty::Bit | Ty::Bool | Ty::Byte => matches!(place, Ty::Byte | Ty::Short | Ty::Int),
        Ty::Short => matches!(place, Ty::Short | Ty::Int),
        Ty::Int | Ty::Unsigned => place == Ty::Int,
    }
}
