//! What models declare: variables, channels, processes.

use std::fmt::Write as _;

use super::make::{Maker, Scope, Wanted};

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned,
    Mtype,
}

impl Ty {
    const ALL: [Self; 7] =
        [Self::Bit, Self::Bool, Self::Byte, Self::Short, Self::Int, Self::Unsigned, Self::Mtype];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Bit => "bit",
            Self::Bool => "bool",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Mtype => "mtype",
        }
    }
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) ty: Ty,
}

/// Something that can be sent through.
#[derive(Clone, Debug)]
pub(crate) struct Chan {
    pub(crate) name: String,
    pub(crate) kind: usize,
    /// Whether it is a global that is always the same channel.
    pub(crate) is_plain: bool,
    /// Whether it can hold messages, as far as is known.
    pub(crate) is_buffered: bool,
}

/// What goes through a channel.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) fields: Vec<Field>,
}

/// One field of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    Number(Ty),
    Record,
    /// A channel of this kind.
    Chan(usize),
}

/// A proctype.
#[derive(Clone, Debug)]
pub(crate) struct Proc {
    pub(crate) name: String,
    pub(crate) head: String,
    pub(crate) params: Vec<Field>,
    pub(crate) places: Vec<Place>,
    pub(crate) chans: Vec<Chan>,
    pub(crate) labels: Vec<String>,
    /// What it starts before anything else.
    pub(crate) runs: Vec<usize>,
    /// Whether process 0 runs it.
    pub(crate) is_first: bool,
    pub(crate) is_init: bool,
}

/// An inline, and how many parameters it has.
#[derive(Clone, Debug)]
pub(crate) struct Inline {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Maker {
    pub(crate) fn declarations(&mut self) {
        self.text += "mtype = { red, green, blue };\n";
        if self.rng.percent(30) {
            self.has_record = true;
            self.text += "typedef R { byte a; bit b };\ntypedef S { short c[2]; R r };\n";
            self.text += "R rec;\n";
            self.text += if self.rng.percent(40) { "S big;\n" } else { "" };
            self.place("rec.a", Ty::Byte);
            self.place("rec.b", Ty::Bit);
            if self.text.contains("S big") {
                self.place("big.c[1]", Ty::Short);
                self.place("big.r.a", Ty::Byte);
            }
        }
        for _ in 0..=self.rng.below(3) {
            self.global();
        }
        for _ in 0..self.rng.below(4) {
            self.channel();
        }
        if self.rng.percent(20) {
            self.inline();
        }
        self.processes();
    }

    fn place(&mut self, text: &str, ty: Ty) {
        self.places.push(Place { text: text.to_owned(), ty });
    }

    fn global(&mut self) {
        let ty = self.pick(&Ty::ALL);
        let name = self.name("g");
        let hidden = if self.rng.percent(3) { "show " } else { "" };
        if ty == Ty::Unsigned {
            let _ = writeln!(self.text, "unsigned {name} : {};", 2 + self.rng.below(3));
            self.place(&name, ty);
        } else if self.rng.percent(20) {
            let init = self.pick(&["", " = 1", " = { 0, 1 }"]);
            let init = if ty == Ty::Mtype { "" } else { init };
            let _ = writeln!(self.text, "{hidden}{} {name}[2]{init};", ty.word());
            self.place(&format!("{name}[0]"), ty);
            self.place(&format!("{name}[1]"), ty);
            self.arrays.push(name);
        } else {
            let init = if self.rng.percent(30) { " = 1" } else { "" };
            let init = if ty == Ty::Mtype { " = green" } else { init };
            let _ = writeln!(self.text, "{hidden}{} {name}{init};", ty.word());
            self.place(&name, ty);
        }
    }

    fn field(&mut self) -> Field {
        match self.rng.below(20) {
            0 | 1 if self.has_record => Field::Record,
            2 | 3 if !self.kinds.is_empty() => Field::Chan(self.rng.below(self.kinds.len())),
            4..=7 => Field::Number(Ty::Mtype),
            _ => Field::Number(self.pick(&[Ty::Bit, Ty::Bool, Ty::Byte, Ty::Byte, Ty::Short])),
        }
    }

    fn kind(&mut self) -> (usize, String) {
        let kind = if !self.kinds.is_empty() && self.rng.percent(40) {
            self.rng.below(self.kinds.len())
        } else {
            let n_fields = 1 + self.rng.below(3) * self.rng.below(2);
            let fields = (0..n_fields).map(|_| self.field()).collect();
            self.kinds.push(Kind { fields });
            self.kinds.len() - 1
        };
        let words = self.kinds[kind].fields.iter().map(|field| field.word());
        (kind, words.collect::<Vec<_>>().join(", "))
    }

    fn capacity(&mut self) -> usize {
        let capacity = self.pick(&[0, 0, 0, 1, 1, 1, 2, 2, 3]);
        self.has_handshakes |= capacity == 0;
        capacity
    }

    fn channel(&mut self) {
        let (kind, fields) = self.kind();
        let name = self.name("q");
        match self.rng.below(20) {
            0..=2 => {
                let capacity = self.capacity();
                let _ = writeln!(self.text, "chan {name}[2] = [{capacity}] of {{ {fields} }};");
                for element in ["0", "1", "_pid % 2"] {
                    let name = format!("{name}[{element}]");
                    self.chans.push(Chan { name, kind, is_plain: false, is_buffered: false });
                }
            }
            3 if !self.chans.is_empty() => {
                let _ = writeln!(self.text, "chan {name};");
                self.chans.push(Chan { name, kind, is_plain: false, is_buffered: false });
            }
            _ => {
                let capacity = self.capacity();
                let _ = writeln!(self.text, "chan {name} = [{capacity}] of {{ {fields} }};");
                let is_buffered = capacity > 0;
                self.chans.push(Chan { name, kind, is_plain: true, is_buffered });
            }
        }
    }

