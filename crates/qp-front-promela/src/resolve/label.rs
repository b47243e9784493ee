//! Labels and jumps.

use std::collections::BTreeMap;
use std::rc::Rc;

use qp_base::Diagnostic;

use crate::ast::Ident;
use crate::at::At;
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::spec::{Label, LabelId};

use super::Resolver;

/// The labels of a body so far.
#[derive(Default)]
pub(super) struct Labels {
    numbers: BTreeMap<Rc<str>, LabelId>,
    /// Where each stands, and in which `d_step`.
    defined: BTreeMap<LabelId, (At, Option<usize>)>,
    jumps: Vec<Jump>,
}

struct Jump {
    label: LabelId,
    name: Ident,
    d_step: Option<usize>,
}

impl Resolver<'_, '_> {
    /// The number of a label, which is new if the text did not mention it before.
    fn label_number(&mut self, name: &Ident) -> Option<LabelId> {
        let frame = self.frame.as_mut()?;
        if let Some(&id) = frame.labels.numbers.get(&name.text) {
            return Some(id);
        }
        let label = Label { name: name.text.to_string(), at: name.at };
        let id = frame.body.labels.push(label);
        frame.labels.numbers.insert(name.text.clone(), id);
        Some(id)
    }

    /// A label before a statement.
    pub(super) fn label(&mut self, name: &Ident) -> Option<LabelId> {
        let id = self.label_number(name)?;
        let frame = self.frame.as_mut()?;
        if let Some(&(first, _)) = frame.labels.defined.get(&id) {
            let message = format!("there are two labels {}", quoted(&name.text));
            let error = Diagnostic::error(codes::LABEL, message, name.at.span)
                .also(first.span, "the first one");
            self.push(error.help("give one of them another name"), name.at);
            return None;
        }
        frame.labels.defined.insert(id, (name.at, frame.d_step));
        frame.body.labels[id].at = name.at;
        Some(id)
    }

    /// A jump to a label, which may come later.
    pub(super) fn jump(&mut self, name: &Ident) -> Option<LabelId> {
        let label = self.label_number(name)?;
        let frame = self.frame.as_mut()?;
        let d_step = frame.d_step;
        frame.labels.jumps.push(Jump { label, name: name.clone(), d_step });
        Some(label)
    }

    /// Reports the jumps of a body that lead nowhere, or into or out of a `d_step`.
    pub(super) fn check_labels(&mut self) {
        let Some(frame) = &mut self.frame else { return };
        let Labels { numbers, defined, jumps } = std::mem::take(&mut frame.labels);
        for Jump { label, name, d_step } in jumps {
            match defined.get(&label) {
                None => {
                    let known = numbers.iter().filter(|(_, id)| defined.contains_key(*id));
                    let known = known.map(|(name, _)| &**name);
                    let help =
                        did_you_mean(&name.text, known, "write it before a statement: `name: …`");
                    let message = format!("there is no label {} here", quoted(&name.text));
                    self.error(codes::LABEL, message, name.at, &help);
                }
                Some((_, at)) if *at != d_step => {
                    let help = "a `d_step` is one step: it is entered at its beginning and left at its end";
                    self.bad_jump("this jump goes into or out of a `d_step`", name.at, help);
                }
                Some(_) => {}
            }
        }
    }
}
