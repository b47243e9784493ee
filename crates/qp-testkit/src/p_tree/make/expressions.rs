//! Random expressions of a type.

use std::rc::Rc;

use super::Maker;
use super::scope::Scope;
use crate::p_tree::tree::{COLOURS, Expr, Op, Type};

type E = Rc<Expr>;

fn var(name: &str) -> E {
    Rc::new(Expr::Var(name.to_owned()))
}

pub(super) fn int(number: usize) -> E {
    Rc::new(Expr::Int(i64::try_from(number).expect("it is small")))
}

pub(super) fn binary(op: Op, left: E, right: E) -> E {
    Rc::new(Expr::Binary(op, left, right))
}

impl Maker {
    /// One of several, if there is one.
    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.rng.below(from.len())].clone())
    }

    /// Something that can go wrong is done: seldom if the program is careful.
    pub(super) fn dares(&mut self) -> bool {
        let often = if self.careful { 2 } else { 45 };
        self.rng.percent(often)
    }

    /// An expression of a type.
    pub(super) fn expr(&mut self, kind: &Type, scope: &Scope, depth: usize) -> E {
        if depth == 0 || self.rng.percent(35) {
            return self.leaf(kind, scope);
        }
        if self.rng.percent(12)
            && let Some(found) = self.part_of(kind, scope, depth)
        {
            return found;
        }
        if self.rng.percent(10)
            && let Some(found) = self.call(kind, scope, depth)
        {
            return found;
        }
        match kind {
            Type::Int => self.number(scope, depth - 1),
            Type::Bool => self.truth(scope, depth - 1),
            Type::Tuple(kinds) => {
                let parts = kinds.iter().map(|it| self.expr(it, scope, depth - 1)).collect();
                Rc::new(Expr::Tuple(parts))
            }
            Type::Named(fields) => {
                let part = |it: &(String, Type)| (it.0.clone(), self.expr(&it.1, scope, depth - 1));
                Rc::new(Expr::Named(fields.iter().map(part).collect()))
            }
            Type::Any => {
                let of = [Type::Int, Type::Bool, Type::Tuple(vec![Type::Int, Type::Bool])];
                let of = self.pick(&of).expect("there are some");
                self.expr(&of, scope, depth - 1)
            }
            _ => self.leaf(kind, scope),
        }
    }

    /// A variable or a constant.
    pub(super) fn leaf(&mut self, kind: &Type, scope: &Scope) -> E {
        if kind == &Type::Machine && self.careful {
            return if scope.has_peer && self.rng.percent(70) {
                var("peer")
            } else if scope.is_spec {
                Rc::new(Expr::Null)
            } else {
                Rc::new(Expr::This)
            };
        }
        if self.rng.percent(75)
            && let Some(name) = self.pick(&scope.of(kind))
        {
            return var(&name);
        }
        Rc::new(match kind {
            Type::Int => return int(self.rng.below(4)),
            Type::Bool => Expr::Bool(self.rng.percent(50)),
            Type::Colour if self.rng.percent(80) => Expr::Colour(self.rng.below(COLOURS.len())),
            Type::Machine if !scope.is_spec && self.rng.percent(85) => Expr::This,
            Type::Event => {
                let plain = self.events.iter().filter(|it| it.1.is_none());
                let names: Vec<String> = plain.map(|it| it.0.clone()).collect();
                match self.pick(&names) {
                    Some(name) if self.careful || self.rng.percent(90) => Expr::Event(name),
                    _ if self.careful => Expr::Event("halt".to_owned()),
                    _ => Expr::Null,
                }
            }
            Type::Any | Type::Machine if self.rng.percent(50) => Expr::Null,
            Type::Any => return int(self.rng.below(3)),
            Type::Tuple(kinds) => {
                Expr::Tuple(kinds.iter().map(|it| self.leaf(it, scope)).collect())
            }
            Type::Named(fields) => {
                let part = |it: &(String, Type)| (it.0.clone(), self.leaf(&it.1, scope));
                Expr::Named(fields.iter().map(part).collect())
            }
            other => Expr::Default(other.clone()),
        })
    }

    /// Part of a variable: of a tuple, or an element of a collection, or the inside of an `any`.
    fn part_of(&mut self, kind: &Type, scope: &Scope, depth: usize) -> Option<E> {
        let mut found: Vec<E> = Vec::new();
        let dares = self.dares();
        for (name, of) in &scope.variables {
            let whole = var(name);
            match of {
                Type::Tuple(kinds) => {
                    let fits = kinds.iter().enumerate().filter(|it| it.1 == kind);
                    found.extend(fits.map(|it| Rc::new(Expr::Item(whole.clone(), it.0))));
                }
                Type::Named(fields) => {
                    let fits = fields.iter().filter(|it| &it.1 == kind);
                    found.extend(fits.map(|it| Rc::new(Expr::Field(whole.clone(), it.0.clone()))));
                }
                Type::Seq(of) if &**of == kind && dares => {
                    let at = self.expr(&Type::Int, scope, depth.min(1));
                    found.push(Rc::new(Expr::Index(whole, at)));
                }
                Type::Map(key, of) if &**of == kind && dares => {
                    let at = self.expr(key, scope, depth.min(1));
                    found.push(Rc::new(Expr::Index(whole, at)));
                }
                Type::Any if dares && matches!(kind, Type::Int | Type::Bool | Type::Tuple(_)) => {
                    found.push(Rc::new(Expr::Cast(whole, kind.clone())));
                }
                _ => {}
            }
        }
        self.pick(&found)
    }

    fn call(&mut self, kind: &Type, scope: &Scope, depth: usize) -> Option<E> {
        let fits = scope.callable.iter().filter(|it| it.result.as_ref() == Some(kind));
        let fits: Vec<_> = fits.filter(|it| !(scope.is_spec && it.acts)).cloned().collect();
        let callable = self.pick(&fits)?;
        let arguments =
            callable.parameters.iter().map(|it| self.expr(it, scope, depth - 1)).collect();
        Some(Rc::new(Expr::Call(callable.name, arguments)))
    }

    fn collection(&mut self, scope: &Scope) -> Option<(E, Type)> {
        let all = scope.that(|it| matches!(it, Type::Seq(_) | Type::Set(_) | Type::Map(..)));
        let (name, kind) = self.pick(&all)?;
        Some((var(&name), kind))
    }

    fn number(&mut self, scope: &Scope, depth: usize) -> E {
        let operand = |maker: &mut Self| maker.expr(&Type::Int, scope, depth);
        match self.rng.below(100) {
            0..25 => binary(Op::Add, operand(self), operand(self)),
            25..37 => binary(Op::Sub, operand(self), operand(self)),
            37..44 => binary(Op::Mul, operand(self), operand(self)),
            44..58 => {
                let op = if self.rng.percent(50) { Op::Div } else { Op::Rem };
                let by = if self.dares() { operand(self) } else { int(2) };
                binary(op, operand(self), by)
            }
            58..64 => Rc::new(Expr::Minus(self.leaf(&Type::Int, scope))),
            64..74 => match self.collection(scope) {
                Some((of, Type::Map(..))) if self.rng.percent(50) => {
                    let list = if self.rng.percent(50) { Expr::Keys(of) } else { Expr::Values(of) };
                    Rc::new(Expr::Sizeof(Rc::new(list)))
                }
                Some((of, _)) => Rc::new(Expr::Sizeof(of)),
                None => operand(self),
            },
            74..80 => Rc::new(Expr::ToInt(self.leaf(&Type::Colour, scope))),
            80..92 if !scope.is_spec => self.choice(scope),
            _ => operand(self),
        }
    }

    fn choice(&mut self, scope: &Scope) -> E {
        let whole = Type::Int;
        let all = scope.that(|it| match it {
            Type::Seq(of) | Type::Set(of) | Type::Map(of, _) => **of == whole,
            _ => false,
        });
        match self.pick(&all) {
            Some((name, kind)) if self.dares() => {
                let of = if matches!(kind, Type::Map(..)) && self.rng.percent(50) {
                    Rc::new(Expr::Keys(var(&name)))
                } else {
                    var(&name)
                };
                Rc::new(Expr::Choose(of))
            }
            _ if self.dares() => Rc::new(Expr::Choose(self.leaf(&Type::Int, scope))),
            _ => Rc::new(Expr::Choose(int(1 + self.rng.below(3)))),
        }
    }

    fn truth(&mut self, scope: &Scope, depth: usize) -> E {
        match self.rng.below(100) {
            0..30 => {
                let ops = [Op::Less, Op::AtMost, Op::Greater, Op::AtLeast, Op::Equal, Op::Unequal];
                let op = self.pick(&ops).expect("there are some");
                let left = self.expr(&Type::Int, scope, depth);
                binary(op, left, self.expr(&Type::Int, scope, depth))
            }
            30..50 => {
                let op = if self.rng.percent(50) { Op::And } else { Op::Or };
                let left = self.expr(&Type::Bool, scope, depth);
                binary(op, left, self.expr(&Type::Bool, scope, depth))
            }
            50..58 => Rc::new(Expr::Not(self.expr(&Type::Bool, scope, depth))),
            58..76 => {
                let kinds: Vec<Type> = scope.variables.iter().map(|it| it.1.clone()).collect();
                let kind = self.pick(&kinds).unwrap_or(Type::Bool);
                let op = if self.rng.percent(50) { Op::Equal } else { Op::Unequal };
                // Of two values of type `any`, both are variables: a constant would have a type of its own.
                let left = self.pick(&scope.of(&kind)).map_or(Rc::new(Expr::Null), |it| var(&it));
                let right = match kind {
                    Type::Any => self.pick(&scope.of(&kind)).map_or(left.clone(), |it| var(&it)),
                    _ => self.expr(&kind, scope, depth),
                };
                if *left == Expr::Null {
                    Rc::new(Expr::Bool(true))
                } else {
                    binary(op, left, right)
                }
            }
            76..88 => match self.collection(scope) {
                Some((of, Type::Seq(kind) | Type::Set(kind))) => {
                    binary(Op::In, self.expr(&kind, scope, depth), of)
                }
                Some((of, Type::Map(key, kind))) => match self.rng.below(3) {
                    0 => binary(Op::In, self.expr(&key, scope, depth), of),
                    1 => {
                        let of = Rc::new(Expr::Keys(of));
                        binary(Op::In, self.expr(&key, scope, depth), of)
                    }
                    _ => {
                        let of = Rc::new(Expr::Values(of));
                        binary(Op::In, self.expr(&kind, scope, depth), of)
                    }
                },
                _ => Rc::new(Expr::Bool(true)),
            },
            _ if scope.is_spec => self.expr(&Type::Bool, scope, depth),
            _ => Rc::new(Expr::Dollar),
        }
    }
}
