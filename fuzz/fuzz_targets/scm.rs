//! Any bytes give a model or diagnostics at places inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (model, diagnostics) = qp_load::load_bytes("fuzz.scm", bytes);
    let text = qp_load::text_of(bytes);
    for diagnostic in &diagnostics {
        assert!(diagnostic.primary.span.start as usize <= text.len());
    }
    if let Some(model) = model {
        let mut system = model.system();
        let mut config = system.initial();
        // A few steps of what was read: numbers must fit together.
        for _ in 0..8 {
            let Some(next) = system.successors(&config).into_iter().next() else { break };
            config = next.config;
        }
        for bad in &model.outline().bad {
            bad.holds(&system, &config);
        }
    } else {
        assert!(!diagnostics.is_empty());
    }
});
