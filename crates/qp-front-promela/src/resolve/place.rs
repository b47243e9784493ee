//! Variables with their fields and indices.

use crate::ast::{Ident, Part, Ref};
use crate::at::At;
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::spec::{Init, Place, RecordId, ShapeId, Step, Ty, Var};

use super::expr::Allowed;
use super::{Meaning, Resolver};

impl Resolver<'_, '_> {
    /// A single value: not a record, not a whole array.
    pub(super) fn cell(&mut self, reference: &Ref) -> Option<Place> {
        let place = self.part_of(reference)?;
        if let Ty::Record(_) = place.ty {
            self.whole_record(&place);
            return None;
        }
        Some(place)
    }

    /// A single value that is a channel.
    pub(super) fn channel(&mut self, reference: &Ref) -> Option<Place> {
        if reference.parts.len() == 1 && &*reference.parts[0].name.text == "STDIN" {
            let help = "a model that reads what a user types has no fixed behaviour; use `select`";
            return self.refused(codes::REFUSED, "`STDIN` is not supported", reference.at, help);
        }
        let place = self.cell(reference)?;
        if place.ty != Ty::Chan {
            let message = format!("{} is not a channel", quoted(&reference.parts[0].name.text));
            let help = "declare it as in `chan c = [4] of { byte }`";
            return self.refused(codes::NOT_CHANNEL, message, reference.at, help);
        }
        Some(place)
    }

    /// A variable or a part of one that may be a record, but not a whole array.
    pub(super) fn part_of(&mut self, reference: &Ref) -> Option<Place> {
        let mut place = self.any_place(reference)?;
        if place.len.take().is_some() {
            let last = reference.parts.last()?;
            let name = &last.name.text;
            let message =
                format!("the array {} has no index here: it means `{name}[0]`", quoted(name));
            let help = "SPIN complains and takes the first element; write down which one is meant";
            self.warning(codes::FIRST_ELEMENT, message, reference.at, help);
            place.steps.push(Step::Index(number_expr(0, reference.at)));
        }
        Some(place)
    }

    /// Any variable or part of one.
    pub(super) fn any_place(&mut self, reference: &Ref) -> Option<Place> {
        let (first, rest) = reference.parts.split_first()?;
        let mut place = self.variable_named(&first.name)?;
        self.index(&mut place, first)?;
        for part in rest {
            self.field(&mut place, part)?;
            self.index(&mut place, part)?;
        }
        place.at = reference.at;
        Some(place)
    }

    fn variable_named(&mut self, name: &Ident) -> Option<Place> {
        let (var, variable) = match self.meaning(&name.text) {
            Some(Meaning::Global(id)) => (Var::Global(id), &self.spec.globals[id]),
            Some(Meaning::Local(id)) => (Var::Local(id), &self.frame.as_ref()?.body.locals[id]),
            Some(other) => {
                let message = format!("{} is not a variable", quoted(&name.text));
                return self.refused(codes::WRONG_KIND, message, name.at, what(other));
            }
            None => {
                self.unknown_name(name);
                return None;
            }
        };
        Some(Place { var, steps: Vec::new(), ty: variable.ty, len: variable.len, at: name.at })
    }

    /// Goes to an element, if there is an index.
    pub(super) fn index(&mut self, place: &mut Place, part: &Part) -> Option<()> {
        let Some(index) = &part.index else { return Some(()) };
        if place.len.is_none() {
            let message = format!("{} is not an array", quoted(&part.name.text));
            return self.refused(codes::INDEX, message, index.at, "remove the index");
        }
        let index = self.expr(index, Allowed::VALUE)?;
        place.steps.push(Step::Index(index));
        place.len = None;
        Some(())
    }

