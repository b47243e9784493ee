//! Any text is a trace of a model or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qp_machines::Outline;

fuzz_target!(|text: &str| {
    let model = "machine A { init S: send B m | recv n } machine B { init S: recv m | send A n }";
    let outline = qp_load::load("model.cfsm", model)
        .0
        .map_or_else(Outline::default, |model| model.outline().clone());
    if let Ok(file) = qp_claim::read_trace(text, &outline) {
        let written = qp_claim::write_trace(&file, &outline);
        assert_eq!(qp_claim::read_trace(&written, &outline).as_ref(), Ok(&file));
    }
});
