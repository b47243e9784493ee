//! Bodies: their blocks, local variables and statements.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{self, Stmt, Vars};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{Block, Body, Expr, LocalId, ProcId, Scope, ScopeId, Ty, Variable};

use super::Resolver;
use super::label::Labels;

/// The body that is being gone through.
pub(super) struct Frame {
    pub(super) kind: BodyKind,
    pub(super) body: Body,
    /// The open blocks with their names, innermost last.
    scopes: Vec<(ScopeId, BTreeMap<Arc<str>, LocalId>)>,
    pub(super) labels: Labels,
    /// How many sequences are open inside of the body.
    pub(super) depth: usize,
    /// Whether a statement was there, so that declarations are steps.
    pub(super) begun: bool,
    /// The loops that are open, each with the `d_step` that it is in.
    pub(super) loops: Vec<Option<usize>>,
    /// The `d_step` that is open.
    pub(super) d_step: Option<usize>,
    /// How many there were.
    pub(super) d_steps: usize,
}

/// What stands before a body.
#[derive(Clone, Copy, Default)]
pub(super) struct Header<'a> {
    pub(super) params: &'a [Vars],
    pub(super) provided: Option<&'a ast::Expr>,
}

/// What sort of body it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    Proc(ProcId),
    Claim,
    Trace,
}

impl Frame {
    pub(super) fn proc(id: ProcId) -> Self {
        Self::new(BodyKind::Proc(id))
    }

    pub(super) fn claim() -> Self {
        Self::new(BodyKind::Claim)
    }

    pub(super) fn trace() -> Self {
        Self::new(BodyKind::Trace)
    }

    fn new(kind: BodyKind) -> Self {
        let mut body = Body::default();
        let whole = body.scopes.push(Scope { parent: None });
        Self {
            kind,
            body,
            scopes: vec![(whole, BTreeMap::new())],
            labels: Labels::default(),
            depth: 0,
            begun: false,
            loops: Vec::new(),
            d_step: None,
            d_steps: 0,
        }
    }

    /// The local variable with a name.
    pub(super) fn local(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().find_map(|(_, names)| names.get(name).copied())
    }

    /// The names of all local variables that can be used here.
    pub(super) fn local_names(&self) -> Vec<Arc<str>> {
        self.scopes.iter().flat_map(|(_, names)| names.keys().cloned()).collect()
    }

    /// The innermost open block.
    pub(super) fn scope(&self) -> ScopeId {
        self.scopes.last().map_or(ScopeId::new(0), |&(id, _)| id)
    }

    fn open_scope(&mut self) {
        let parent = self.scopes.last().map(|&(id, _)| id);
        let id = self.body.scopes.push(Scope { parent });
        self.scopes.push((id, BTreeMap::new()));
    }

    fn add(&mut self, name: &Arc<str>, mut variable: Variable) -> Option<LocalId> {
        let (scope, names) = self.scopes.last_mut()?;
        variable.scope = *scope;
        let id = self.body.locals.push(variable);
        names.insert(name.clone(), id);
        Some(id)
    }
}

impl Resolver<'_, '_> {
    /// Goes through a body. Says also how many parameters it has, and what it is provided with.
    pub(super) fn body(
        &mut self,
        frame: Frame,
        header: Header<'_>,
        stmts: &[Stmt],
    ) -> (Body, usize, Option<Expr>) {
        self.frame = Some(frame);
        self.params(header.params);
        let count = self.frame.as_ref().map_or(0, |frame| frame.body.locals.len());
        let provided = header.provided.and_then(|it| self.provided(it));
        let mut block = self.sequence(stmts);
        self.link_jumps(&mut block);
        let mut body = self.frame.take().map(|frame| frame.body).unwrap_or_default();
        body.block = block;
        body.end_number = self.take_numbers(1);
        self.bodies += 1;
        (body, count, provided)
    }

    fn params(&mut self, params: &[Vars]) {
        for group in params {
            for declarator in &group.declarators {
                let Some(variable) = self.variable(group, declarator, false) else { continue };
                let hides_array = match variable.ty {
                    Ty::Record(record) => self.spec.records[record].holds_array,
                    _ => false,
                };
                if variable.len.is_some() || hides_array {
                    let message = format!("{} cannot be a parameter", quoted(&variable.name));
                    let help = "arrays cannot be handed over; make it global";
                    self.error(codes::DECLARATION, message, variable.at, help);
                } else if !matches!(declarator.init, ast::Init::None) {
                    let message =
                        format!("{} cannot have a value of its own", quoted(&variable.name));
                    let help = "a parameter gets its value from `run`";
                    self.error(codes::DECLARATION, message, variable.at, help);
                }
                self.add_local(&declarator.name, variable);
            }
        }
    }

    /// Adds a local variable, unless its name is taken.
    pub(super) fn add_local(&mut self, name: &ast::Ident, variable: Variable) -> Option<LocalId> {
        let local = self.frame.as_ref().and_then(|frame| frame.local(&name.text));
        let first = match local {
            Some(id) => self.frame.as_ref().map(|frame| frame.body.locals[id].at),
            None => self.names.get(&name.text).map(|&(_, at)| at),
        };
        if let Some(first) = first {
            self.duplicate(name, first);
            if local.is_some() {
                return None;
            }
        }
        self.frame.as_mut()?.add(&name.text, variable)
    }

    /// Statements in braces, with names of their own.
    pub(super) fn scoped(&mut self, stmts: &[Stmt]) -> Block {
        if let Some(frame) = &mut self.frame {
            frame.open_scope();
        }
        let block = self.inner(stmts);
        if let Some(frame) = &mut self.frame {
            frame.scopes.pop();
        }
        block
    }

    /// Statements inside of another statement.
    pub(super) fn inner(&mut self, stmts: &[Stmt]) -> Block {
        self.change_depth(1);
        let block = self.sequence(stmts);
        self.change_depth(-1);
        block
    }

    pub(super) fn change_depth(&mut self, by: isize) {
        if let Some(frame) = &mut self.frame {
            frame.depth = frame.depth.saturating_add_signed(by);
        }
    }

    fn sequence(&mut self, stmts: &[Stmt]) -> Block {
        let mut block = Block::default();
        for stmt in stmts {
            if self.report.is_full() {
                break;
            }
            self.stmt(stmt, &mut block);
        }
        block
    }

    pub(super) fn kind(&self) -> Option<BodyKind> {
        self.frame.as_ref().map(|frame| frame.kind)
    }

    /// Marks that statements have begun.
    pub(super) fn begin(&mut self) {
        if let Some(frame) = &mut self.frame {
            frame.begun = true;
        }
    }

    /// Reports a jump that is not possible.
    pub(super) fn bad_jump(&mut self, message: &str, at: At, help: &str) {
        self.error(codes::JUMP, message, at, help);
    }
}
