//! One function while it is checked and flattened: its names, registers, instructions and jumps.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Complaints, Diagnostic, IndexVec, Span};
use qp_program::{
    Expr, Function, FunctionId, Instr, Place, RegisterId, Root, Target, Value, Variable,
};

use super::Context;
use crate::ast::{Ident, Var};
use crate::rules::Facts;
use crate::types::Ty;
use crate::world::{self, Machine, World, declared_twice, hides_param};

/// One function while it is checked and flattened.
pub(super) struct Frame<'c, 't, 'o> {
    pub(super) context: &'c Context<'c, 't>,
    pub(super) world: &'c World<'t>,
    pub(super) out: &'o mut Complaints,
    pub(super) function: &'c world::Function<'t>,
    /// What `return` hands back here: in a case of `receive` it is nothing.
    pub(super) returns: Ty,
    pub(super) facts: Facts,
    pub(super) loops: Vec<Loop>,
    /// Where the next result is to go, if it has a place already.
    pub(super) wanted: Option<RegisterId>,
    /// The names that were complained about: once is enough.
    pub(super) unknown: BTreeSet<String>,
    registers: IndexVec<RegisterId, Variable>,
    code: Vec<Instr>,
    spans: Vec<Span>,
    scopes: Vec<BTreeMap<&'t str, Local>>,
    /// Where the statement is that is being flattened.
    place: Span,
}

/// A local variable or parameter.
#[derive(Clone)]
struct Local {
    register: RegisterId,
    ty: Ty,
    span: Span,
}

/// A loop around the statement that is being flattened.
pub(super) struct Loop {
    pub(super) head: Target,
    pub(super) breaks: Vec<Patch>,
}

/// An instruction whose target is not known so far.
#[derive(Clone, Copy)]
pub(super) struct Patch(usize);

/// What a name stands for where something is stored.
pub(super) enum Stored {
    Variable(Root, Ty),
    Param(Span),
    Nothing,
}

impl<'c, 't, 'o> Frame<'c, 't, 'o> {
    /// The frame of a function, with its parameters and local variables.
    pub(super) fn new(
        context: &'c Context<'c, 't>,
        id: FunctionId,
        out: &'o mut Complaints,
    ) -> Self {
        let function = &context.world.functions[id];
        let mut frame = Self {
            context,
            world: context.world,
            out,
            function,
            returns: function.returns.clone(),
            facts: Facts::default(),
            loops: Vec::new(),
            wanted: None,
            unknown: BTreeSet::new(),
            registers: IndexVec::new(),
            code: Vec::new(),
            spans: Vec::new(),
            scopes: vec![BTreeMap::new()],
            place: function.span,
        };
        for (name, ty) in &function.params {
            frame.declare(name, ty.clone());
        }
        for var in function.body.iter().flat_map(|body| &body.vars) {
            frame.variable(var);
        }
        frame
    }

    /// What was flattened.
    pub(super) fn finish(self) -> (Function, Facts) {
        let function = Function {
            name: self.function.name.clone(),
            span: self.function.span,
            n_params: self.function.params.len(),
            registers: self.registers,
            code: self.code,
            spans: self.spans,
        };
        (function, self.facts)
    }

    /// The machine the function belongs to.
    pub(super) fn machine(&self) -> Option<&'c Machine<'t>> {
        self.function.owner.map(|owner| &self.world.machines[owner])
    }

