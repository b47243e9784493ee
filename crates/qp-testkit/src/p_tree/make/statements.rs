//! Random statements.

use std::rc::Rc;

use super::Maker;
use super::expressions::{binary, int};
use super::scope::{Scope, variable_type};
use crate::p_tree::tree::{Block, Expr, Kind, Op, Part, Place, Stmt, Type};

/// Statements in the making.
pub(super) type Code = Vec<Rc<Stmt>>;

pub(super) fn whole(name: &str) -> Place {
    Place { name: name.to_owned(), parts: Vec::new() }
}

pub(super) fn read(name: &str) -> Rc<Expr> {
    Rc::new(Expr::Var(name.to_owned()))
}

impl Maker {
    pub(super) fn stmt(&mut self, kind: Kind) -> Rc<Stmt> {
        self.n_stmts += 1;
        Rc::new(Stmt { id: self.n_stmts, kind })
    }

    /// Some statements, at most so many besides those inside of them.
    pub(super) fn block(&mut self, scope: &mut Scope, most: usize) -> Code {
        let mut code = Code::new();
        for _ in 0..=self.rng.below(most) {
            let ends = self.statement(scope, most / 2, &mut code);
            if ends {
                break;
            }
        }
        code
    }

    pub(super) fn inner(&mut self, scope: &mut Scope, most: usize) -> Block {
        Rc::new(self.block(scope, most.max(1)))
    }

    /// Adds a statement; whether nothing can follow it.
    fn statement(&mut self, scope: &mut Scope, most: usize, code: &mut Code) -> bool {
        match self.rng.below(100) {
            22..30 => self.assign_part(scope, code),
            30..40 => self.collect(scope, code),
            40..50 if most > 0 => {
                let condition = self.expr(&Type::Bool, scope, 2);
                let then = self.inner(scope, most);
                let has_other = self.rng.percent(40);
                let other = if has_other { self.inner(scope, most) } else { Block::default() };
                code.push(self.stmt(Kind::If(condition, then, other)));
            }
            50..54 if most > 0 => self.count(scope, most, code),
            54..58 if most > 0 => self.foreach(scope, most, code),
            58..71 => self.talk(scope, code),
            71..74 => self.call_statement(scope, code),
            74..86 => self.check(scope, code),
            86..90 if scope.may_wait && self.rng.percent(50) => self.receive(scope, most, code),
            90..96 => return self.leave(scope, code),
            96..98 => return self.jump(scope, code),
            // The most common, and what is done where something else is not possible.
            _ => self.assign(scope, code),
        }
        false
    }

    pub(super) fn fitted(&mut self, kind: &Type, scope: &Scope) -> Rc<Expr> {
        let value = self.expr(kind, scope, 3);
        if *kind == Type::Int && self.rng.percent(85) && !matches!(*value, Expr::Int(_)) {
            return binary(Op::Rem, value, int(3));
        }
        value
    }

