//! Flattened functions as texts, for comparison.

use qp_program::{
    Blueprint, Choice, Expr, Function, Instr, Place, Projection, RegisterId, Root, Type, Value,
};

/// The instructions of a function, one per line: variables by name, temporaries as `t3`, variables of
/// the machine as `@0`.
pub(super) fn code(blueprint: &Blueprint, name: &str) -> String {
    let function = blueprint
        .functions
        .iter()
        .find(|function| function.name == name)
        .unwrap_or_else(|| panic!("no function {name}"));
    assert_eq!(function.code.len(), function.spans.len(), "each instruction has its place");
    let printer = Printer { blueprint, function };
    let lines = function.code.iter().enumerate();
    let mut lines: Vec<String> =
        lines.map(|(i, instr)| format!("{i}: {}", printer.instr(instr))).collect();
    lines.push(String::new());
    lines.join("\n")
}

struct Printer<'b> {
    blueprint: &'b Blueprint,
    function: &'b Function,
}

impl Printer<'_> {
    fn instr(&self, instr: &Instr) -> String {
        match instr {
            Instr::Assign { place, value } => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            Instr::Insert { place, key, value } => {
                format!("{} += ({}, {})", self.place(place), self.expr(key), self.expr(value))
            }
            Instr::Add { place, value } => {
                format!("{} += ({})", self.place(place), self.expr(value))
            }
            Instr::Remove { place, key } => format!("{} -= {}", self.place(place), self.expr(key)),
            Instr::Evaluate(expr) => format!("evaluate {}", self.expr(expr)),
            Instr::Jump(target) => format!("-> {target}"),
            Instr::Unless(condition, target) => {
                format!("unless {} -> {target}", self.expr(condition))
            }
            Instr::Call { function, args, into } => {
                let name = &self.blueprint.functions[*function].name;
                format!("{}{name}({})", self.into(*into), self.list(args))
            }
            Instr::Return(None) => "return".to_owned(),
            Instr::Return(Some(value)) => format!("return {}", self.expr(value)),
            Instr::Choose { into, from } => {
                let from = match from {
                    Choice::Bool => "bool".to_owned(),
                    Choice::Of(of) => self.expr(of),
                    Choice::Any(Type::Bool) => "any bool".to_owned(),
                    Choice::Any(_) => "any".to_owned(),
                };
                format!("{}choose {from}", self.into(Some(*into)))
            }
            Instr::New { interface, arg, into } => {
                format!("{}new {interface}({})", self.into(*into), self.expr(arg))
            }
            Instr::Send { target, event, payload } => {
                format!("send {}, {}, {}", self.expr(target), self.expr(event), self.expr(payload))
            }
            Instr::Announce { event, payload } => {
                format!("announce {}, {}", self.expr(event), self.expr(payload))
            }
            Instr::Raise { event, payload } => {
                format!("raise {}, {}", self.expr(event), self.expr(payload))
            }
            Instr::Goto { state, payload } => format!("goto {state:?}, {}", self.expr(payload)),
            Instr::Pop => "pop".to_owned(),
            Instr::Receive(cases) => {
                let cases = cases.iter().map(|case| {
                    let event = &self.blueprint.events[case.event].name;
                    let into = case.into.map(|into| format!(" {}", self.register(into)));
                    format!("{event}{} -> {}", into.unwrap_or_default(), case.target)
                });
                format!("receive {}", cases.collect::<Vec<_>>().join(", "))
            }
            Instr::Assert { condition, message } => {
                let message = message.as_ref().map(|message| format!(", {}", self.expr(message)));
                format!("assert {}{}", self.expr(condition), message.unwrap_or_default())
            }
            Instr::Assume(condition) => format!("assume {}", self.expr(condition)),
        }
    }

    fn into(&self, into: Option<RegisterId>) -> String {
        into.map(|into| format!("{} = ", self.register(into))).unwrap_or_default()
    }

    fn register(&self, register: RegisterId) -> String {
        let name = &self.function.registers[register].name;
        if name.is_empty() { format!("t{}", register.index()) } else { name.clone() }
    }

    fn place(&self, place: &Place) -> String {
        let root = match place.root {
            Root::Register(register) => self.register(register),
            Root::Field(field) => format!("@{}", field.index()),
        };
        let step = |step: &Projection| match step {
            Projection::Part(part) => format!(".{part}"),
            Projection::Index(index, _) => format!("[{}]", self.expr(index)),
        };
        root + &place.path.iter().map(step).collect::<String>()
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        let of = |expr: &Expr| self.expr(expr);
        match expr {
            Expr::Const(value) => self.value(value),
            Expr::Register(register) => self.register(*register),
            Expr::Field(field) => format!("@{}", field.index()),
            Expr::This => "this".to_owned(),
            Expr::Not(it) => format!("!{}", of(it)),
            Expr::Negate(it) => format!("-{}", of(it)),
            Expr::And(a, b) => format!("({} && {})", of(a), of(b)),
            Expr::Or(a, b) => format!("({} || {})", of(a), of(b)),
            Expr::Binary { op, left, right, .. } => {
                format!("({} {} {})", of(left), op.sign(), of(right))
            }
            Expr::Tuple(fields) => format!("({})", self.list(fields)),
            Expr::Record(names, fields) => {
                let fields =
                    names.iter().zip(fields).map(|(name, it)| format!("{name} = {}", of(it)));
                format!("({})", fields.collect::<Vec<_>>().join(", "))
            }
            Expr::Part(it, part) => format!("{}.{part}", of(it)),
            Expr::Index { of: it, index, .. } => format!("{}[{}]", of(it), of(index)),
            Expr::Keys(it) => format!("keys({})", of(it)),
            Expr::Values(it) => format!("values({})", of(it)),
            Expr::Size(it) => format!("sizeof({})", of(it)),
            Expr::Contains { item, of: it } => format!("({} in {})", of(item), of(it)),
            Expr::Cast { value, ty, .. } => format!("({} as {ty:?})", of(value)),
            Expr::ToInt(it) => format!("int({})", of(it)),
            Expr::ToFloat(it) => format!("float({})", of(it)),
            Expr::Format(texts, values) => format!("format({texts:?}, {})", self.list(values)),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(it) => it.to_string(),
            Value::Int(it) => it.to_string(),
            Value::Text(it) => format!("{it:?}"),
            Value::Event(event) => self.blueprint.events[*event].name.clone(),
            Value::Enum(it, number) => {
                let element = it.elements.iter().find(|element| element.1 == *number);
                element.map_or("?".to_owned(), |element| element.0.clone())
            }
            other => format!("{other:?}"),
        }
    }
}
