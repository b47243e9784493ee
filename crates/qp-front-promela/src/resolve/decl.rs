//! Declarations of symbolic names, records, variables and channels.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::Diagnostic;

use crate::ast::{self, Declarator, Ident, TypeKind, TypeName, Vars};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{
    ExprKind, Field, Init, MtypeId, MtypeSet, Record, ScopeId, Shape, ShapeId, Ty, Variable,
    Visibility,
};

use super::expr::Allowed;
use super::{Meaning, Resolver};

/// How many names a set can have: a value is a byte, and 0 is none of them.
const MTYPES_MAX: usize = 255;
/// How many single values one variable or record may consist of.
const CELLS_MAX: usize = 1 << 20;
/// How many single values a message may consist of.
const FIELDS_MAX: usize = 1 << 12;

impl Resolver<'_, '_> {
    pub(super) fn mtype(&mut self, set: Option<&Ident>, names: &[Ident], at: At) {
        let id = self.mtype_set(set);
        if self.spec.mtypes[id].names.len() + names.len() > MTYPES_MAX {
            let message = "there are too many symbolic names";
            let help = format!("a set can have {MTYPES_MAX} of them");
            return self.error(codes::RANGE, message, at, &help);
        }
        let before = self.spec.mtypes[id].names.len();
        // Within one declaration the last name has the smallest value.
        for (number, name) in names.iter().enumerate() {
            let value = i32::try_from(before + names.len() - number).unwrap_or(0);
            self.declare(name, Meaning::Mtype(id, value));
        }
        let names = names.iter().rev().map(|name| name.text.to_string());
        self.spec.mtypes[id].names.extend(names);
    }

    /// The set with a name, which is new if nobody mentioned it before.
    fn mtype_set(&mut self, name: Option<&Ident>) -> MtypeId {
        let key = name.map(|name| name.text.clone());
        if let Some(&id) = self.mtype_sets.get(&key) {
            return id;
        }
        let name = name.map(|name| name.text.to_string());
        let id = self.spec.mtypes.push(MtypeSet { name, names: Vec::new() });
        self.mtype_sets.insert(key, id);
        id
    }

    pub(super) fn typedef(&mut self, name: &Ident, groups: &[Vars]) {
        let mut fields: Vec<Field> = Vec::new();
        let mut places: BTreeMap<Arc<str>, At> = BTreeMap::new();
        for group in groups {
            for declarator in &group.declarators {
                let Some(field) = self.variable(group, declarator, false) else { continue };
                let name = &declarator.name;
                if let Some(first) = places.insert(name.text.clone(), name.at) {
                    self.duplicate(name, first);
                    continue;
                }
                let Variable { name, ty, len, init, at, .. } = field;
                fields.push(Field { name, ty, len, init, at });
            }
        }
        let mut cells = fields.iter().map(|field| self.spec.field_cells(field)).sum();
        if cells > CELLS_MAX {
            self.too_large(name);
            fields.clear();
            cells = 0;
        }
        let (text, at) = (name.text.to_string(), name.at);
        let holds_array = fields.iter().any(|field| match field.ty {
            Ty::Record(inner) => field.len.is_some() || self.spec.records[inner].holds_array,
            _ => field.len.is_some(),
        });
        let id = self.spec.records.push(Record { name: text, at, fields, cells, holds_array });
        for (number, field) in self.spec.records[id].fields.iter().enumerate() {
            self.fields.insert((id, Arc::from(field.name.as_str())), number);
        }
        self.declare(name, Meaning::Record(id));
    }

    pub(super) fn globals(&mut self, group: &Vars) {
        for declarator in &group.declarators {
            let variable = self.variable(group, declarator, false);
            let Some(variable) = variable else { continue };
            let id = self.spec.globals.push(variable);
            self.declare(&declarator.name, Meaning::Global(id));
        }
    }

    /// What one declarator declares.
    pub(super) fn variable(
        &mut self,
        group: &Vars,
        declarator: &Declarator,
        late: bool,
    ) -> Option<Variable> {
        let Declarator { name, width, size, init } = declarator;
        let ty = self.declared_type(&group.ty, width.as_ref(), name)?;
        let visibility = self.visibility(group, ty, name);
        let len = size.as_ref().map(|size| self.array_len(size, ty, name));
        let init = self.initial(init, ty, len, name, late);
        // A channel is there from the beginning, wherever it is declared.
        let late = late && !matches!(init, Init::Channel(_));
        Some(Variable {
            name: name.text.to_string(),
            ty,
            len,
            init,
            visibility,
            scope: ScopeId::new(0),
            late,
            at: name.at,
        })
    }

