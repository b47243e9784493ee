//! Labels and jumps.
//!
//! A label belongs to its block, so that an inline with a label can be called twice. A jump goes to the
//! label of its own block, else of the nearest block around it, else of any other.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::Diagnostic;

use crate::ast::Ident;
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::spec::{Block, Body, Label, LabelId, ProcId, ScopeId, StmtKind};

use super::body::BodyKind;
use super::{Meaning, Resolver};

/// The labels and jumps of a body so far.
#[derive(Default)]
pub(super) struct Labels {
    /// For each label the `d_step` that it is in.
    d_steps: Vec<Option<usize>>,
    by_scope: BTreeMap<(Arc<str>, ScopeId), LabelId>,
    /// The first one with each name.
    by_name: BTreeMap<Arc<str>, LabelId>,
    jumps: Vec<Jump>,
}

struct Jump {
    name: Ident,
    scope: ScopeId,
    d_step: Option<usize>,
}

impl Resolver<'_, '_> {
    /// A label before a statement.
    pub(super) fn label(&mut self, name: &Ident) -> Option<LabelId> {
        if let Some(Meaning::Global(_) | Meaning::Local(_)) = self.meaning(&name.text) {
            let message = format!("the label {} has the name of a variable", quoted(&name.text));
            return self.refused(codes::LABEL, message, name.at, "give it another name");
        }
        let frame = self.frame.as_mut()?;
        let scope = frame.scope();
        let key = (name.text.clone(), scope);
        if let Some(&first) = frame.labels.by_scope.get(&key) {
            let first = frame.body.labels[first].at;
            let message = format!("there are two labels {}", quoted(&name.text));
            let error = Diagnostic::error(codes::LABEL, message, name.at.span)
                .also(first.span, "the first one");
            self.push(error.help("give one of them another name"), name.at);
            return None;
        }
        frame.labels.d_steps.push(frame.d_step);
        let label = Label { name: name.text.to_string(), scope, at: name.at };
        let id = frame.body.labels.push(label);
        frame.labels.by_scope.insert(key, id);
        frame.labels.by_name.entry(name.text.clone()).or_insert(id);
        Some(id)
    }

    /// A label of the process that is being read, so far.
    pub(super) fn own_label(&self, proc: ProcId, name: &str) -> Option<LabelId> {
        let frame = self.frame.as_ref()?;
        let is_own = frame.kind == BodyKind::Proc(proc);
        frame.labels.by_name.get(name).copied().filter(|_| is_own)
    }

    /// A jump to a label, which may come later. Its number is that of the jump until the body is complete.
    pub(super) fn jump(&mut self, name: &Ident) -> Option<LabelId> {
        let frame = self.frame.as_mut()?;
        let (scope, d_step) = (frame.scope(), frame.d_step);
        frame.labels.jumps.push(Jump { name: name.clone(), scope, d_step });
        Some(LabelId::new(frame.labels.jumps.len() - 1))
    }

    /// Leads the jumps of a body to their labels. Reports those that lead nowhere, or into or out of a
    /// `d_step`.
    pub(super) fn link_jumps(&mut self, block: &mut Block) {
        let Some(frame) = &mut self.frame else { return };
        let labels = std::mem::take(&mut frame.labels);
        let targets: Vec<Option<LabelId>> =
            labels.jumps.iter().map(|jump| labels.target(&frame.body, jump)).collect();
        let Labels { d_steps, jumps, .. } = labels;
        for (jump, found) in jumps.iter().zip(&targets) {
            match found {
                None => self.no_label(&jump.name),
                Some(label) if d_steps[label.index()] != jump.d_step => {
                    let help = "a `d_step` is one step: it is entered at its beginning and left at its end";
                    self.bad_jump("this jump goes into or out of a `d_step`", jump.name.at, help);
                }
                Some(_) => {}
            }
        }
        link(block, &targets);
    }

    fn no_label(&mut self, name: &Ident) {
        let known = self.frame.as_ref().map(|frame| frame.body.labels.as_slice());
        let known = known.unwrap_or_default().iter().map(|label| label.name.as_str());
        let help = did_you_mean(&name.text, known, "write it before a statement: `name: …`");
        let message = format!("there is no label {} here", quoted(&name.text));
        self.error(codes::LABEL, message, name.at, &help);
    }
}

impl Labels {
    /// Where a jump goes.
    fn target(&self, body: &Body, jump: &Jump) -> Option<LabelId> {
        let mut scope = Some(jump.scope);
        while let Some(now) = scope {
            if let Some(&id) = self.by_scope.get(&(jump.name.text.clone(), now)) {
                return Some(id);
            }
            scope = body.scopes[now].parent;
        }
        self.by_name.get(&jump.name.text).copied()
    }
}

/// Replaces the number of every jump by that of its label.
fn link(block: &mut Block, targets: &[Option<LabelId>]) {
    for stmt in &mut block.stmts {
        if let StmtKind::Goto(label) = &mut stmt.kind
            && let Some(found) = targets[label.index()]
        {
            *label = found;
        }
        stmt.kind.blocks_mut().into_iter().for_each(|block| link(block, targets));
    }
}
