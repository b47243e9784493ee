//! Statements.

use crate::ast::{self, Ref};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{Block, Expr, ExprKind, Place, Step, Stmt, StmtKind, Ty};

use super::Resolver;
use super::body::BodyKind;
use super::expr::Allowed;
use super::number::Made;

impl Resolver<'_, '_> {
    /// Goes through one statement. What is wrong is left out.
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, block: &mut Block) {
        match &stmt.kind {
            ast::StmtKind::Vars(vars) => return self.locals(vars, block),
            ast::StmtKind::Exclusive { sends, channels } => {
                return self.exclusive(*sends, channels);
            }
            _ => {}
        }
        if let Some(mut stmt) = self.unnumbered(stmt) {
            self.number(&mut stmt);
            self.push_stmt(stmt, block);
        }
    }

    /// A statement before it has its number. Those inside of it have theirs.
    pub(super) fn unnumbered(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        self.begin();
        self.check_event(stmt);
        let labels = stmt.labels.iter().filter_map(|label| self.label(label)).collect();
        let mut made = Made::default();
        let kind = self.stmt_kind(stmt, &mut made)?;
        Some(Stmt { labels, kind, at: stmt.at, number: made.number, closing: made.closing })
    }

    fn locals(&mut self, vars: &ast::Vars, block: &mut Block) {
        for declarator in &vars.declarators {
            let late = self.frame.as_ref().is_some_and(|frame| frame.begun || frame.depth > 0);
            let Some(variable) = self.variable(vars, declarator, late) else { continue };
            let (at, is_step) = (variable.at, variable.late);
            if let Some(local) = self.add_local(&declarator.name, variable) {
                let number = if is_step { self.take_numbers(1) } else { 0 };
                let kind = StmtKind::Declare(local);
                let stmt = Stmt { labels: Vec::new(), kind, at, number, closing: number };
                block.stmts.push(stmt);
            }
        }
    }

    fn exclusive(&mut self, sends: bool, channels: &[Ref]) {
        let places: Vec<Place> = channels.iter().filter_map(|it| self.channel_or_all(it)).collect();
        let Some(frame) = &mut self.frame else { return };
        let list = if sends { &mut frame.body.only_sends } else { &mut frame.body.only_receives };
        list.extend(places);
    }

    /// A channel, or a whole array of them.
    fn channel_or_all(&mut self, reference: &Ref) -> Option<Place> {
        let place = self.any_place(reference)?;
        if place.ty == Ty::Chan {
            return Some(place);
        }
        let message = "this is not a channel";
        self.refused(codes::NOT_CHANNEL, message, reference.at, "`xr` and `xs` are about channels")
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt, made: &mut Made) -> Option<StmtKind> {
        let at = stmt.at;
        Some(match &stmt.kind {
            ast::StmtKind::Vars(_) | ast::StmtKind::Exclusive { .. } => return None,
            ast::StmtKind::Assign(target, value) => self.assign(target, value)?,
            ast::StmtKind::Increment(target) => StmtKind::Increment(self.counter(target)?),
            ast::StmtKind::Decrement(target) => StmtKind::Decrement(self.counter(target)?),
            ast::StmtKind::Condition(value) => StmtKind::Condition(self.condition(value)?),
            ast::StmtKind::Else => StmtKind::Else,
            ast::StmtKind::Send { channel, sorted, args } => {
                self.send(channel, *sorted, args, at)?
            }
            ast::StmtKind::Receive { channel, random, keep, args } => {
                let channel = self.channel(channel)?;
                let args = self.receive_args(&channel, args, at)?;
                StmtKind::Receive { channel, random: *random, keep: *keep, args }
            }
            ast::StmtKind::If(options) => StmtKind::If(self.options(options)),
            ast::StmtKind::Do(options) => StmtKind::Do(self.in_loop(|it| it.options(options))),
            ast::StmtKind::Atomic(body) => StmtKind::Atomic(self.scoped(body)),
            ast::StmtKind::DStep(body) => self.d_step(body),
            ast::StmtKind::Block(body) => StmtKind::Block(self.scoped(body)),
            ast::StmtKind::Unless(body, escape) => self.unless(body, escape, made)?,
            ast::StmtKind::Goto(label) => StmtKind::Goto(self.jump(label)?),
            ast::StmtKind::Break => self.break_loop(at)?,
            ast::StmtKind::Assert(value) => StmtKind::Assert(self.full(value)?),
            ast::StmtKind::Printf(text, args) => {
                let args: Option<Vec<Expr>> = args.iter().map(|arg| self.full(arg)).collect();
                let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                let format = inside.unwrap_or(text).to_owned();
                StmtKind::Printf { format, args: args? }
            }
            ast::StmtKind::Printm(value) => StmtKind::Printm(self.expr(value, Allowed::VALUE)?),
            ast::StmtKind::For { index, from, to, body } => {
                self.for_range(index, (from, to), body, made)?
            }
            ast::StmtKind::ForIn { index, of, body } => self.for_in(index, of, body, made)?,
            ast::StmtKind::Select { index, from, to } => {
                let index = self.target(index);
                let from = self.expr(from, Allowed::VALUE);
                let to = self.expr(to, Allowed::VALUE);
                let (index, from, to) = (index?, from?, to?);
                let (steps, _) = self.select_parts(&index, (&from, &to), stmt.at);
                made.number = self.take_numbers(steps);
                StmtKind::Select { index, from, to }
            }
            ast::StmtKind::SetPriority(pid, value) => {
                let pid = self.expr(pid, Allowed::VALUE);
                let value = self.expr(value, Allowed::VALUE);
                StmtKind::SetPriority(pid?, value?)
            }
        })
    }

    fn assign(&mut self, target: &Ref, value: &ast::Expr) -> Option<StmtKind> {
        let is_priority = matches!(target.parts.as_slice(),
            [part] if &*part.name.text == "_priority" && self.meaning("_priority").is_none());
        if is_priority {
            let value = self.full(value)?;
            let pid = Expr { kind: ExprKind::Pid, at: target.at };
            return Some(StmtKind::SetPriority(pid, value));
        }
        let target = self.target(target);
        let value = self.assigned(value);
        let (target, value) = (target?, value?);
        // Like SPIN, fields of records are not looked at: they are often set back to 0.
        if !target.steps.iter().any(|step| matches!(step, Step::Field(_))) {
            self.check_assigned(target.ty, &value);
        }
        Some(StmtKind::Assign(target, value))
    }

    fn counter(&mut self, target: &Ref) -> Option<Place> {
        let place = self.target(target)?;
        if place.ty == Ty::Chan {
            self.channel_arithmetic(target.at);
            return None;
        }
        Some(place)
    }

    fn options(&mut self, options: &[Vec<ast::Stmt>]) -> Vec<Block> {
        let is_else = |option: &&Vec<ast::Stmt>| {
            matches!(option.first(), Some(ast::Stmt { kind: ast::StmtKind::Else, .. }))
        };
        if let Some(second) = options.iter().filter(is_else).nth(1) {
            let at = second[0].at;
            let help = "`else` is possible if no other option is, so there can be one";
            self.error(codes::ELSE, "there are two `else` in one choice", at, help);
        }
        options.iter().map(|option| self.inner(option)).collect()
    }

    fn in_loop<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(frame) = &mut self.frame {
            let d_step = frame.d_step;
            frame.loops.push(d_step);
        }
        let result = inside(self);
        if let Some(frame) = &mut self.frame {
            frame.loops.pop();
        }
        result
    }

    fn break_loop(&mut self, at: At) -> Option<StmtKind> {
        let frame = self.frame.as_ref()?;
        match frame.loops.last() {
            None => {
                let help = "`break` leaves `do … od` and `for`";
                self.bad_jump("there is no loop to break", at, help);
                return None;
            }
            Some(d_step) if *d_step != frame.d_step => {
                let help =
                    "a `d_step` is one step: it is entered at its beginning and left at its end";
                self.bad_jump("this `break` goes out of a `d_step`", at, help);
            }
            Some(_) => {}
        }
        Some(StmtKind::Break)
    }

    fn d_step(&mut self, body: &[ast::Stmt]) -> StmtKind {
        let before = self.frame.as_ref().and_then(|frame| frame.d_step);
        if let Some(frame) = &mut self.frame {
            frame.d_steps += 1;
            // An inner one is part of the outer one.
            frame.d_step = before.or(Some(frame.d_steps));
        }
        let block = self.scoped(body);
        if let Some(frame) = &mut self.frame {
            frame.d_step = before;
        }
        StmtKind::DStep(block)
    }

    /// A statement with its escape. Of blocks SPIN uses the statements, without a number for the block.
    fn unless(
        &mut self,
        body: &ast::Stmt,
        escape: &ast::Stmt,
        made: &mut Made,
    ) -> Option<StmtKind> {
        self.change_depth(1);
        let body = self.unnumbered(body);
        let escape = self.unnumbered(escape);
        self.change_depth(-1);
        let (mut body, mut escape) = (body?, escape?);
        if !is_plain_block(&escape) {
            self.number(&mut escape);
        }
        let is_labelled = !body.labels.is_empty()
            && matches!(body.kind, StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_));
        if is_labelled {
            made.number = self.take_numbers(2);
        }
        if !is_plain_block(&body) {
            self.number(&mut body);
        }
        if !is_labelled {
            made.number = self.take_numbers(2);
        }
        let alone = |stmt, it: &mut Self| {
            let mut block = Block::default();
            it.push_stmt(stmt, &mut block);
            Box::new(block)
        };
        Some(StmtKind::Unless(alone(body, self), alone(escape, self)))
    }

    fn for_range(
        &mut self,
        index: &Ref,
        (from, to): (&ast::Expr, &ast::Expr),
        body: &[ast::Stmt],
        made: &mut Made,
    ) -> Option<StmtKind> {
        let index = self.target(index);
        let from = self.expr(from, Allowed::VALUE);
        let to = self.expr(to, Allowed::VALUE);
        let body = self.loop_body(body, 2, made);
        Some(StmtKind::For { index: index?, from: from?, to: to?, body })
    }

    /// The body of a `for`, which has so many parts before it, and three behind it.
    fn loop_body(&mut self, body: &[ast::Stmt], parts: u32, made: &mut Made) -> Block {
        made.number = self.take_numbers(parts);
        let body = self.in_loop(|it| it.scoped(body));
        made.closing = self.take_numbers(3);
        body
    }

    /// `for (i in array)` and `for (m in channel)`.
    fn for_in(
        &mut self,
        index: &Ref,
        of: &Ref,
        body: &[ast::Stmt],
        made: &mut Made,
    ) -> Option<StmtKind> {
        let of_place = self.any_place(of);
        let index_place = self.part_of(index);
        let is_record = index_place.as_ref().is_some_and(|it| matches!(it.ty, Ty::Record(_)));
        let body = self.loop_body(body, if is_record { 4 } else { 2 }, made);
        let (place, index) = (of_place?, index_place?);
        if let Some(len) = place.len
            && !matches!(index.ty, Ty::Record(_))
        {
            let number = |value: u32| {
                let value = i32::try_from(value).unwrap_or(i32::MAX);
                Expr { kind: ExprKind::Number(value), at: of.at }
            };
            let (from, to) = (number(0), number(len - 1));
            return Some(StmtKind::For { index, from, to, body });
        }
        let record = self.shape_of(&place).and_then(|shape| self.spec.shapes[shape].record);
        let matches = match (record, index.ty) {
            (Some(carried), Ty::Record(wanted)) => carried == wanted && place.len.is_none(),
            _ => false,
        };
        if !matches {
            let name = of.parts.first().map(|part| quoted(&part.name.text)).unwrap_or_default();
            let help = "it must be an array, or a channel of the record that the variable is";
            let message = format!("{name} cannot be gone through with this variable");
            return self.refused(codes::WRONG_KIND, message, of.at, help);
        }
        let message = self.cells_of(&index)?;
        Some(StmtKind::ForMessages { message, channel: place, body })
    }

    /// In `trace` and `notrace` there are only sends and receives, and choices between them.
    fn check_event(&mut self, stmt: &ast::Stmt) {
        if self.kind() != Some(BodyKind::Trace) {
            return;
        }
        let is_event = match &stmt.kind {
            ast::StmtKind::Send { sorted, .. } => !sorted,
            ast::StmtKind::Receive { random, keep, .. } => !random && !keep,
            ast::StmtKind::If(_)
            | ast::StmtKind::Do(_)
            | ast::StmtKind::Goto(_)
            | ast::StmtKind::Break => true,
            // A label with nothing behind it.
            ast::StmtKind::Condition(_) => !stmt.labels.is_empty(),
            _ => false,
        };
        if !is_event {
            let help = "`trace` has sends, receives, `if`, `do`, `goto` and `break` only";
            self.error(codes::NOT_EVENT, "this is not a send or a receive", stmt.at, help);
        }
    }
}

/// Whether it is a block without a label.
fn is_plain_block(stmt: &Stmt) -> bool {
    stmt.labels.is_empty() && matches!(stmt.kind, StmtKind::Block(_))
}
