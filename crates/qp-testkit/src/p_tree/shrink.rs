//! Makes a program smaller as long as something stays true of it.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::tree::{Block, Case, Function, Handler, Kind, Machine, Program, Stmt};

/// What is left out of a program.
#[derive(Clone, Default)]
struct Cut {
    /// Statements that are not there.
    gone: BTreeSet<usize>,
    /// Statements in whose place stands what is inside of them.
    open: BTreeSet<usize>,
}

/// A smaller program of which the same is true.
pub fn shrink(program: &Program, is_so: impl Fn(&Program) -> bool) -> Program {
    let mut small = program.clone();
    loop {
        let before = size(&small);
        small.specs =
            fewer(&small.specs, |specs| is_so(&Program { specs: specs.to_vec(), ..small.clone() }));
        small = without_statements(small, &is_so);
        small = without_handlers(small, &is_so);
        if size(&small) == before {
            return small;
        }
    }
}

fn fewer<T: Clone>(all: &[T], is_so: impl Fn(&[T]) -> bool) -> Vec<T> {
    let mut left = all.to_vec();
    let mut at = 0;
    while at < left.len() {
        let mut less = left.clone();
        less.remove(at);
        if is_so(&less) { left = less } else { at += 1 }
    }
    left
}

fn without_statements(mut small: Program, is_so: &impl Fn(&Program) -> bool) -> Program {
    for id in statements(&small).into_iter().rev() {
        let gone = Cut { gone: BTreeSet::from([id]), ..Cut::default() };
        let open = Cut { open: BTreeSet::from([id]), ..Cut::default() };
        for cut in [gone, open] {
            let less = cut.program(&small);
            if size(&less) < size(&small) && is_so(&less) {
                small = less;
                break;
            }
        }
    }
    small
}

fn without_handlers(mut small: Program, is_so: &impl Fn(&Program) -> bool) -> Program {
    let n_machines = small.machines.len();
    for machine in 0..n_machines + small.specs.len() {
        let part = |program: &Program| -> Machine {
            program.machines.iter().chain(&program.specs).nth(machine).expect("it is there").clone()
        };
        let with = |program: &Program, new: Machine| {
            let mut program = program.clone();
            match machine.checked_sub(n_machines) {
                None => program.machines[machine] = new,
                Some(spec) => program.specs[spec] = new,
            }
            program
        };
        let n_states = part(&small).states.len();
        for state in 0..n_states {
            let mut changed = part(&small);
            changed.states[state].exit = None;
            let less = with(&small, changed.clone());
            if is_so(&less) {
                small = less;
            }
            let handlers = part(&small).states[state].handlers.clone();
            let left = fewer(&handlers, |handlers| {
                let mut changed = part(&small);
                changed.states[state].handlers = handlers.to_vec();
                is_so(&with(&small, changed))
            });
            let mut changed = part(&small);
            changed.states[state].handlers = left;
            small = with(&small, changed);
        }
        let functions = fewer(&part(&small).functions, |functions| {
            is_so(&with(&small, Machine { functions: functions.to_vec(), ..part(&small) }))
        });
        let changed = Machine { functions, ..part(&small) };
        small = with(&small, changed);
        let fields = fewer(&part(&small).fields, |fields| {
            is_so(&with(&small, Machine { fields: fields.to_vec(), ..part(&small) }))
        });
        let changed = Machine { fields, ..part(&small) };
        small = with(&small, changed);
    }
    small
}

fn size(program: &Program) -> usize {
    let parts = program.machines.iter().chain(&program.specs);
    let handlers = |it: &Machine| {
        let of =
            |state: &super::tree::State| state.handlers.len() + usize::from(state.exit.is_some());
        it.fields.len() + it.functions.len() + it.states.iter().map(of).sum::<usize>()
    };
    statements(program).len() + program.specs.len() + parts.map(handlers).sum::<usize>()
}

fn functions(program: &Program) -> Vec<Rc<Function>> {
    let mut all = program.functions.clone();
    for machine in program.machines.iter().chain(&program.specs) {
        all.extend(machine.functions.iter().cloned());
        for state in &machine.states {
            all.extend(state.entry.iter().chain(&state.exit).cloned());
            for (_, handler) in &state.handlers {
                match handler {
                    Handler::Do(function) | Handler::Goto(_, Some(function)) => {
                        all.push(function.clone());
                    }
                    Handler::Defer | Handler::Ignore | Handler::Goto(_, None) => {}
                }
            }
        }
    }
    all
}

fn statements(program: &Program) -> BTreeSet<usize> {
    fn walk(block: &Block, found: &mut BTreeSet<usize>) {
        for stmt in block.iter() {
            found.insert(stmt.id);
            for inner in inside(stmt) {
                walk(&inner, found);
            }
        }
    }
    let mut found = BTreeSet::new();
    for function in functions(program) {
        walk(&function.code, &mut found);
    }
    found
}

fn inside(stmt: &Stmt) -> Vec<Block> {
    match &stmt.kind {
        Kind::If(_, then, other) => vec![then.clone(), other.clone()],
        Kind::While(_, body) | Kind::Foreach(_, _, body) => vec![body.clone()],
        Kind::Receive(cases) => cases.iter().map(|it| it.code.clone()).collect(),
        _ => Vec::new(),
    }
}

impl Cut {
    fn program(&self, program: &Program) -> Program {
        let mut program = program.clone();
        for function in &mut program.functions {
            *function = self.function(function);
        }
        for machine in program.machines.iter_mut().chain(&mut program.specs) {
            for function in &mut machine.functions {
                *function = self.function(function);
            }
            for state in &mut machine.states {
                for function in state.entry.iter_mut().chain(&mut state.exit) {
                    *function = self.function(function);
                }
                for (_, handler) in &mut state.handlers {
                    if let Handler::Do(function) | Handler::Goto(_, Some(function)) = handler {
                        *function = self.function(function);
                    }
                }
            }
        }
        program
    }

    fn function(&self, function: &Rc<Function>) -> Rc<Function> {
        Rc::new(Function { code: self.block(&function.code), ..(**function).clone() })
    }

    fn block(&self, block: &Block) -> Block {
        let mut left = Vec::new();
        for stmt in block.iter().filter(|it| !self.gone.contains(&it.id)) {
            if self.open.contains(&stmt.id) {
                left.extend(inside(stmt).iter().flat_map(|it| self.block(it).to_vec()));
            } else {
                left.push(Rc::new(Stmt { id: stmt.id, kind: self.kind(&stmt.kind) }));
            }
        }
        Rc::new(left)
    }

    fn kind(&self, kind: &Kind) -> Kind {
        match kind {
            Kind::If(condition, then, other) => {
                Kind::If(condition.clone(), self.block(then), self.block(other))
            }
            Kind::While(condition, body) => Kind::While(condition.clone(), self.block(body)),
            Kind::Foreach(name, list, body) => {
                Kind::Foreach(name.clone(), list.clone(), self.block(body))
            }
            Kind::Receive(cases) => {
                let case = |it: &Case| Case { code: self.block(&it.code), ..it.clone() };
                Kind::Receive(Rc::new(cases.iter().map(case).collect()))
            }
            other => other.clone(),
        }
    }
}