    fn field(&mut self, place: &mut Place, part: &Part) -> Option<()> {
        if place.len.is_some() {
            let message = "this array needs an index before its field".to_owned();
            return self.refused(codes::INDEX, message, part.name.at, "write `a[i].field`");
        }
        let Ty::Record(record) = place.ty else {
            let message =
                format!("there is no field {}: this is a single value", quoted(&part.name.text));
            let help = "only a `typedef` has fields";
            return self.refused(codes::FIELD, message, part.name.at, help);
        };
        let Some(&number) = self.fields.get(&(record, part.name.text.clone())) else {
            self.no_field(record, &part.name);
            return None;
        };
        let field = &self.spec.records[record].fields[number];
        (place.ty, place.len) = (field.ty, field.len);
        place.steps.push(Step::Field(number));
        Some(())
    }

    fn no_field(&mut self, record: RecordId, name: &Ident) {
        let record = &self.spec.records[record];
        let known = record.fields.iter().map(|field| field.name.as_str());
        let listed: Vec<&str> = known.clone().take(8).collect();
        let help = did_you_mean(&name.text, known, format!("its fields are {}", listed.join(", ")));
        let message = format!("{} has no field {}", quoted(&record.name), quoted(&name.text));
        self.error(codes::FIELD, message, name.at, &help);
    }

    pub(super) fn whole_record(&mut self, place: &Place) {
        let help =
            "use its fields one by one; only messages and arguments of `run` can be whole records";
        self.error(codes::WHOLE_RECORD, "a record is not a single value", place.at, help);
    }

    /// What a channel carries, if that is known from its declaration.
    pub(super) fn shape_of(&self, place: &Place) -> Option<ShapeId> {
        let (mut ty, mut init) = match place.var {
            Var::Global(id) => {
                let variable = &self.spec.globals[id];
                (variable.ty, &variable.init)
            }
            Var::Local(id) => {
                let variable = &self.frame.as_ref()?.body.locals[id];
                (variable.ty, &variable.init)
            }
            Var::Scratch => return None,
        };
        for step in &place.steps {
            if let (Step::Field(number), Ty::Record(record)) = (step, ty) {
                let field = &self.spec.records[record].fields[*number];
                (ty, init) = (field.ty, &field.init);
            }
        }
        match init {
            Init::Channel(shape) => Some(*shape),
            Init::Zero | Init::Value(_) | Init::List(_) => None,
        }
    }

    /// The single values that a place consists of, in order.
    pub(super) fn cells_of(&mut self, place: &Place) -> Option<Vec<Place>> {
        let mut cells = Vec::new();
        let count = self.spec.cells_of(place.ty);
        self.flat += count;
        if count > CELLS_IN_MESSAGE_MAX || self.flat > CELLS_IN_MESSAGES_MAX {
            let help = format!("a message may consist of {CELLS_IN_MESSAGE_MAX} single values");
            let message = "this record is too large for a message";
            return self.refused(codes::TOO_MUCH, message, place.at, &help);
        }
        self.push_cells(place.clone(), &mut cells);
        Some(cells)
    }

    fn push_cells(&self, place: Place, cells: &mut Vec<Place>) {
        let at = place.at;
        if let Some(len) = place.len {
            for number in 0..len {
                let mut element = Place { len: None, ..place.clone() };
                element.steps.push(Step::Index(number_expr(number, at)));
                self.push_cells(element, cells);
            }
            return;
        }
        let Ty::Record(record) = place.ty else {
            cells.push(place);
            return;
        };
        for (number, field) in self.spec.records[record].fields.iter().enumerate() {
            let mut part = Place { ty: field.ty, len: field.len, ..place.clone() };
            part.steps.push(Step::Field(number));
            self.push_cells(part, cells);
        }
    }
}

/// How many single values one record in a message may have.
const CELLS_IN_MESSAGE_MAX: usize = 1 << 12;
/// How many single values all records in messages may have together.
const CELLS_IN_MESSAGES_MAX: usize = 1 << 20;

fn number_expr(number: u32, at: At) -> crate::spec::Expr {
    let value = i32::try_from(number).unwrap_or(i32::MAX);
    crate::spec::Expr { kind: crate::spec::ExprKind::Number(value), at }
}

fn what(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Global(_) | Meaning::Local(_) => "it is a variable",
        Meaning::Mtype(..) => "it is a symbolic name, which cannot change",
        Meaning::Record(_) => "it is a type",
        Meaning::Proc(_) => "it is a process",
    }
}
