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

    pub(crate) fn read(raw: i64) -> Option<u32> {
        if raw == -1 { Some(ABSENT) } else { u32::try_from(raw).ok() }
    }

    /// Cells that are written.
    pub(crate) struct Raw<'a>(pub(crate) &'a [u32]);

    impl Serialize for Raw<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(self.0.iter().copied().map(raw))
        }
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u32>, D::Error> {
        let raw = Vec::<i64>::deserialize(from)?.into_iter();
        let cell =
            |raw| read(raw).ok_or_else(|| D::Error::custom(format!("there is no cell {raw}")));
        raw.map(cell).collect()
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