    pub(super) fn assign(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|_| true);
        let Some((name, kind)) = self.pick(&all) else { return };
        let mut value = self.fitted(&kind, scope);
        if *value == Expr::Var(name.clone()) && kind == Type::Int {
            value = binary(Op::Rem, binary(Op::Add, value, int(1)), int(3));
        }
        code.push(self.stmt(Kind::Assign(whole(&name), value)));
    }

    /// Changes a part of a variable. Whether its keys are worked out before or after the value, nobody says: they
    /// can neither fail nor change anything.
    fn assign_part(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|it| {
            matches!(it, Type::Tuple(_) | Type::Named(_) | Type::Seq(_) | Type::Map(..))
        });
        let Some((name, mut kind)) = self.pick(&all) else { return };
        let mut place = whole(&name);
        loop {
            let (part, inside) = match kind.clone() {
                Type::Tuple(kinds) => {
                    let at = self.rng.below(kinds.len());
                    (Part::Item(at), kinds[at].clone())
                }
                Type::Named(fields) => {
                    let (field, inside) = self.pick(&fields).expect("there are fields");
                    (Part::Field(field), inside)
                }
                Type::Seq(of) if self.dares() => (Part::At(self.leaf(&Type::Int, scope)), *of),
                Type::Map(key, of) if place.parts.is_empty() || self.dares() => {
                    (Part::At(self.leaf(&key, scope)), *of)
                }
                _ => break,
            };
            place.parts.push(part);
            kind = inside;
            if self.rng.percent(40) {
                break;
            }
        }
        let value = self.fitted(&kind, scope);
        code.push(self.stmt(Kind::Assign(place, value)));
    }

    /// Adds to or removes from a collection, mostly so that it stays small.
    fn collect(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|it| matches!(it, Type::Seq(_) | Type::Set(_) | Type::Map(..)));
        let Some((name, kind)) = self.pick(&all) else { return };
        let (place, size) = (whole(&name), Rc::new(Expr::Sizeof(read(&name))));
        if self.rng.percent(30) {
            let what = match &kind {
                Type::Set(of) | Type::Map(of, _) => self.expr(of, scope, 1),
                _ if self.dares() => self.expr(&Type::Int, scope, 1),
                _ => int(0),
            };
            let remove = self.stmt(Kind::Remove(place, what));
            let some = binary(Op::Greater, size, int(0));
            return self.guarded(some, vec![remove], code);
        }
        let add = match kind {
            Type::Seq(of) => {
                let at = if self.dares() { self.expr(&Type::Int, scope, 1) } else { size.clone() };
                Kind::Insert(place, at, self.fitted(&of, scope))
            }
            Type::Set(of) => Kind::Add(place, self.fitted(&of, scope)),
            Type::Map(key, of) if self.dares() => {
                let at = self.fitted(&key, scope);
                Kind::Insert(place, at, self.fitted(&of, scope))
            }
            Type::Map(key, of) => {
                let at = Part::At(self.leaf(&key, scope));
                Kind::Assign(Place { name, parts: vec![at] }, self.fitted(&of, scope))
            }
            _ => return,
        };
        let add = self.stmt(add);
        self.guarded(binary(Op::Less, size, int(2)), vec![add], code);
    }

    fn guarded(&mut self, condition: Rc<Expr>, then: Code, code: &mut Code) {
        if !self.careful && self.rng.percent(12) {
            return code.extend(then);
        }
        code.push(self.stmt(Kind::If(condition, Rc::new(then), Block::default())));
    }

    fn local(&mut self, scope: &mut Scope, kind: Type) -> String {
        self.n_names += 1;
        let name = format!("v{}", self.n_names);
        scope.locals.push((name.clone(), kind.clone()));
        scope.variables.push((name.clone(), kind));
        name
    }

    /// A loop with a counter.
    fn count(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
        let name = self.local(scope, Type::Int);
        scope.kept.push(name.clone());
        code.push(self.stmt(Kind::Assign(whole(&name), int(0))));
        let next = binary(Op::Add, read(&name), int(1));
        let step = self.stmt(Kind::Assign(whole(&name), next));
        let outer = std::mem::replace(&mut scope.in_loop, true);
        let mut body = vec![step];
        body.extend(self.block(scope, most));
        scope.in_loop = outer;
        let mut condition = binary(Op::Less, read(&name), int(1 + self.rng.below(3)));
        if self.rng.percent(20) {
            condition = binary(Op::And, condition, self.expr(&Type::Bool, scope, 1));
        }
        code.push(self.stmt(Kind::While(condition, Rc::new(body))));
    }

    /// A loop over a sequence; over a set or a map only with a sum, as their order is not known.
    fn foreach(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
        let all = scope.that(|it| matches!(it, Type::Seq(_)));
        if let Some((list, Type::Seq(of))) = self.pick(&all)
            && self.rng.percent(70)
        {
            let name = self.local(scope, (*of).clone());
            let outer = std::mem::replace(&mut scope.in_loop, true);
            let body = self.inner(scope, most);
            scope.in_loop = outer;
            code.push(self.stmt(Kind::Foreach(name, read(&list), body)));
            return;
        }
        let number = Box::new(Type::Int);
        let all = scope.that(|it| matches!(it, Type::Set(of) | Type::Map(of, _) if *of == number));
        let sums = scope.assignable(|it| *it == Type::Int);
        let (Some((list, kind)), Some((sum, _))) = (self.pick(&all), self.pick(&sums)) else {
            return;
        };
        let name = self.local(scope, Type::Int);
        scope.kept.push(name.clone());
        let is_map = matches!(kind, Type::Map(..));
        let list = match self.rng.below(2) {
            0 if is_map => Rc::new(Expr::Keys(read(&list))),
            1 if is_map => Rc::new(Expr::Values(read(&list))),
            _ => read(&list),
        };
        let add = self.stmt(Kind::Assign(whole(&sum), binary(Op::Add, read(&sum), read(&name))));
        code.push(self.stmt(Kind::Foreach(name, list, Rc::new(vec![add]))));
        let small = binary(Op::Rem, read(&sum), int(4));
        code.push(self.stmt(Kind::Assign(whole(&sum), small)));
    }

    fn call_statement(&mut self, scope: &Scope, code: &mut Code) {
        let fits = scope.callable.iter().filter(|it| it.result.is_none());
        let fits = fits.filter(|it| !(scope.is_spec && it.acts || it.leaves && !scope.may_leave));
        let fits: Vec<_> = fits.cloned().collect();
        let Some(callable) = self.pick(&fits) else { return };
        let arguments = callable.parameters.iter().map(|it| self.fitted(it, scope)).collect();
        code.push(self.stmt(Kind::Call(callable.name, arguments)));
    }

    /// An assertion: one that holds, one that may not, or one that only some runs get to.
    fn check(&mut self, scope: &Scope, code: &mut Code) {
        if self.probes && !scope.is_spec {
            let asked = self.expr(&Type::Bool, scope, 3);
            let check = self.stmt(Kind::Assert(asked));
            let probe = Kind::If(Rc::new(Expr::Dollar), Rc::new(vec![check]), Block::default());
            return code.push(self.stmt(probe));
        }
        let sure = self.careful || self.rng.percent(70);
        let asked = if sure {
            let big = int(60 + self.rng.below(9));
            binary(Op::Less, self.expr(&Type::Int, scope, 1), big)
        } else {
            let unlikely = int(2 + self.rng.below(4));
            binary(Op::Unequal, self.expr(&Type::Int, scope, 2), unlikely)
        };
        code.push(self.stmt(Kind::Assert(asked)));
    }

    /// Leaves a loop, its body or the function.
    fn jump(&mut self, scope: &Scope, code: &mut Code) -> bool {
        let kind = match self.rng.below(3) {
            0 if scope.in_loop => Kind::Break,
            1 if scope.in_loop => Kind::Continue,
            _ if scope.may_return => Kind::Return(None),
            _ => return false,
        };
        code.push(self.stmt(kind));
        true
    }

    /// A variable of a function.
    pub(super) fn any_local(&mut self, scope: &mut Scope) {
        let kind = variable_type(&mut self.rng);
        self.local(scope, kind);
    }
}
