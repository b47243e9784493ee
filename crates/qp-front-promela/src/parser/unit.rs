//! The declarations of a model: processes, claims, types and formulas.

use crate::ast::{Active, Expr, Ident, Proc, ProcKind, Stmt, Unit};
use crate::at::At;
use crate::codes;
use crate::token::Token;

use super::{Behind, Parser, Reported};

/// A formula whose text is read when everything else is.
pub(super) struct Formula {
    name: Option<Ident>,
    at: At,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    pub(super) fn units(&mut self) {
        while self.peek().is_some() {
            let before = self.rest.len();
            if self.unit().is_none() {
                self.skip_unit();
                if self.rest.len() == before && self.rest.pop().is_none() {
                    break;
                }
            }
        }
        self.read_formulas();
    }

    fn unit(&mut self) -> Option<()> {
        self.in_sequence = false;
        self.open = 0;
        let start = self.here();
        let word = self.peek()?.text.clone();
        match &*word {
            ";" | "->" => {
                self.bump();
            }
            "active" | "proctype" => self.proctype()?,
            "init" => self.init()?,
            "never" => self.never(start)?,
            "trace" | "notrace" => {
                self.bump();
                // A name behind the word is allowed and means nothing.
                if self.at_name() {
                    self.bump();
                }
                let body = self.body()?;
                let at = self.since(start);
                self.units.push(Unit::Trace { forbidden: &*word == "notrace", body, at });
            }
            "typedef" => self.typedef()?,
            "inline" => self.inline_definition()?,
            "ltl" => self.formula_later(start)?,
            _ if self.refused() => {}
            _ if self.at_type() => self.global()?,
            _ => {
                return self
                    .missing("a declaration", "begin it with a type, `proctype`, `init`, …");
            }
        }
        Some(())
    }

    fn global(&mut self) -> Option<()> {
        if self.at_mtype_declaration() {
            let mtype = self.mtype_declaration()?;
            self.units.push(mtype);
            return Some(());
        }
        let vars = self.vars()?;
        self.units.push(Unit::Vars(vars));
        let ends = self.at(";") || self.at("->") || self.peek().is_none();
        if !ends && self.behind != Behind::Closed && !self.at_unit_or_type() {
            return self.missing("`;`", "a declaration ends with `;`");
        }
        Some(())
    }

    /// Whether the next declaration begins without a `;` before it. SPIN wants one only behind braces.
    fn at_unit_or_type(&self) -> bool {
        self.at_unit() || (self.at_type() && self.peek_at(0).is_some_and(|token| token.new_line))
    }

    fn proctype(&mut self) -> Option<()> {
        let mut active = Active::None;
        if self.eat("active") {
            active = Active::One;
            if self.eat("[") {
                active = Active::Some(self.expr()?);
                self.expect("]", "write `active [n] proctype`")?;
            }
        }
        if self.at("D_proctype") {
            self.refused();
        } else {
            self.expect("proctype", "write `active [n] proctype`")?;
        }
        let name = self.name("the name of a process", "write `proctype name(parameters) { … }`")?;
        self.procs.insert(name.text.clone());
        let params = self.params()?;
        let priority = self.priority().ok()?;
        let provided = if self.eat("provided") {
            self.expect("(", "write `provided (condition)`")?;
            let condition = self.expr()?;
            self.expect(")", "every `(` needs a `)`")?;
            Some(condition)
        } else {
            None
        };
        let body = self.body()?;
        let kind = ProcKind::Proctype(active);
        let proc = Proc { kind, name, params, priority, provided, body };
        self.units.push(Unit::Proc(Box::new(proc)));
        Some(())
    }

