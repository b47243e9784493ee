//! The tree as text, with every expression in parentheses.

use crate::ast::{
    BinaryOp, Body, Cap, Decl, Expr, ExprKind, File, Function, Handler, Ident, Machine,
    MachineKind, ModuleExpr, ModuleKind, ParamValue, State, StateItem, Stmt, StmtKind, Temperature,
    Test, Type, TypeKind, UnaryOp, Var,
};

pub(super) fn file(file: &File) -> String {
    file.decls.iter().map(decl).collect::<Vec<_>>().join("\n")
}

pub(super) fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::This => "this".to_owned(),
        ExprKind::Null => "null".to_owned(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Format { text, args } => format!("format({text:?}; {})", exprs(args)),
        ExprKind::Nondet => "$".to_owned(),
        ExprKind::FairNondet => "$$".to_owned(),
        ExprKind::Choose(of) => {
            format!("choose({})", of.as_ref().map_or(String::new(), |e| expr(e)))
        }
        ExprKind::Tuple(fields) => format!("<{}>", exprs(fields)),
        ExprKind::NamedTuple(fields) => {
            format!("<{}>", join(fields, |(name, e)| format!("{}={}", name.text, expr(e))))
        }
        ExprKind::Field(of, field) => format!("({}.{})", expr(of), field.text),
        ExprKind::Position(of, at) => format!("({}.{})", expr(of), at.value),
        ExprKind::Index(of, at) => format!("({}[{}])", expr(of), expr(at)),
        ExprKind::Keys(of) => format!("keys({})", expr(of)),
        ExprKind::Values(of) => format!("values({})", expr(of)),
        ExprKind::Sizeof(of) => format!("sizeof({})", expr(of)),
        ExprKind::Default(t) => format!("default({})", ty(t)),
        ExprKind::New { interface, args } => format!("new {}({})", interface.text, exprs(args)),
        ExprKind::Call { function, args } => format!("{}({})", function.text, exprs(args)),
        ExprKind::Unary(UnaryOp::Negate, of) => format!("(-{})", expr(of)),
        ExprKind::Unary(UnaryOp::Not, of) => format!("(!{})", expr(of)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", expr(a), symbol(*op), expr(b)),
        ExprKind::Cast(of, to) => format!("({} as {})", expr(of), ty(to)),
        ExprKind::Coerce(of, to) => format!("({} to {})", expr(of), ty(to)),
        ExprKind::Verifier(what) => format!("verifier {what}"),
        ExprKind::Broken => "broken".to_owned(),
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Value(op) => op.sign(),
        BinaryOp::In => "in",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "==>",
        BinaryOp::Iff => "<==>",
    }
}

fn ty(t: &Type) -> String {
    match &t.kind {
        TypeKind::Bool => "bool".to_owned(),
        TypeKind::Int => "int".to_owned(),
        TypeKind::Float => "float".to_owned(),
        TypeKind::String => "string".to_owned(),
        TypeKind::Event => "event".to_owned(),
        TypeKind::Machine => "machine".to_owned(),
        TypeKind::Data => "data".to_owned(),
        TypeKind::Any => "any".to_owned(),
        TypeKind::Seq(of) => format!("seq[{}]", ty(of)),
        TypeKind::Set(of) => format!("set[{}]", ty(of)),
        TypeKind::Map(key, value) => format!("map[{}, {}]", ty(key), ty(value)),
        TypeKind::Tuple(fields) => format!("<{}>", join(fields, ty)),
        TypeKind::NamedTuple(fields) => {
            format!("<{}>", join(fields, |(name, t)| format!("{}: {}", name.text, ty(t))))
        }
        TypeKind::Named(name) => name.clone(),
    }
}

fn decl(d: &Decl) -> String {
    match d {
        Decl::Type { name, ty: t } => format!("type {}{}", name.text, maybe(" = ", t.as_ref(), ty)),
        Decl::Enum { name, elements } => {
            let element = |(name, value): &(Ident, Option<crate::ast::Literal>)| {
                format!("{}{}", name.text, maybe("=", value.as_ref(), |v| v.value.to_string()))
            };
            format!("enum {} {}", name.text, join(elements, element))
        }
        Decl::Event { name, cap: c, payload } => {
            format!("event {}{}{}", name.text, cap(c.as_ref()), maybe(": ", payload.as_ref(), ty))
        }
        Decl::EventSet { name, events } => format!("eventset {} = {}", name.text, names(events)),
        Decl::Interface { name, arg, receives } => format!(
            "interface {}({}){}",
            name.text,
            maybe("", arg.as_ref(), ty),
            maybe(" receives ", receives.as_ref(), |r| names(r))
        ),
        Decl::Machine(m) => machine(m),
        Decl::Function(f) => function(f),
        Decl::Module { name, expr } => format!("module {} = {}", name.text, module(expr)),
        Decl::Test(t) => test(t),
        Decl::Param { names: all, ty: t } => format!("param {}: {}", names(all), ty(t)),
        Decl::Verifier { what, .. } => format!("verifier {what}"),
    }
}

