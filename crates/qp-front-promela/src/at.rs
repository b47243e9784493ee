//! Places that remember which macro or inline put the text there.

use std::sync::Arc;

use qp_base::{Diagnostic, IndexVec, Span, define_index};

define_index!(ExpansionId, "x", "One use of a macro or of an inline.");

/// Where something stands in what the user wrote.
///
/// What comes out of a macro stands where the macro is used. What comes out of an inline stands where the
/// inline is written; its expansion says where it is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct At {
    /// The place in the text.
    pub span: Span,
    /// The innermost macro or inline that put it there.
    pub expansion: Option<ExpansionId>,
}

/// One use of a macro or of an inline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Whether it is a macro or an inline.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Arc<str>,
    /// Where it is used.
    pub call: Span,
    /// Where its name is defined.
    pub definition: Span,
    /// The expansion that the use itself comes from.
    pub parent: Option<ExpansionId>,
}

/// What is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A `#define`.
    Macro,
    /// An `inline`.
    Inline,
}

/// More levels than this are not shown in a message.
const LEVELS_SHOWN_MAX: usize = 4;

/// All uses of macros and inlines of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansions {
    pub(crate) list: IndexVec<ExpansionId, Expansion>,
}

impl Expansions {
    pub(crate) fn push(&mut self, expansion: Expansion) -> ExpansionId {
        self.list.push(expansion)
    }

    /// The innermost inline that a place comes from.
    pub(crate) fn inline_of(&self, expansion: Option<ExpansionId>) -> Option<ExpansionId> {
        let mut now = expansion;
        while let Some(id) = now {
            if self.list[id].kind == ExpansionKind::Inline {
                return now;
            }
            now = self.list[id].parent;
        }
        None
    }

    /// From the one place to the other. If they come from different texts, the first stands for both.
    pub(crate) fn join(&self, first: At, last: At) -> At {
        if first == last {
            return first;
        }
        let inline = self.inline_of(first.expansion);
        let together = self.inline_of(last.expansion) == inline;
        if !together || last.span.start < first.span.start {
            return first;
        }
        let same = first.expansion == last.expansion;
        let expansion = if same { first.expansion } else { inline };
        At { span: first.span.to(last.span), expansion }
    }

    /// Adds to a message through which macros and inlines its text got there.
    pub(crate) fn explain(&self, mut diagnostic: Diagnostic, at: At) -> Diagnostic {
        let mut now = at.expansion;
        for _ in 0..LEVELS_SHOWN_MAX {
            let Some(id) = now else { break };
            let Expansion { kind, name, call, definition, parent } = &self.list[id];
            diagnostic = match kind {
                ExpansionKind::Macro => {
                    diagnostic.also(*definition, format!("the macro `{name}` is defined here"))
                }
                ExpansionKind::Inline => {
                    diagnostic.also(*call, format!("the inline `{name}` is called here"))
                }
            };
            now = *parent;
        }
        diagnostic
    }
}