    /// The type of a declared name, with its width.
    fn declared_type(
        &mut self,
        ty: &TypeName,
        width: Option<&ast::Expr>,
        name: &Ident,
    ) -> Option<Ty> {
        if let TypeKind::Unsigned = ty.kind {
            let Some(width) = width else {
                let help =
                    "write `unsigned x : 4` for a variable of 4 bits; there are no arrays of them";
                let message = format!("{} has no width", quoted(&name.text));
                self.error(codes::DECLARATION, message, name.at, help);
                return Some(Ty::Unsigned(16));
            };
            let bits = self.constant(width, "a width")?;
            let bits = self.in_range(bits, 1, 31, "a width", width.at).unwrap_or(16);
            return Some(Ty::Unsigned(u8::try_from(bits).unwrap_or(1)));
        }
        if let Some(width) = width {
            let message = format!("{} cannot have a width", quoted(&name.text));
            self.error(codes::DECLARATION, message, width.at, "only `unsigned` has one");
        }
        self.ty(ty)
    }

    /// A type without a width.
    pub(super) fn ty(&mut self, ty: &TypeName) -> Option<Ty> {
        Some(match &ty.kind {
            TypeKind::Bit => Ty::Bit,
            TypeKind::Bool => Ty::Bool,
            TypeKind::Byte => Ty::Byte,
            TypeKind::Pid => Ty::Pid,
            TypeKind::Short => Ty::Short,
            TypeKind::Int => Ty::Int,
            TypeKind::Chan => Ty::Chan,
            TypeKind::Mtype(set) => Ty::Mtype(self.mtype_set(set.as_ref())),
            TypeKind::User(name) => match self.meaning(&name.text) {
                Some(Meaning::Record(id)) => Ty::Record(id),
                Some(_) => {
                    let message = format!("{} is not a type", quoted(&name.text));
                    return self.refused(codes::WRONG_KIND, message, name.at, "");
                }
                None => {
                    self.unknown_name(name);
                    return None;
                }
            },
            TypeKind::Unsigned => {
                let message = "`unsigned` cannot be part of a message";
                let help = "use `byte`, `short` or `int`";
                return self.refused(codes::DECLARATION, message, ty.at, help);
            }
        })
    }

    fn visibility(&mut self, group: &Vars, ty: Ty, name: &Ident) -> Visibility {
        if group.visibility == Visibility::Hidden && matches!(ty, Ty::Bit | Ty::Bool) {
            let message = format!("the bit {} cannot be hidden", quoted(&name.text));
            self.error(codes::DECLARATION, message, name.at, "use `hidden byte`");
        }
        group.visibility
    }

    fn array_len(&mut self, size: &ast::Expr, ty: Ty, name: &Ident) -> u32 {
        let what = "the size of an array";
        let value = self.size(size, what).unwrap_or(1);
        let value = self.in_range(value, 1, i32::MAX, what, size.at).unwrap_or(1);
        let cells = self.spec.cells_of(ty).saturating_mul(value.unsigned_abs() as usize);
        if cells > CELLS_MAX {
            self.too_large(name);
            return 1;
        }
        value.unsigned_abs()
    }

    fn too_large(&mut self, name: &Ident) {
        let message = format!("{} is too large", quoted(&name.text));
        let help = format!("{CELLS_MAX} single values are the most that one thing can have");
        self.error(codes::RANGE, message, name.at, &help);
    }

