//! Reading the texts that [`super::text`] writes. Whatever is not such a text is refused: texts come from
//! files that anybody may have written.

mod values;

use std::sync::Arc;

use qp_base::{Code, Span};
use qp_machines::MachineId;

use crate::{EventId, FunctionId, Instr, SpecId, StateId, Type, Value, Variable};

use super::actors::Message;
use super::failures::Fault;
use super::local::{Frame, Local, Owner, Phase, Task};
use super::plan::Plan;
use super::specs::{Store, Watch};
use super::types::{conforms, parts};

impl Plan {
    pub(crate) fn read_message(&self, text: &str) -> Option<Message> {
        let mut reader = Reader::new(self, text);
        let (event, payload) = reader.event()?;
        let mut audience = Vec::new();
        if reader.eat(" for ") {
            audience.push(reader.spec()?);
            while reader.eat(", ") {
                audience.push(reader.spec()?);
            }
        }
        let right = reader.rest.is_empty() && audience.is_sorted();
        right.then_some(Message { event, payload, audience })
    }

    pub(crate) fn read_store(&self, text: &str) -> Option<Store> {
        let mut reader = Reader::new(self, text);
        let mut store = Store::new();
        while !reader.rest.is_empty() {
            reader.expect(if store.is_empty() { "" } else { "; " })?;
            let spec = reader.spec()?;
            if spec.index() != store.len() {
                return None;
            }
            reader.expect(" in ")?;
            let stack = reader.states(Owner::Spec(spec))?;
            let fields = reader.fields(Owner::Spec(spec), !stack.is_empty())?;
            store.push(Watch { stack, fields });
        }
        (store.is_empty() || store.len() == self.blueprint.specs.len()).then_some(store)
    }

    pub(crate) fn read_local(&self, text: &str) -> Option<Local> {
        let mut reader = Reader::new(self, text);
        let role = self.role_names.number(reader.word()?)?.into();
        reader.expect("(")?;
        let machine = MachineId::from_raw(reader.number()?);
        reader.expect(") in ")?;
        let owner = Owner::Machine(role, machine);
        let stack = reader.states(owner)?;
        let fields = reader.raw_fields(owner)?;
        let mut local = Local {
            owner,
            stack,
            fields,
            frames: Vec::new(),
            agenda: Vec::new(),
            phase: Phase::Running,
        };
        while reader.eat("; ") {
            reader.segment(&mut local)?;
        }
        local.agenda.reverse();
        (reader.rest.is_empty() && self.is_sound(&local)).then_some(local)
    }

    /// Whether the interpreter can go on from a local state that somebody wrote.
    fn is_sound(&self, local: &Local) -> bool {
        let runs = matches!(local.phase, Phase::Running | Phase::Announced | Phase::Took);
        let full = local.fields.len() == self.body(local.owner).fields.len();
        if !runs {
            return local.frames.is_empty() && local.agenda.is_empty() && local.fields.is_empty();
        }
        let callers = local.frames.len().saturating_sub(1);
        let calls = |frame: &Frame| {
            let code = &self.function(frame.function).code;
            matches!(code.get(frame.pc as usize), Some(Instr::Call { .. }))
        };
        let functions = &self.functions[self.body_id(local.owner)];
        let own = |frame: &Frame| functions.contains(&frame.function);
        let sends = |frame: &Frame| {
            let code = &self.function(frame.function).code;
            matches!(code.get(frame.pc as usize), Some(Instr::Send { .. }))
        };
        full && !local.stack.is_empty()
            && local.frames.iter().all(own)
            && local.frames[..callers].iter().all(calls)
            && (local.phase != Phase::Announced || local.frames.last().is_some_and(sends))
    }
}

