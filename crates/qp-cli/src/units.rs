//! Durations and sizes as people write them.

use std::time::Duration;

/// `90`, `90s`, `1.5m`, `2h`, `500ms`; `none` for no limit.
pub(crate) fn duration(text: &str) -> Result<Limit<Duration>, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 =
        number.trim().parse().map_err(|_| "write it like 60s, 5m or 2h".to_owned())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit {unit}: use ms, s, m or h")),
    };
    let limit = Duration::try_from_secs_f64(seconds);
    limit.map(|limit| Limit(Some(limit))).map_err(|_| "that is not a time".to_owned())
}

/// `4GiB`, `512MiB`, `1000000`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 =
        number.trim().parse().map_err(|_| "write it like 4GiB or 512MiB".to_owned())?;
    let factor: f64 = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("unknown unit {unit}: use KiB, MiB or GiB")),
    };
    #[expect(clippy::cast_sign_loss, reason = "it was just compared with zero")]
    if number >= 0.0 { Ok((number * factor) as u64) } else { Err("that is not a size".to_owned()) }
}

/// A limit that can be switched off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit<T>(pub(crate) Option<T>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let time = |text| duration(text).ok().map(|limit| limit.0);
        assert_eq!(time("60s"), Some(Some(Duration::from_mins(1))));
        assert_eq!(time("1.5m"), Some(Some(Duration::from_secs(90))));
        assert_eq!(time("250ms"), Some(Some(Duration::from_millis(250))));
        assert_eq!(time("none"), Some(None));
        for wrong in ["", "x", "5d", "-1s", "1e400", "nan"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("512mb"), Ok(512 << 20));
        assert_eq!(bytes("17"), Ok(17));
        for wrong in ["", "GiB", "-1", "3parsecs"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