    fn initial(
        &mut self,
        init: &ast::Init,
        ty: Ty,
        len: Option<u32>,
        name: &Ident,
        late: bool,
    ) -> Init {
        match init {
            ast::Init::None => Init::Zero,
            ast::Init::Value(value) => self.initial_value(value, ty, name, late),
            ast::Init::List(values) => {
                if len.is_none() {
                    self.bad_init(name, "a list of values is for an array");
                    return Init::Zero;
                }
                if late {
                    self.bad_init(name, "a list of values is for where a process begins");
                }
                let what = "a value in such a list";
                let values = values.iter().map(|it| self.constant(it, what).unwrap_or(0)).collect();
                Init::List(values)
            }
            ast::Init::Channel { capacity, fields, at } => {
                if ty != Ty::Chan {
                    self.bad_init(name, "a channel is for a variable of type `chan`");
                    return Init::Zero;
                }
                if late {
                    let name = quoted(&name.text);
                    let message =
                        format!("the channel {name} is made once, when its process starts");
                    let help = "SPIN complains, and what is left in it is still there when the \
                                block begins again; declare it where the process begins";
                    self.warning(codes::EARLY_CHANNEL, message, *at, help);
                }
                self.shape(capacity, fields, *at).map_or(Init::Zero, Init::Channel)
            }
        }
    }

    fn initial_value(&mut self, value: &ast::Expr, ty: Ty, name: &Ident, late: bool) -> Init {
        let Some(value) = self.expr(value, Allowed::VALUE) else { return Init::Zero };
        self.check_assigned(ty, &value);
        if let Ty::Record(_) = ty {
            if late {
                self.bad_init(name, "a record gets its values field by field");
            } else if !matches!(value.kind, ExprKind::Number(0)) {
                let name = quoted(&name.text);
                let message = format!("the record {name} does not get this value");
                let help = "all its fields are 0 at the start, as in SPIN; assign them one by one";
                self.warning(codes::UNUSED_INIT, message, value.at, help);
            }
            return Init::Zero;
        }
        Init::Value(value)
    }

    fn bad_init(&mut self, name: &Ident, why: &str) {
        let message = format!("{} cannot have this value from the start", quoted(&name.text));
        self.error(codes::DECLARATION, message, name.at, why);
    }

    /// Checks a value that is assigned to something of a type.
    pub(super) fn check_assigned(&mut self, ty: Ty, value: &crate::spec::Expr) {
        match (ty, &value.kind) {
            (Ty::Chan, ExprKind::Number(_) | ExprKind::Mtype(..)) => {
                let help = "declare it as in `chan c = [4] of { byte }`, or assign another channel";
                let message = "a number is not a channel";
                self.error(codes::NOT_CHANNEL, message, value.at, help);
            }
            (Ty::Mtype(wanted), ExprKind::Mtype(found, _)) if wanted != *found => {
                // Plain variables may hold names of any set, as in SPIN.
                if wanted == MtypeId::new(0) {
                    return;
                }
                let name = |id: MtypeId| match &self.spec.mtypes[id].name {
                    Some(name) => format!("`mtype:{name}`"),
                    None => "plain `mtype`".to_owned(),
                };
                let message = format!(
                    "this symbolic name belongs to {}, and the variable to {}",
                    name(*found),
                    name(wanted)
                );
                let error = Diagnostic::error(codes::MTYPE, message, value.at.span);
                self.push(error.help("use a name of the variable's set"), value.at);
            }
            _ => {}
        }
    }

    fn shape(&mut self, capacity: &ast::Expr, types: &[TypeName], at: At) -> Option<ShapeId> {
        let what = "the capacity of a channel";
        let value = self.constant(capacity, what)?;
        let value = self.in_range(value, 0, i32::MAX, what, capacity.at)?;
        let mut fields = Vec::new();
        let mut record = None;
        for ty in types {
            let Some(field) = self.ty(ty) else { continue };
            if self.spec.cells_of(field) + fields.len() > FIELDS_MAX {
                let help = format!("it may consist of {FIELDS_MAX} single values");
                let message = "a message of this channel is too large";
                return self.refused(codes::RANGE, message, ty.at, &help);
            }
            record = match field {
                Ty::Record(id) if types.len() == 1 => Some(id),
                _ => None,
            };
            self.push_types(field, None, &mut fields);
        }
        let capacity = value.unsigned_abs();
        Some(self.spec.shapes.push(Shape { capacity, fields, record, at }))
    }

    /// The single values that something consists of.
    fn push_types(&self, ty: Ty, len: Option<u32>, types: &mut Vec<Ty>) {
        for _ in 0..len.unwrap_or(1) {
            match ty {
                Ty::Record(id) => {
                    for field in &self.spec.records[id].fields {
                        self.push_types(field.ty, field.len, types);
                    }
                }
                _ => types.push(ty),
            }
        }
    }
}