fn machine(m: &Machine) -> String {
    let kind = match m.kind {
        MachineKind::Machine => "machine",
        MachineKind::Spec => "spec",
        MachineKind::Scenario => "scenario",
    };
    let mut text = format!("{kind} {}{}", m.name.text, cap(m.cap.as_ref()));
    text += &maybe(" receives ", m.receives.as_ref(), |r| names(r));
    text += &maybe(" sends ", m.sends.as_ref(), |r| names(r));
    let observes = Some(&m.observes).filter(|all| !all.is_empty());
    text += &maybe(" observes ", observes, |all| names(all));
    let parts = m.vars.iter().map(|v| format!("var {};", var(v)));
    let parts = parts.chain(m.functions.iter().map(function)).chain(m.states.iter().map(state));
    format!("{text} {{ {} }}", parts.collect::<Vec<_>>().join(" "))
}

fn function(f: &Function) -> String {
    let word = if f.pure { "pure" } else { "fun" };
    let returns = maybe(": ", f.returns.as_ref(), ty);
    let end = f.body.as_ref().map_or(";".to_owned(), |b| format!(" {}", body(b)));
    format!("{word} {}({}){returns}{end}", f.name.text, join(&f.params, var))
}

fn state(s: &State) -> String {
    let start = if s.start { "start " } else { "" };
    let temperature = match s.temperature {
        Some(Temperature::Hot) => "hot ",
        Some(Temperature::Cold) => "cold ",
        None => "",
    };
    let items: Vec<_> = s.items.iter().map(item).collect();
    format!("{start}{temperature}state {} {{ {} }}", s.name.text, items.join(" "))
}

fn item(i: &StateItem) -> String {
    match i {
        StateItem::Entry { handler: h, .. } => format!("entry {}", handler(h)),
        StateItem::Exit { handler: h, .. } => format!("exit {}", handler(h)),
        StateItem::Defer(events) => format!("defer {};", names(events)),
        StateItem::Ignore(events) => format!("ignore {};", names(events)),
        StateItem::Do { events, handler: h } => format!("on {} do {}", names(events), handler(h)),
        StateItem::Goto { events, state, with } => {
            let with = with.as_ref().map_or(";".to_owned(), |h| format!(" with {}", handler(h)));
            format!("on {} goto {}{with}", names(events), state.text)
        }
        StateItem::Push { events, state } => format!("on {} push {};", names(events), state.text),
    }
}

fn handler(h: &Handler) -> String {
    match h {
        Handler::Named(name) => format!("{};", name.text),
        Handler::Inline { param, body: b } => {
            format!(
                "{}{}",
                param.as_ref().map_or(String::new(), |p| format!("({}) ", var(p))),
                body(b)
            )
        }
    }
}

fn body(b: &Body) -> String {
    let vars = b.vars.iter().map(|v| format!("var {};", var(v)));
    let parts: Vec<_> = vars.chain(b.stmts.iter().map(stmt)).collect();
    format!("{{ {} }}", parts.join(" "))
}

