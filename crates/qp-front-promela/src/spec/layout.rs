//! How many cells things have: records and arrays as rows of single values.

use super::{Field, RecordId, Spec, Ty, Variable};

/// A single value in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its type.
    pub ty: Ty,
    /// Whether it is an element of an array of such values.
    pub in_array: bool,
}

impl Spec {
    /// How many cells one value of a type has.
    pub fn cells_of(&self, ty: Ty) -> usize {
        match ty {
            Ty::Record(id) => self.record_cells(id),
            Ty::Bit
            | Ty::Bool
            | Ty::Byte
            | Ty::Pid
            | Ty::Short
            | Ty::Int
            | Ty::Unsigned(_)
            | Ty::Mtype(_)
            | Ty::Chan => 1,
        }
    }

    /// How many cells a variable has.
    pub fn variable_cells(&self, variable: &Variable) -> usize {
        times(self.cells_of(variable.ty), variable.len)
    }

    /// How many cells a record has.
    pub fn record_cells(&self, record: RecordId) -> usize {
        self.records[record].cells
    }

    /// Which cell of a record is the first one of a field.
    pub fn field_offset(&self, record: RecordId, field: usize) -> usize {
        let before = self.records[record].fields.iter().take(field);
        before.map(|field| self.field_cells(field)).sum()
    }

    /// How many cells a field has.
    pub fn field_cells(&self, field: &Field) -> usize {
        times(self.cells_of(field.ty), field.len)
    }

    /// The cells of a variable in order.
    pub fn cells(&self, variable: &Variable) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.push_cells(variable.ty, variable.len, &mut cells);
        cells
    }

    fn push_cells(&self, ty: Ty, len: Option<u32>, cells: &mut Vec<Cell>) {
        for _ in 0..len.unwrap_or(1) {
            match ty {
                Ty::Record(id) => {
                    for field in &self.records[id].fields {
                        self.push_cells(field.ty, field.len, cells);
                    }
                }
                _ => cells.push(Cell { ty, in_array: len.is_some() }),
            }
        }
    }
}

fn times(cells: usize, len: Option<u32>) -> usize {
    cells.saturating_mul(len.unwrap_or(1) as usize)
}
