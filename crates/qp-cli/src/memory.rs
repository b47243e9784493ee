//! What the process holds, where the system tells: only Linux does, in a file.

/// The resident size of this process in bytes.
pub(crate) fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most memory that this process has held so far, in bytes.
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(wanted: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(wanted))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_taken_shows() {
        let before = super::resident().expect("Linux tells");
        let taken = vec![1_u8; 64 << 20];
        let after = super::resident().expect("Linux tells");
        assert!(after >= before + (32 << 20), "{before} {after} {}", taken.len());
        assert!(super::peak() >= Some(after));
    }
}