fn stmt(s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Block(stmts) => {
            format!("{{ {} }}", stmts.iter().map(stmt).collect::<Vec<_>>().join(" "))
        }
        StmtKind::Assert { condition, message } => {
            format!("assert {}{};", expr(condition), maybe(", ", message.as_ref(), expr))
        }
        StmtKind::Assume { condition, message } => {
            format!("assume {}{};", expr(condition), maybe(", ", message.as_ref(), expr))
        }
        StmtKind::Print(e) => format!("print {};", expr(e)),
        StmtKind::Return(e) => format!("return{};", maybe(" ", e.as_ref(), expr)),
        StmtKind::Break => "break;".to_owned(),
        StmtKind::Continue => "continue;".to_owned(),
        StmtKind::Assign { place, value } => format!("{} = {};", expr(place), expr(value)),
        StmtKind::Insert { place, key, value } => {
            format!("{} insert {}, {};", expr(place), expr(key), expr(value))
        }
        StmtKind::Add { place, value } => format!("{} add {};", expr(place), expr(value)),
        StmtKind::Remove { place, key } => format!("{} remove {};", expr(place), expr(key)),
        StmtKind::While { condition, body } => format!("while {} {}", expr(condition), stmt(body)),
        StmtKind::Foreach { item, collection, body } => {
            format!("foreach {} in {} {}", item.text, expr(collection), stmt(body))
        }
        StmtKind::If { condition, then, otherwise } => {
            let otherwise = maybe(" else ", otherwise.as_deref(), stmt);
            format!("if {} {}{otherwise}", expr(condition), stmt(then))
        }
        StmtKind::New { interface, args } => format!("new {}({});", interface.text, exprs(args)),
        StmtKind::Call { function, args } => format!("{}({});", function.text, exprs(args)),
        StmtKind::Raise { event, args } => format!("raise {} <{}>;", expr(event), exprs(args)),
        StmtKind::Send { target, event, args } => {
            format!("send {}, {} <{}>;", expr(target), expr(event), exprs(args))
        }
        StmtKind::Announce { event, args } => {
            format!("announce {} <{}>;", expr(event), exprs(args))
        }
        StmtKind::Goto { state, args } => format!("goto {} <{}>;", state.text, exprs(args)),
        StmtKind::Pop => "pop;".to_owned(),
        StmtKind::Receive(cases) => {
            let case = |c: &crate::ast::ReceiveCase| {
                let param = c.param.as_ref().map_or(String::new(), |p| format!("({}) ", var(p)));
                format!("case {}: {param}{}", names(&c.events), body(&c.body))
            };
            format!("receive {{ {} }}", cases.iter().map(case).collect::<Vec<_>>().join(" "))
        }
        StmtKind::Nothing => ";".to_owned(),
    }
}

fn module(m: &ModuleExpr) -> String {
    match &m.kind {
        ModuleKind::Bindings(bindings) => {
            let binding = |b: &crate::ast::Binding| {
                format!(
                    "{}{}",
                    b.machine.text,
                    maybe("->", b.interface.as_ref(), |i| i.text.clone())
                )
            };
            format!("{{{}}}", join(bindings, binding))
        }
        ModuleKind::Named(name) => name.clone(),
        ModuleKind::Union(all) => format!("(union {})", join(all, module)),
        ModuleKind::Compose(all) => format!("(compose {})", join(all, module)),
        ModuleKind::HideEvents(all, of) => format!("(hidee {} in {})", names(all), module(of)),
        ModuleKind::HideInterfaces(all, of) => format!("(hidei {} in {})", names(all), module(of)),
        ModuleKind::Assert(all, of) => format!("(assert {} in {})", names(all), module(of)),
        ModuleKind::Rename { old, new, of } => {
            format!("(rename {} to {} in {})", old.text, new.text, module(of))
        }
        ModuleKind::Main(main, of) => format!("(main {} in {})", main.text, module(of)),
    }
}

fn test(t: &Test) -> String {
    let word = if t.implementation { "implementation" } else { "test" };
    let value = |v: &ParamValue| match v {
        ParamValue::Bool(b) => b.to_string(),
        ParamValue::Int(i) => i.to_string(),
    };
    let params = t.params.iter().map(|(n, all)| format!(" {} in [{}]", n.text, join(all, value)));
    let params: String = params.collect();
    let assume = maybe(" assume ", t.assume.as_ref(), expr);
    let wise = maybe(" wise ", t.wise.as_ref(), |w| w.value.to_string());
    let word_of_main = if t.old_form { " old main " } else { " main " };
    let main = maybe(word_of_main, t.main.as_ref(), |m| m.text.clone());
    let refines = maybe(" refines ", t.refines.as_ref(), module);
    format!("{word}{params}{assume}{wise} {}{main}: {}{refines}", t.name.text, module(&t.module))
}

fn var(v: &Var) -> String {
    format!("{}: {}", v.name.text, ty(&v.ty))
}

fn cap(cap: Option<&Cap>) -> String {
    maybe(" ", cap, |c| format!("{} {}", if c.assume { "assume" } else { "assert" }, c.count))
}

fn maybe<T>(before: &str, what: Option<&T>, show: impl Fn(&T) -> String) -> String {
    what.map_or(String::new(), |what| format!("{before}{}", show(what)))
}

fn exprs(all: &[Expr]) -> String {
    join(all, expr)
}

fn names(all: &[Ident]) -> String {
    join(all, |name| name.text.clone())
}

fn join<T>(all: &[T], show: impl Fn(&T) -> String) -> String {
    all.iter().map(show).collect::<Vec<_>>().join(", ")
}