    fn inline(&mut self) {
        let name = self.name("f");
        let scope = self.plain_scope();
        let stmt = self.assignment(&scope);
        let value = self.number(&scope, 1);
        let places = self.places.clone();
        let place = self.pick(&places);
        let local = if self.rng.percent(40) { "byte tmp; tmp = in2; " } else { "" };
        let text = format!(
            "inline {name}(in1, in2) {{ {local}if :: in1 = in2; {stmt} :: (in1 < {value}) -> {} = in2 fi }}\n",
            place.text
        );
        self.inlines.push(Inline { name, text });
    }

    fn plain_scope(&self) -> Scope {
        Scope {
            proc: 0,
            places: self.places.clone(),
            chans: Vec::new(),
            counters: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            depth: 0,
            in_loop: false,
            in_step: false,
            may_label: false,
        }
    }

    fn processes(&mut self) {
        let n_procs = 1 + self.rng.below(3);
        let with_init = self.rng.percent(35);
        for number in 0..n_procs {
            let is_active = !with_init || self.rng.percent(40);
            self.proc(number, is_active);
        }
        let passive: Vec<usize> =
            (0..n_procs).filter(|&it| !self.procs[it].head.starts_with("active")).collect();
        if with_init {
            let mut runs: Vec<usize> = passive.clone();
            if !passive.is_empty() && self.rng.percent(30) {
                runs.push(self.pick(&passive));
            }
            let labels = self.labels();
            self.procs.push(Proc {
                name: "init".into(),
                head: "init".into(),
                params: Vec::new(),
                places: Vec::new(),
                chans: Vec::new(),
                labels,
                runs,
                is_first: false,
                is_init: true,
            });
        }
    }

    fn proc(&mut self, number: usize, is_active: bool) {
        let name = format!("P{number}");
        let n_params = if is_active { 0 } else { self.rng.below(3) };
        let (mut places, mut chans, mut params, mut texts) = (vec![], vec![], vec![], vec![]);
        for _ in 0..n_params {
            let field = self.field();
            let param = self.name("p");
            texts.push(format!("{} {param}", field.word()));
            match field {
                Field::Number(ty) => places.push(Place { text: param, ty }),
                Field::Record => places.push(Place { text: format!("{param}.a"), ty: Ty::Byte }),
                Field::Chan(kind) => {
                    chans.push(Chan { name: param, kind, is_plain: false, is_buffered: false });
                }
            }
            params.push(field);
        }
        let times = if self.rng.percent(15) { " [2]" } else { "" };
        let active = if is_active { format!("active{times} ") } else { String::new() };
        let mut head = format!("{active}proctype {name}({})", texts.join("; "));
        if self.rng.percent(5) {
            let scope = self.plain_scope();
            let _ = write!(head, " provided ({})", self.condition(&scope, 1));
        }
        if !self.has_handshakes && self.rng.percent(3) {
            let _ = write!(head, " priority {}", 1 + self.rng.below(3));
        }
        let labels = self.labels();
        let is_first = is_active && number == 0;
        let runs = Vec::new();
        let is_init = false;
        self.procs.push(Proc {
            name,
            head,
            params,
            places,
            chans,
            labels,
            runs,
            is_first,
            is_init,
        });
    }

    fn labels(&mut self) -> Vec<String> {
        let mut labels = Vec::new();
        for _ in 0..self.rng.below(3) {
            let stem = match self.wanted {
                Wanted::Progress if self.rng.percent(70) => "progress",
                Wanted::Acceptance if self.rng.percent(70) => "accept",
                _ => self.pick(&["L", "L", "end"]),
            };
            labels.push(self.name(stem));
        }
        labels
    }

    /// Declarations at the beginning of a process.
    pub(crate) fn locals(&mut self, scope: &mut Scope) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.below(3) {
            let ty = self.pick(&[Ty::Bit, Ty::Byte, Ty::Byte, Ty::Short, Ty::Int, Ty::Mtype]);
            let name = self.name("x");
            let init = if self.rng.percent(20) { " = 1" } else { "" };
            let init = if ty == Ty::Mtype { "" } else { init };
            let _ = writeln!(text, "\t{} {name}{init};", ty.word());
            scope.places.push(Place { text: name, ty });
        }
        if self.rng.percent(30) {
            let name = self.name("i");
            let _ = writeln!(text, "\tbyte {name};");
            scope.counters.push(name);
        }
        if self.rng.percent(10) {
            let (kind, fields) = self.kind();
            let (name, capacity) = (self.name("c"), self.capacity());
            let _ = writeln!(text, "\tchan {name} = [{capacity}] of {{ {fields} }};");
            scope.chans.push(Chan { name, kind, is_plain: false, is_buffered: false });
        }
        if self.has_record && self.rng.percent(20) {
            let name = self.name("r");
            let _ = writeln!(text, "\tR {name};");
            scope.places.push(Place { text: format!("{name}.a"), ty: Ty::Byte });
        }
        text
    }
}

impl Field {
    fn word(self) -> &'static str {
        match self {
            Self::Number(ty) => ty.word(),
            Self::Record => "R",
            Self::Chan(_) => "chan",
        }
    }
}
