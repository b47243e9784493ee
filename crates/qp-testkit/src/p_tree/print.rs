//! Programs as texts of today's P: one statement to a line, and no more parentheses than the grammar asks for.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::{
    Block, COLOURS, Expr, Function, Handler, Kind, Machine, Op, Part, Place, Program, State, Stmt,
    Type,
};

/// A text, and on which line each statement begins (counted from 1).
#[derive(Default)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Printed {
    pub text: String,
    pub lines: BTreeMap<usize, usize>,
    depth: usize,
}

/// The program as a text with one test case, `tcAll`.
pub fn print(program: &Program) -> Printed {
    let mut out = Printed::default();
    let colours: Vec<String> = COLOURS.iter().map(|it| format!("{} = {}", it.0, it.1)).collect();
    out.line(&format!("enum Colour {{ {} }}", colours.join(", ")));
    for (name, payload) in &program.events {
        match payload {
            None => out.line(&format!("event {name};")),
            Some(kind) => out.line(&format!("event {name}: {};", type_text(kind))),
        }
    }
    for function in &program.functions {
        out.declared(function);
    }
    for machine in &program.machines {
        out.machine(machine, &format!("machine {}", machine.name));
    }
    for spec in &program.specs {
        out.machine(spec, &format!("spec {} observes {}", spec.name, spec.observes.join(", ")));
    }
    let names =
        |all: &[Machine]| all.iter().map(|it| it.name.clone()).collect::<Vec<String>>().join(", ");
    let machines = format!("{{ {} }}", names(&program.machines));
    let module = match names(&program.specs) {
        specs if specs.is_empty() => machines,
        specs => format!("assert {specs} in {machines}"),
    };
    out.line(&format!("test tcAll [main={}]: {module};", program.machines[0].name));
    out
}

impl Printed {
    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn inside(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.line("}");
    }

    fn machine(&mut self, machine: &Machine, head: &str) {
        self.inside(head, |out| {
            for (name, kind) in &machine.fields {
                out.line(&format!("var {name}: {};", type_text(kind)));
            }
            for (number, state) in machine.states.iter().enumerate() {
                out.state(state, if number == 0 { "start state" } else { "state" });
            }
            for function in &machine.functions {
                out.declared(function);
            }
        });
    }

    fn state(&mut self, state: &State, word: &str) {
        self.inside(&format!("{word} {}", state.name), |out| {
            if let Some(function) = &state.entry {
                out.used("entry", function);
            }
            if let Some(function) = &state.exit {
                out.used("exit", function);
            }
            for (event, handler) in &state.handlers {
                match handler {
                    Handler::Defer => out.line(&format!("defer {event};")),
                    Handler::Ignore => out.line(&format!("ignore {event};")),
                    Handler::Do(function) => out.used(&format!("on {event} do"), function),
                    Handler::Goto(to, None) => out.line(&format!("on {event} goto {to};")),
                    Handler::Goto(to, Some(function)) => {
                        out.used(&format!("on {event} goto {to} with"), function);
                    }
                }
            }
        });
    }

    /// Code where it is used: its name, or itself.
    fn used(&mut self, head: &str, function: &Rc<Function>) {
        match &function.name {
            Some(name) => self.line(&format!("{head} {name};")),
            None => {
                self.code(&format!("{head}{}", parameters(&function.parameters, " ")), function);
            }
        }
    }

    fn declared(&mut self, function: &Function) {
        let name = function.name.as_deref().expect("a function that is declared has a name");
        let list = match parameters(&function.parameters, "") {
            none if none.is_empty() => "()".to_owned(),
            some => some,
        };
        let result = function.result.as_ref().map(type_text);
        let result = result.map_or(String::new(), |it| format!(": {it}"));
        self.code(&format!("fun {name}{list}{result}"), function);
    }