    fn params(&mut self) -> Option<Vec<crate::ast::Vars>> {
        self.expect("(", "parameters stand in parentheses, also if there are none")?;
        let mut params = Vec::new();
        while !self.at(")") {
            if self.eat(";") {
                continue;
            }
            if !self.at_type() {
                return self.missing("a type", "write parameters as in `(byte a, b; chan c)`");
            }
            params.push(self.vars()?);
            if !self.at(")") && !self.at(";") {
                return self.missing("`;` or `)`", "write parameters as in `(byte a, b; chan c)`");
            }
        }
        self.expect(")", "every `(` needs a `)`")?;
        Some(params)
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Result<Option<Expr>, Reported> {
        if !self.eat("priority") {
            return Ok(None);
        }
        self.number().map(Some).ok_or(Reported)
    }

    fn init(&mut self) -> Option<()> {
        let token = self.bump()?;
        let name = Ident { at: token.at(), text: token.text };
        let priority = self.priority().ok()?;
        let body = self.body()?;
        let (kind, params) = (ProcKind::Init, Vec::new());
        let proc = Proc { kind, name, params, priority, provided: None, body };
        self.units.push(Unit::Proc(Box::new(proc)));
        Some(())
    }

    fn never(&mut self, start: At) -> Option<()> {
        self.bump();
        let name = if self.at_name() { Some(self.name("a name", "")?) } else { None };
        let body = self.body()?;
        self.units.push(Unit::Never { name, body, at: self.since(start) });
        Some(())
    }

    /// Statements in braces that are the body of a declaration.
    fn body(&mut self) -> Option<Vec<Stmt>> {
        self.in_sequence = true;
        self.behind = Behind::Operator;
        let body = self.block();
        self.in_sequence = false;
        let body = body?;
        if body.is_empty() {
            let at = self.last;
            self.report_at(codes::EMPTY, "there is no statement in this body", at, "write `skip`");
        }
        Some(body)
    }

    fn typedef(&mut self) -> Option<()> {
        self.bump();
        let name = self.name("the name of a type", "write `typedef name { … }`")?;
        self.types.insert(name.text.clone());
        self.expect("{", "write `typedef name { byte a; byte b }`")?;
        let mut fields = Vec::new();
        self.in_sequence = true;
        loop {
            while self.eat(";") || self.eat("->") {}
            if self.at("}") {
                break;
            }
            if !self.at_type() {
                return self.missing("a field", "write fields as in `byte a; byte b`");
            }
            fields.push(self.vars()?);
            if !self.at("}") && !self.at(";") {
                return self.missing("`;` or `}`", "fields are separated by `;`");
            }
        }
        self.in_sequence = false;
        self.expect("}", "every `{` needs a `}`")?;
        self.units.push(Unit::Typedef { name, fields });
        Some(())
    }

    /// Keeps the text of a formula for later.
    fn formula_later(&mut self, start: At) -> Option<()> {
        self.bump();
        let name = if self.at_name() { Some(self.name("a name", "")?) } else { None };
        self.expect("{", "write `ltl name { formula }`")?;
        let mut tokens = Vec::new();
        let mut open = 1;
        while let Some(token) = self.bump() {
            open += usize::from(token.is("{"));
            open -= usize::from(token.is("}"));
            if open == 0 {
                let at = self.since(start);
                self.formulas.push(Formula { name, at, tokens });
                return Some(());
            }
            tokens.push(token);
        }
        self.missing("`}`", "every `{` needs a `}`")
    }

    fn read_formulas(&mut self) {
        self.in_sequence = false;
        for formula in std::mem::take(&mut self.formulas) {
            let Formula { name, at, mut tokens } = formula;
            let full_end = self.end;
            // What is missing is missing at the end of the formula, not of the file.
            self.end = At {
                span: qp_base::Span { start: at.span.end.saturating_sub(1), ..at.span },
                ..at
            };
            tokens.reverse();
            self.rest = tokens;
            self.reported = None;
            self.in_formula = true;
            let read = self.expr();
            while self.eat(";") {}
            self.in_formula = false;
            if let Some(read) = read {
                if self.peek().is_some() {
                    self.unexpected("an operator or the end of the formula", "use parentheses");
                }
                self.units.push(Unit::Ltl { name, formula: read, at });
            }
            self.rest.clear();
            self.end = full_end;
        }
    }
}