    /// The name of the spec the function belongs to, if it belongs to one.
    pub(super) fn spec(&self) -> Option<&'c str> {
        let machine = self.machine().filter(|machine| machine.is_spec());
        machine.map(|machine| machine.ast.name.text.as_str())
    }

    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    /// Declares a local variable as it is written.
    pub(super) fn variable(&mut self, var: &'t Var) -> RegisterId {
        let ty = self.world.written_type(&var.ty, self.out);
        self.declare(&var.name, ty)
    }

    fn declare(&mut self, name: &'t Ident, ty: Ty) -> RegisterId {
        let variable = Variable { name: name.text.clone(), span: name.span, ty: ty.runtime() };
        let register = self.registers.push(variable);
        if let Some(&(param, _)) = self.world.params.get(name.text.as_str()) {
            self.out.push(hides_param(name, param));
        }
        let last = self.scopes.len() - 1;
        if let Some(first) = self.scopes[last].get(name.text.as_str()) {
            self.out.push(declared_twice(name, first.span));
        } else {
            let local = Local { register, ty, span: name.span };
            self.scopes[last].insert(&name.text, local);
        }
        register
    }

    /// Names that are declared from here on end with the matching [`Frame::close`].
    pub(super) fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// The variable of this name.
    pub(super) fn stored(&self, name: &str) -> Stored {
        if let Some(local) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return Stored::Variable(Root::Register(local.register), local.ty.clone());
        }
        if let Some(machine) = self.machine()
            && let Some(&field) = machine.field_ids.get(name)
        {
            return Stored::Variable(Root::Field(field), machine.fields[field].ty.clone());
        }
        self.world.params.get(name).map_or(Stored::Nothing, |param| Stored::Param(param.0))
    }

    /// The names of all variables that can be seen here.
    pub(super) fn variable_names(&self) -> Vec<&'t str> {
        let locals = self.scopes.iter().flat_map(|scope| scope.keys());
        let fields = self.machine().into_iter().flat_map(|machine| machine.field_ids.keys());
        locals.chain(fields).chain(self.world.params.keys()).copied().collect()
    }

    /// From here on, instructions belong to the statement at this place. Returns the place before.
    pub(super) fn at(&mut self, place: Span) -> Span {
        std::mem::replace(&mut self.place, place)
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
        self.spans.push(self.place);
    }

    /// The number of the next instruction.
    pub(super) fn here(&self) -> Target {
        self.code.len() as Target
    }

    /// Emits an instruction with a target that [`Frame::land`] fills in.
    pub(super) fn emit_open(&mut self, instr: Instr) -> Patch {
        self.emit(instr);
        Patch(self.code.len() - 1)
    }

    /// Makes the next instruction the target of an earlier one.
    pub(super) fn land(&mut self, patch: Patch) {
        let here = self.here();
        match &mut self.code[patch.0] {
            Instr::Jump(target) | Instr::Unless(_, target) => *target = here,
            _ => unreachable!("bug in Queueproof: only jumps have a target to fill in"),
        }
    }

    /// The cases of a `receive` that was emitted before its targets were known.
    pub(super) fn fill_cases(&mut self, patch: Patch, cases: Vec<qp_program::ReceiveCase>) {
        self.code[patch.0] = Instr::Receive(cases);
    }

    /// A new register without a name.
    pub(super) fn temporary(&mut self, ty: &Ty) -> RegisterId {
        let (name, span) = (String::new(), self.place);
        self.registers.push(Variable { name, span, ty: ty.runtime() })
    }

    /// The register for a result: the one that is wanted, or a new one.
    pub(super) fn result(&mut self, wanted: Option<RegisterId>, ty: &Ty) -> RegisterId {
        wanted.unwrap_or_else(|| self.temporary(ty))
    }

    /// Puts a value into a register of its own.
    pub(super) fn save(&mut self, value: Expr, ty: &Ty) -> RegisterId {
        let register = self.temporary(ty);
        self.store(register, value);
        register
    }

    pub(super) fn store(&mut self, register: RegisterId, value: Expr) {
        let place = Place { root: Root::Register(register), path: Vec::new() };
        self.emit(Instr::Assign { place, value });
    }

    /// Gives a variable the value it has before anything is assigned to it.
    pub(super) fn reset(&mut self, register: RegisterId) {
        let value = self.registers[register].ty.default_value();
        self.store(register, Expr::Const(value));
    }
}

/// `null`.
pub(super) const NULL: Expr = Expr::Const(Value::Null);
