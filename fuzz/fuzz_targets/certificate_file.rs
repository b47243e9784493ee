//! Any text is a certificate or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(file) = qp_claim::read_certificate(text) {
        let written = qp_claim::write_certificate(&file);
        assert_eq!(qp_claim::read_certificate(&written).as_ref(), Ok(&file));
    }
});