    fn code(&mut self, head: &str, function: &Function) {
        self.inside(head, |out| {
            for (name, kind) in &function.locals {
                out.line(&format!("var {name}: {};", type_text(kind)));
            }
            out.block(&function.code);
        });
    }

    fn block(&mut self, block: &Block) {
        for stmt in block.iter() {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let number = self.text.matches('\n').count() + 1;
        self.lines.insert(stmt.id, number);
        match &stmt.kind {
            Kind::If(condition, then, otherwise) => {
                self.inside(&format!("if ({})", text(condition)), |out| out.block(then));
                if !otherwise.is_empty() {
                    self.inside("else", |out| out.block(otherwise));
                }
            }
            Kind::While(condition, body) => {
                self.inside(&format!("while ({})", text(condition)), |out| out.block(body));
            }
            Kind::Foreach(name, list, body) => {
                let head = format!("foreach ({name} in {})", text(list));
                self.inside(&head, |out| out.block(body));
            }
            Kind::Receive(cases) => self.inside("receive", |out| {
                for case in cases.iter() {
                    let one: Vec<_> = case.parameter.iter().cloned().collect();
                    let head = format!("case {}:{}", case.events.join(", "), parameters(&one, " "));
                    out.inside(&head, |out| out.block(&case.code));
                }
            }),
            simple => self.line(&format!("{};", simple_text(simple))),
        }
    }
}

fn parameters(list: &[(String, Type)], before: &str) -> String {
    if list.is_empty() {
        return String::new();
    }
    let all: Vec<String> =
        list.iter().map(|it| format!("{}: {}", it.0, type_text(&it.1))).collect();
    format!("{before}({})", all.join(", "))
}

/// The statements without statements inside.
fn simple_text(kind: &Kind) -> String {
    let behind =
        |it: &Option<Rc<Expr>>| it.as_ref().map_or(String::new(), |it| format!(", {}", text(it)));
    match kind {
        Kind::Assign(place, value) => format!("{} = {}", place_text(place), text(value)),
        Kind::Insert(place, key, value) => {
            format!("{} += ({}, {})", place_text(place), text(key), text(value))
        }
        Kind::Add(place, value) => format!("{} += ({})", place_text(place), text(value)),
        Kind::Remove(place, value) => format!("{} -= ({})", place_text(place), text(value)),
        Kind::Break => "break".to_owned(),
        Kind::Continue => "continue".to_owned(),
        Kind::Return(None) => "return".to_owned(),
        Kind::Return(Some(value)) => format!("return {}", text(value)),
        Kind::Send(target, event, payload) => {
            format!("send {}, {}{}", text(target), text(event), behind(payload))
        }
        Kind::Announce(event, payload) => format!("announce {}{}", text(event), behind(payload)),
        Kind::Raise(event, payload) => format!("raise {}{}", text(event), behind(payload)),
        Kind::Goto(state, payload) => format!("goto {state}{}", behind(payload)),
        Kind::New(machine, arguments) => format!("new {machine}({})", list(arguments)),
        Kind::Call(function, arguments) => format!("{function}({})", list(arguments)),
        Kind::Assert(condition) => format!("assert {}", text(condition)),
        Kind::If(..) | Kind::While(..) | Kind::Foreach(..) | Kind::Receive(..) => {
            unreachable!("it has statements inside")
        }
    }
}

fn place_text(place: &Place) -> String {
    let part = |part: &Part| match part {
        Part::Field(name) => format!(".{name}"),
        Part::Item(number) => format!(".{number}"),
        Part::At(key) => format!("[{}]", text(key)),
    };
    place.parts.iter().fold(place.name.clone(), |text, it| text + &part(it))
}

/// A type as it is written.
pub fn type_text(kind: &Type) -> String {
    match kind {
        Type::Int => "int".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Colour => "Colour".to_owned(),
        Type::Machine => "machine".to_owned(),
        Type::Event => "event".to_owned(),
        Type::Any => "any".to_owned(),
        Type::Tuple(kinds) => {
            format!("({})", kinds.iter().map(type_text).collect::<Vec<_>>().join(", "))
        }
        Type::Named(fields) => parameters(fields, ""),
        Type::Seq(kind) => format!("seq[{}]", type_text(kind)),
        Type::Set(kind) => format!("set[{}]", type_text(kind)),
        Type::Map(key, kind) => format!("map[{}, {}]", type_text(key), type_text(kind)),
    }
}

fn sign(op: Op) -> (&'static str, u32) {
    match op {
        Op::Or => ("||", 1),
        Op::And => ("&&", 2),
        Op::Equal => ("==", 3),
        Op::Unequal => ("!=", 3),
        Op::Less => ("<", 4),
        Op::AtMost => ("<=", 4),
        Op::Greater => (">", 4),
        Op::AtLeast => (">=", 4),
        Op::In => ("in", 4),
        Op::Add => ("+", 6),
        Op::Sub => ("-", 6),
        Op::Mul => ("*", 7),
        Op::Div => ("/", 7),
        Op::Rem => ("%", 7),
    }
}

const CAST: u32 = 5;
const PREFIX: u32 = 8;
const POSTFIX: u32 = 9;

fn text(expr: &Expr) -> String {
    at_least(expr, 0)
}

fn list(all: &[Rc<Expr>]) -> String {
    all.iter().map(|it| text(it)).collect::<Vec<_>>().join(", ")
}

/// The expression, in parentheses if it binds weaker than this.
fn at_least(expr: &Expr, level: u32) -> String {
    let (own, text) = bound(expr);
    if own < level { format!("({text})") } else { text }
}

/// How strongly an expression is bound, and its text.
fn bound(expr: &Expr) -> (u32, String) {
    let said = match expr {
        Expr::Int(number) => number.to_string(),
        Expr::Bool(truth) => truth.to_string(),
        Expr::Colour(number) => COLOURS[*number].0.to_owned(),
        Expr::Null => "null".to_owned(),
        Expr::This => "this".to_owned(),
        Expr::Event(name) | Expr::Var(name) => name.clone(),
        Expr::Field(of, name) => format!("{}.{name}", at_least(of, POSTFIX)),
        Expr::Item(of, number) => format!("{}.{number}", at_least(of, POSTFIX)),
        Expr::Index(of, key) => format!("{}[{}]", at_least(of, POSTFIX), text(key)),
        Expr::Tuple(all) => format!("({})", list(all)),
        Expr::Named(all) => {
            let all: Vec<_> = all.iter().map(|it| format!("{} = {}", it.0, text(&it.1))).collect();
            format!("({})", all.join(", "))
        }
        Expr::Not(of) => return (PREFIX, format!("!{}", at_least(of, PREFIX))),
        Expr::Minus(of) => return (PREFIX, format!("-{}", at_least(of, PREFIX))),
        Expr::Binary(op, left, right) => {
            let (sign, level) = sign(*op);
            let (left, right) = (at_least(left, level), at_least(right, level + 1));
            return (level, format!("{left} {sign} {right}"));
        }
        Expr::Cast(of, kind) => {
            return (CAST, format!("{} as {}", at_least(of, CAST), type_text(kind)));
        }
        Expr::ToInt(of) => return (CAST, format!("{} to int", at_least(of, CAST))),
        Expr::Sizeof(of) => format!("sizeof({})", text(of)),
        Expr::Keys(of) => format!("keys({})", text(of)),
        Expr::Values(of) => format!("values({})", text(of)),
        Expr::Default(kind) => format!("default({})", type_text(kind)),
        Expr::Dollar => "$".to_owned(),
        Expr::Choose(of) => format!("choose({})", text(of)),
        Expr::Call(name, arguments) => format!("{name}({})", list(arguments)),
        Expr::New(name, arguments) => format!("new {name}({})", list(arguments)),
    };
    (POSTFIX, said)
}
