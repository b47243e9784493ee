//! How parts of evidence stand in files: numbers, and -1 for what does not exist.

/// Cells of tables.
pub(crate) mod cells {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::ABSENT;

    /// A cell as it stands in a file.
    pub(crate) fn raw(cell: u32) -> i64 {
        if cell == ABSENT { -1 } else { i64::from(cell) }
    }

    /// Cells that are written.
    pub(crate) struct Raw<'a>(pub(crate) &'a [u32]);

    impl Serialize for Raw<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(self.0.iter().copied().map(raw))
        }
    }

    /// A cell that is read.
    pub(crate) struct Cell(pub(crate) u32);

    impl<'a> Deserialize<'a> for Cell {
        fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
            let raw = i64::deserialize(from)?;
            let cell = if raw == -1 { Some(ABSENT) } else { u32::try_from(raw).ok() };
            cell.map(Self).ok_or_else(|| D::Error::custom(format!("there is no cell {raw}")))
        }
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u32>, D::Error> {
        Ok(Vec::<Cell>::deserialize(from)?.into_iter().map(|cell| cell.0).collect())
    }
}

/// Rows of cells, all of one width.
pub(crate) mod rows {
    use std::fmt;

    use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::cells::{self, Cell};
    use crate::ClosedSet;

    /// Rows that are written.
    pub(crate) struct Raw<'a>(pub(crate) &'a ClosedSet);

    impl Serialize for Raw<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(self.0.rows().map(cells::Raw))
        }
    }

    /// Rows that are read, one behind the other.
    #[derive(Default)]
    pub(crate) struct Rows {
        pub(crate) cells: Vec<u32>,
        pub(crate) width: usize,
    }

    impl<'a> Deserialize<'a> for Rows {
        fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_seq(All)
        }
    }

    struct All;

    impl<'a> Visitor<'a> for All {
        type Value = Rows;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of rows")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut from: A) -> Result<Rows, A::Error> {
            let (mut rows, mut number) = (Rows::default(), 0);
            while let Some(width) = from.next_element_seed(One(&mut rows.cells))? {
                if number == 0 {
                    rows.width = width;
                } else if width != rows.width {
                    return Err(A::Error::custom(format!("row {number} has {width} cells")));
                }
                number += 1;
            }
            Ok(rows)
        }
    }

    /// Puts the cells of a row behind those that are there; how many there are.
    struct One<'v>(&'v mut Vec<u32>);

    impl<'a> DeserializeSeed<'a> for One<'_> {
        type Value = usize;

        fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<usize, D::Error> {
            from.deserialize_seq(self)
        }
    }

    impl<'a> Visitor<'a> for One<'_> {
        type Value = usize;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a row of cells")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut from: A) -> Result<usize, A::Error> {
            let before = self.0.len();
            while let Some(Cell(cell)) = from.next_element()? {
                self.0.push(cell);
            }
            Ok(self.0.len() - before)
        }
    }
}

/// Columns of cells.
pub(crate) mod columns {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::cells;

    #[derive(Deserialize)]
    struct Column(#[serde(with = "cells")] Vec<u32>);

    pub(crate) fn serialize<S: Serializer>(columns: &[Vec<u32>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(columns.iter().map(|column| cells::Raw(column)))
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Vec<u32>>, D::Error> {
        let columns = Vec::<Column>::deserialize(from)?;
        Ok(columns.into_iter().map(|column| column.0).collect())
    }
}

/// The number of a machine.
pub(crate) mod number {
    use qp_machines::MachineId;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    pub(crate) fn serialize<S: Serializer>(it: &MachineId, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(it.raw())
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<MachineId, D::Error> {
        u32::deserialize(from).map(MachineId::from_raw)
    }
}

/// The machines whose steps alone are followed; none for all.
pub(crate) mod only {
    use qp_machines::MachineId;
    use serde::{Deserialize, Deserializer, Serializer};

    type Only = Vec<Option<Vec<MachineId>>>;

    pub(crate) fn serialize<S: Serializer>(only: &Only, to: S) -> Result<S::Ok, S::Error> {
        let raw = |it: &Option<Vec<MachineId>>| -> Vec<u32> {
            it.iter().flatten().map(|machine| machine.raw()).collect()
        };
        to.collect_seq(only.iter().map(raw))
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Only, D::Error> {
        let machines = |raw: Vec<u32>| {
            (!raw.is_empty()).then(|| raw.into_iter().map(MachineId::from_raw).collect())
        };
        Ok(Vec::<Vec<u32>>::deserialize(from)?.into_iter().map(machines).collect())
    }
}

/// Has structs written as lists of their fields: they are many, and the names would be most of the file. They are read
/// as lists, too.
macro_rules! listed {
    ($name:ident: $($field:ident),+) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                ($(&self.$field,)+).serialize(to)
            }
        }
    };
}
pub(crate) use listed;
