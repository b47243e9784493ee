//! What the expressions of P come to: operands from left to right, and then the operator.

use std::rc::Rc;

use super::process::{Next, Operand, Process, Site, Task, at_end, in_turn};
use super::statements::together;
use super::tree::{COLOURS, Expr, Op, Program};
use super::value::{Fault, Value, binary};

impl Process {
    /// Works out an expression without parts, or says what its parts are.
    pub(super) fn eval(&mut self, expr: &Rc<Expr>, id: usize, program: &Program) -> Next {
        let value = match &**expr {
            Expr::Int(number) => Value::Int(*number),
            Expr::Bool(truth) => Value::Bool(*truth),
            Expr::Colour(number) => Value::Colour(COLOURS[*number].1),
            Expr::Null => Value::Null,
            Expr::This => Value::Machine(self.number),
            Expr::Event(name) => Value::Event(name.clone()),
            Expr::Var(name) => self.variable(name).clone(),
            Expr::Default(kind) => Value::default_of(kind),
            Expr::Dollar => return Next::Splits(vec![Value::Bool(false), Value::Bool(true)]),
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                self.tasks.push(Task::Second(*op, right.clone(), id));
                self.tasks.push(Task::Eval(left.clone(), id));
                return Next::Goes;
            }
            Expr::Call(name, arguments) => {
                let function = program.function(self.machine(program), name);
                self.tasks.push(Task::Call(function.clone(), arguments.len()));
                self.push_all(&in_turn(arguments), id);
                return Next::Goes;
            }
            composed => {
                self.tasks.push(Task::Apply(expr.clone(), id));
                self.push_all(&parts(composed), id);
                return Next::Goes;
            }
        };
        self.values.push(value);
        Next::Goes
    }

    /// `&&` and `||` look at the second operand only if the first one does not tell.
    pub(super) fn second(&mut self, op: Op, right: Rc<Expr>, id: usize) {
        let first = self.pop().bool();
        if first == (op == Op::And) {
            self.tasks.push(Task::Eval(right, id));
        } else {
            self.values.push(Value::Bool(first));
        }
    }

    /// Makes the value of an expression from those of its parts.
    pub(super) fn apply(&mut self, expr: &Expr, id: usize) -> Next {
        match self.applied(expr) {
            Ok(next) => next,
            Err(fault) => Next::Fails((fault, Site::Stmt(id))),
        }
    }

    fn applied(&mut self, expr: &Expr) -> Result<Next, Fault> {
        let mut operands = self.operands(&parts(expr));
        if let Expr::New(machine, _) = expr {
            self.tasks.push(Task::Create(machine.clone(), together(operands), true));
            return Ok(Next::Goes);
        }
        if let Expr::Choose(_) = expr {
            return options(&operands[0]).map(Next::Splits);
        }
        let value = match expr {
            Expr::Field(_, name) => {
                let Value::Named(fields) = &operands[0] else { panic!("it has no fields") };
                fields.iter().find(|it| it.0 == *name).expect("the field is declared").1.clone()
            }
            Expr::Item(_, number) => {
                let Value::Tuple(items) = &operands[0] else { panic!("it is no tuple") };
                items[*number].clone()
            }
            Expr::Index(..) => operands[0].at(&operands[1])?,
            Expr::Tuple(_) => Value::Tuple(operands),
            Expr::Named(fields) => {
                let names = fields.iter().map(|it| it.0.clone());
                Value::Named(names.zip(operands).collect())
            }
            Expr::Not(_) => Value::Bool(!operands[0].bool()),
            Expr::Minus(_) => Value::Int(-operands[0].int()),
            Expr::Binary(op, ..) => binary(*op, &operands[0], &operands[1])?,
            Expr::Sizeof(_) => {
                let size = i64::try_from(operands[0].elements().len());
                Value::Int(size.expect("collections are small"))
            }
            Expr::Keys(_) => Value::Seq(operands[0].elements()),
            Expr::Values(_) => {
                let Value::Map(entries) = operands.remove(0) else { panic!("it is no map") };
                Value::Seq(entries.into_values().collect())
            }
            Expr::Cast(_, kind) if operands[0].is_a(kind) => operands.remove(0),
            Expr::Cast(..) => return Err(Fault::Cast),
            Expr::ToInt(_) => {
                let Value::Colour(number) = operands[0] else { panic!("it is no constant") };
                Value::Int(number)
            }
            other => unreachable!("{other:?} has no parts"),
        };
        self.values.push(value);
        Ok(Next::Goes)
    }
}

/// The parts of an expression that are worked out before it.
fn parts(expr: &Expr) -> Vec<Operand> {
    match expr {
        Expr::Field(of, _)
        | Expr::Item(of, _)
        | Expr::Not(of)
        | Expr::Minus(of)
        | Expr::Sizeof(of)
        | Expr::Keys(of)
        | Expr::Values(of)
        | Expr::Cast(of, _)
        | Expr::ToInt(of)
        | Expr::Choose(of) => at_end([of]),
        Expr::Index(of, with) | Expr::Binary(_, of, with) => at_end([of, with]),
        Expr::Tuple(all) | Expr::New(_, all) => in_turn(all),
        Expr::Named(fields) => in_turn(fields.iter().map(|it| &it.1)),
        other => unreachable!("{other:?} has no parts"),
    }
}

/// What can be chosen: a number below one, or an element. P's runtime makes 0 of `choose(0)`.
fn options(of: &Value) -> Result<Vec<Value>, Fault> {
    let found = match of {
        Value::Int(0) => vec![Value::Int(0)],
        Value::Int(number) => (0..*number).map(Value::Int).collect(),
        collection => collection.elements(),
    };
    if found.is_empty() { Err(Fault::Choice) } else { Ok(found) }
}