struct Reader<'a> {
    plan: &'a Plan,
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(plan: &'a Plan, rest: &'a str) -> Self {
        Self { plan, rest, depth: 0 }
    }

    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Option<()> {
        self.eat(sign).then_some(())
    }

    /// Everything up to the first character that ends it; at least one character.
    fn until(&mut self, ends: impl Fn(char) -> bool) -> Option<&'a str> {
        let len = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(len);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn word(&mut self) -> Option<&'a str> {
        self.until(|c| " ,(){}[]=;:/\".".contains(c))
    }

    /// Names of states may have dots.
    fn state(&mut self, owner: Owner) -> Option<StateId> {
        let word = self.until(|c| " ,(){}[]=;:/\"".contains(c))?;
        let names = &self.plan.state_names[self.plan.body_id(owner)];
        names.number(word).map(StateId::new)
    }

    fn number(&mut self) -> Option<u32> {
        self.until(|c| !c.is_ascii_digit())?.parse().ok()
    }

    fn spec(&mut self) -> Option<SpecId> {
        self.plan.spec_names.number(self.word()?).map(SpecId::new)
    }

    fn function(&mut self) -> Option<FunctionId> {
        self.expect("fn")?;
        let function = FunctionId::from_raw(self.number()?);
        self.plan.blueprint.functions.get(function).map(|_| function)
    }

    fn event(&mut self) -> Option<(EventId, Value)> {
        let event = EventId::new(self.plan.event_names.number(self.word()?)?);
        let payload = self.payload()?;
        let ty = &self.plan.blueprint.events[event].payload;
        conforms(&payload, ty).then_some((event, payload))
    }

    fn payload(&mut self) -> Option<Value> {
        if self.rest.starts_with('(') { self.parenthesis() } else { Some(Value::Null) }
    }

    fn states(&mut self, owner: Owner) -> Option<Vec<StateId>> {
        if self.eat("-") {
            return Some(Vec::new());
        }
        let mut stack = vec![self.state(owner)?];
        while self.eat("/") {
            stack.push(self.state(owner)?);
        }
        Some(stack)
    }

    /// All variables, or none.
    fn fields(&mut self, owner: Owner, all: bool) -> Option<Vec<Value>> {
        let fields = self.raw_fields(owner)?;
        let right = if all { self.plan.body(owner).fields.len() } else { 0 };
        (fields.len() == right).then_some(fields)
    }

    fn raw_fields(&mut self, owner: Owner) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        if !self.eat(" {") {
            return Some(values);
        }
        for field in &self.plan.body(owner).fields {
            self.expect(if values.is_empty() { "" } else { ", " })?;
            self.expect(if field.name.is_empty() { "#" } else { &field.name })?;
            self.expect(" = ")?;
            values.push(self.value_of(&field.ty)?);
        }
        self.expect("}")?;
        Some(values)
    }

    fn value_of(&mut self, ty: &Type) -> Option<Value> {
        let value = self.value()?;
        (conforms(&value, ty) && parts(&value).is_some()).then_some(value)
    }

    /// What follows the variables of a local state, up to the next semicolon.
    fn segment(&mut self, local: &mut Local) -> Option<()> {
        if self.rest.starts_with("fn") {
            let frame = self.frame()?;
            local.frames.push(frame);
            return local.agenda.is_empty().then_some(());
        }
        if local.phase != Phase::Running {
            return None;
        }
        let owner = local.owner;
        let task = match self.word()? {
            "exit" => Task::Exit,
            "drop" => Task::Drop,
            "halt" => Task::Halt,
            "call" => {
                self.expect(" ")?;
                let function = self.function()?;
                if !self.plan.functions[self.plan.body_id(owner)].contains(&function) {
                    return None;
                }
                Task::Call(function, self.payload_of(Some(function))?)
            }
            "enter" => {
                let (state, payload) = self.entered(owner)?;
                Task::Enter(state, payload)
            }
            "push" => {
                let (state, payload) = self.entered(owner)?;
                Task::Push(state, payload)
            }
            "handle" => {
                self.expect(" ")?;
                let arrived = self.state(owner)?;
                self.expect(" ")?;
                let (event, payload) = self.event()?;
                Task::Handle { event, payload, arrived }
            }
            "fail" => Task::Fail(self.fault()?),
            word => {
                local.phase = self.phase(word)?;
                return Some(());
            }
        };
        local.agenda.push(task);
        Some(())
    }

    fn entered(&mut self, owner: Owner) -> Option<(StateId, Value)> {
        self.expect(" ")?;
        let state = self.state(owner)?;
        let payload = self.payload_of(self.plan.body(owner).states[state].entry)?;
        Some((state, payload))
    }

    /// What a function that takes nothing or the payload is given.
    fn payload_of(&mut self, function: Option<FunctionId>) -> Option<Value> {
        let payload = self.payload()?;
        let function = function.map(|function| self.plan.function(function));
        let right = match function.filter(|function| function.n_params > 0) {
            Some(function) => {
                function.registers.iter().next().is_some_and(|it| conforms(&payload, &it.ty))
            }
            None => payload == Value::Null,
        };
        right.then_some(payload)
    }

    fn phase(&mut self, word: &str) -> Option<Phase> {
        Some(match word {
            "announced" => Phase::Announced,
            "took" => Phase::Took,
            "halting" => Phase::Halting,
            "halted" => Phase::Halted,
            "failed" => Phase::Failed(self.fault()?),
            "unknown" => Phase::GaveUp(self.fault()?),
            "discarded" => Phase::Discarded,
            _ => return None,
        })
    }

    fn frame(&mut self) -> Option<Frame> {
        let function = self.function()?;
        self.expect("@")?;
        let pc = self.number()?;
        let mut registers = self.plan.registers[function].clone();
        let variables: &[Variable] = self.plan.function(function).registers.as_slice();
        if self.eat(" {") {
            loop {
                let register = self.number()? as usize;
                self.expect(" = ")?;
                let ty = &variables.get(register)?.ty;
                registers[register] = self.value_of(ty)?;
                if !self.eat(", ") {
                    break;
                }
            }
            self.expect("}")?;
        }
        let inside = pc as usize <= self.plan.function(function).code.len();
        inside.then_some(Frame { function, pc, registers })
    }

    fn fault(&mut self) -> Option<Arc<Fault>> {
        self.expect(" ")?;
        let code = Code(self.number()?.try_into().ok()?);
        self.expect(" ")?;
        let mut span = None;
        if !self.rest.starts_with('"') {
            let start = self.number()?;
            self.expect("..")?;
            span = Some(Span { start, end: self.number()? });
            self.expect(" ")?;
        }
        let text = self.quoted()?;
        let fault = Fault::new(code, text, Span::default());
        Some(Arc::new(Fault { span, ..fault }))
    }
}
