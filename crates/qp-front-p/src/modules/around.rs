//! What stands around a module: hiding, renaming, specs.

use qp_base::{Diagnostic, Span};

use crate::ast::{Ident, ModuleExpr};
use crate::codes;

use super::event_sets::Events;
use super::module::{Evaluator, Module, Role, attached_twice};

impl<'d> Evaluator<'_, 'd> {
    /// `hidee E in m`.
    pub(super) fn hide_events(
        &mut self,
        events: &'d [Ident],
        of: &'d ModuleExpr,
        span: Span,
    ) -> Option<Module<'d>> {
        let mut module = self.module(of)?;
        if let Err(error) = self.check_events(events, &module, span) {
            self.complaints.push(error);
            return None;
        }
        module.hidden.extend(events.iter().map(|event| event.text.as_str()));
        Some(module)
    }

    /// Whether these events concern nobody outside.
    fn check_events(
        &self,
        events: &'d [Ident],
        module: &Module<'d>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let inside = &self.sends(module) & &self.receives(module);
        for event in events {
            self.index.event(event)?;
            if !inside.contains(event.text.as_str()) {
                let message = format!("`{}` is not both sent and received inside", event.text);
                return Err(Diagnostic::error(codes::HIDDEN_WRONG, message, event.span)
                    .help("only an event that the module both sends and receives can be hidden"));
            }
        }
        for interface in half_open(module) {
            let receivable = self.index.receivable(interface);
            if let Some(event) = events.iter().find(|e| receivable.contains(e.text.as_str())) {
                let message = format!("`{}` can come through `{interface}`", event.text);
                return Err(Diagnostic::error(codes::HIDDEN_WRONG, message, span).help(format!(
                    "the module must both bind `{interface}` and create it, or not hide the event"
                )));
            }
        }
        Ok(())
    }

    /// `hidei I in m`.
    pub(super) fn hide_interfaces(
        &mut self,
        interfaces: &'d [Ident],
        of: &'d ModuleExpr,
    ) -> Option<Module<'d>> {
        let module = self.module(of)?;
        for name in interfaces {
            let text = name.text.as_str();
            let bound = module.roles.iter().any(|role| role.interface == text);
            let created = module.roles.iter().any(|role| role.links.values().any(|l| *l == text));
            let error = match self.index.interface(name) {
                Err(error) => error,
                Ok(()) if bound && created => continue,
                Ok(()) => {
                    let message = format!("`{text}` is not both bound and created inside");
                    Diagnostic::error(codes::HIDDEN_WRONG, message, name.span)
                        .help("only an interface that the module binds and creates can be hidden")
                }
            };
            self.complaints.push(error);
            return None;
        }
        Some(module)
    }

    /// `assert S, T in m`.
    pub(super) fn attach(&mut self, specs: &'d [Ident], of: &'d ModuleExpr) -> Option<Module<'d>> {
        let mut module = self.module(of)?;
        let sends = self.sends(&module);
        for name in specs {
            if let Err(error) = self.check_spec(name, &module, &sends) {
                self.complaints.push(error);
                return None;
            }
            let watched = module.roles.iter().map(|role| role.interface).collect();
            module.watched.insert(&name.text, watched);
        }
        Some(module)
    }

    fn check_spec(
        &self,
        name: &'d Ident,
        module: &Module<'d>,
        sends: &Events<'d>,
    ) -> Result<(), Diagnostic> {
        let spec = self.index.spec(name)?;
        if module.watched.contains_key(name.text.as_str()) {
            return Err(attached_twice(&name.text, name.span, None));
        }
        let observes = self.index.observes(spec);
        if let Some(event) = observes.iter().find(|event| !sends.contains(*event)) {
            let message =
                format!("no machine here sends `{event}`, which `{}` observes", name.text);
            return Err(Diagnostic::error(codes::NEVER_SENT, message, name.span)
                .also(spec.name.span, "declared here")
                .help("add the event to what a machine `sends`, or do not observe it"));
        }
        Ok(())
    }

    /// `rename I to J in m`.
    pub(super) fn rename(
        &mut self,
        old: &'d Ident,
        new: &'d Ident,
        of: &'d ModuleExpr,
    ) -> Option<Module<'d>> {
        let mut module = self.module(of)?;
        if let Err(error) = self.check_names(old, new, &module) {
            self.complaints.push(error);
            return None;
        }
        let renamed = |name: &mut &'d str| {
            if *name == old.text {
                *name = &new.text;
            }
        };
        for role in &mut module.roles {
            renamed(&mut role.interface);
            role.links.values_mut().for_each(renamed);
        }
        module.watched.values_mut().flatten().for_each(renamed);
        Some(module)
    }

    fn check_names(
        &self,
        old: &'d Ident,
        new: &'d Ident,
        module: &Module<'d>,
    ) -> Result<(), Diagnostic> {
        self.index.interface(new)?;
        self.index.interface(old)?;
        let used = |name: &str| {
            let bound_or_created = |role: &Role| {
                role.interface == name || role.links.values().any(|link| *link == name)
            };
            module.roles.iter().any(bound_or_created)
        };
        let (message, span) = if self.index.receivable(&old.text)
            != self.index.receivable(&new.text)
        {
            (format!("`{}` and `{}` do not receive the same events", old.text, new.text), new.span)
        } else if !used(&old.text) {
            (format!("`{}` is neither bound nor created inside", old.text), old.span)
        } else if used(&new.text) {
            (format!("`{}` is bound or created inside already", new.text), new.span)
        } else {
            return Ok(());
        };
        Err(Diagnostic::error(codes::RENAMED_WRONG, message, span).help(
            "the new name must be an interface that receives the same and is not used inside",
        ))
    }
}

/// Interfaces that are bound and not created, or created and not bound.
fn half_open<'d>(module: &Module<'d>) -> Vec<&'d str> {
    let bound: Events = module.roles.iter().map(|role| role.interface).collect();
    let created: Events =
        module.roles.iter().flat_map(|role| role.links.values().copied()).collect();
    bound.symmetric_difference(&created).copied().collect()
}
