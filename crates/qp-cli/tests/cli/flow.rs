//! Bounds by counting, from the command line to the certificate.

use crate::place::Place;

const MODEL: &str = "corpus/cfsm/client_server_ts.cfsm";

#[test]
fn a_bound_that_no_run_was_seen_to_reach_says_so_and_is_certified() {
    let place = Place::new("flow_bounds");
    place.copy(MODEL);
    let out = place.expect(0, &["bounds", MODEL, "--engine", "flow"]).out;
    assert!(
        out.contains("ts0    -             2  flow                  0  capacity 2 or less\n"),
        "{out}"
    );
    let certificate = ".queueproof/corpus/cfsm/client_server_ts.cfsm/certificate.json";
    assert!(place.read(certificate).contains("\"evidence\":{\"flow\""));
    let out = place.expect(0, &["cert", "verify", certificate]).out;
    let proves = "a set of 4 weighings of the control flow proves, for every queue length: bounded, \
                  length:ts0<=2, length:ts1<=2, length:tc0<=1, length:tc1<=1\n";
    assert!(out.contains(proves), "{out}");
}

#[test]
fn a_forged_bound_is_refused() {
    let place = Place::new("flow_forged");
    place.copy(MODEL);
    place.expect(0, &["bounds", MODEL, "--engine", "flow"]);
    let text = place.read(".queueproof/corpus/cfsm/client_server_ts.cfsm/certificate.json");
    place.file("forged.json", text.replace("length:ts0<=2", "length:ts0<=1"));
    place.expect(70, &["cert", "verify", "forged.json", "--model", MODEL]);
}

#[test]
fn rounds_that_may_grow_are_named() {
    let place = Place::new("flow_rounds");
    // What is left in the queue is soon at its front. Counting does not see that.
    let round = "recv go -> send B left -> send B go -> S";
    let text = format!("machine A {{ init S: send B go -> T T: }} machine B {{ init S: {round} }}");
    place.file("m.cfsm", &text);
    let out = place.expect(2, &["bounds", "m.cfsm", "--engine", "flow", "--width", "200"]).out;
    let told = "B: counting messages does not rule out that B grows for ever, by rounds from B.S (line 1): \
                receive B go, send B left, send B go (once)";
    assert!(out.contains(told), "{out}");
}
