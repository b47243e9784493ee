//! Any bytes give a formula that is read again when it is printed, or diagnostics at places inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qp_machines::Qutl;

fuzz_target!(|bytes: &[u8]| {
    let text = qp_load::text_of(bytes);
    match Qutl::parse(&text, 0) {
        Ok(formula) => assert_eq!(Qutl::parse(&formula.to_string(), 0).ok(), Some(formula)),
        Err(error) => assert!(text.get(error.primary.span.range()).is_some()),
    }
    let (_, source, diagnostics) = qp_load::invariants("fuzz", &text);
    for diagnostic in &diagnostics {
        assert!(source.text.get(diagnostic.primary.span.range()).is_some());
    }
});
