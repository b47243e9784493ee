//! Modules side by side: `union` and `compose`.

use std::collections::BTreeMap;

use qp_base::{Diagnostic, Span};

use crate::ast::ModuleExpr;
use crate::codes;
use crate::names::quoted;

use super::event_sets::Events;
use super::module::{Evaluator, Module, attached_twice};

impl<'d> Evaluator<'_, 'd> {
    /// `union` or `compose`.
    pub(super) fn together(
        &mut self,
        parts: &'d [ModuleExpr],
        compose: bool,
    ) -> Option<Module<'d>> {
        let modules: Vec<_> = parts.iter().map(|part| (self.module(part), part.span)).collect();
        let modules: Option<Vec<_>> =
            modules.into_iter().map(|(module, span)| Some((module?, span))).collect();
        let modules = modules?;
        if let Err(error) = self.check_parts(&modules, compose) {
            self.complaints.push(error);
            return None;
        }
        let mut whole = Module::default();
        for (module, _) in modules {
            whole.roles.extend(module.roles);
            whole.watched.extend(module.watched);
            whole.hidden.extend(module.hidden);
            whole.main = whole.main.or(module.main);
        }
        Some(whole)
    }

    /// Whether the parts can stand side by side.
    fn check_parts(&self, parts: &[(Module<'d>, Span)], compose: bool) -> Result<(), Diagnostic> {
        let mut seen = Seen::default();
        for (part, span) in parts {
            let interfaces = part.roles.iter().map(|role| role.interface);
            if let Some((name, other)) = seen.interfaces.overlap(interfaces, *span) {
                let message = format!("{} is bound in two of these modules", quoted(name));
                return Err(Diagnostic::error(codes::BOUND_IN_BOTH, message, *span)
                    .also(other, "and here")
                    .help("bind every interface in one module only, or rename one of them"));
            }
            if let Some((name, other)) = seen.specs.overlap(part.watched.keys().copied(), *span) {
                return Err(attached_twice(name, *span, Some(other)));
            }
            if compose {
                self.check_outputs(part, *span, &mut seen)?;
            }
        }
        self.check_hidden(parts)
    }

    /// Parts that are composed send and create different things.
    fn check_outputs(
        &self,
        part: &Module<'d>,
        span: Span,
        seen: &mut Seen<'d>,
    ) -> Result<(), Diagnostic> {
        if let Some((event, other)) = seen.sent.overlap(self.sends(part), span) {
            let message = format!("`{event}` is sent by two of the composed modules");
            let help = "say in each machine what it `sends`, or use `union` instead of `compose`";
            return Err(Diagnostic::error(codes::NOT_COMPOSABLE, message, span)
                .also(other, "and here")
                .help(help));
        }
        let created = part.roles.iter().flat_map(|role| role.links.values().copied());
        let created: Events = created.collect();
        if let Some((interface, other)) = seen.created.overlap(created, span) {
            let message = format!("`{interface}` is created by two of the composed modules");
            return Err(Diagnostic::error(codes::NOT_COMPOSABLE, message, span)
                .also(other, "and here")
                .help("use `union` instead of `compose`"));
        }
        Ok(())
    }

    /// What one part hides must not be used by another.
    fn check_hidden(&self, parts: &[(Module<'d>, Span)]) -> Result<(), Diagnostic> {
        let hidden: Events = parts.iter().flat_map(|(part, _)| &part.hidden).copied().collect();
        if hidden.is_empty() {
            return Ok(());
        }
        for (part, span) in parts {
            let public = &self.sends(part) | &self.receives(part);
            if let Some(event) = public.intersection(&hidden).next() {
                let message = format!("`{event}` is hidden in another of these modules");
                return Err(Diagnostic::error(codes::HIDDEN_WRONG, message, *span)
                    .help("hide the event around all modules that send or receive it"));
            }
        }
        Ok(())
    }
}

/// What the parts before have, with the place of the part.
#[derive(Default)]
struct Seen<'d> {
    interfaces: Places<'d>,
    specs: Places<'d>,
    sent: Places<'d>,
    created: Places<'d>,
}

#[derive(Default)]
struct Places<'d>(BTreeMap<&'d str, Span>);

impl<'d> Places<'d> {
    /// Adds names; the first that was there before, with its place.
    fn overlap(
        &mut self,
        names: impl IntoIterator<Item = &'d str>,
        span: Span,
    ) -> Option<(&'d str, Span)> {
        let mut both = None;
        for name in names {
            if let Some(other) = self.0.insert(name, span) {
                both = both.or(Some((name, other)));
            }
        }
        both
    }
}
