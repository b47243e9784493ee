use super::*;

const CFSM: &str = "machine A { init S: send A m -> T\n T: recv m -> S }";
const SCM: &str = "scm x : nb_channels = 1 ; parameters : real m ; automaton A : initial : 0
                   state 0 : to 0 : when true , 0 ! m ; to 0 : when true , 0 ? m ;";
const FSA: &str = ".outputs A .state graph 0 A ! m 1 1 A ? m 0 .marking 0 .end";

/// The codes of what is said about a file, and the language if it was read.
fn check(name: &str, bytes: &[u8], expect: &str) {
    let (model, diagnostics) = load_bytes(name, bytes);
    let codes: Vec<String> = diagnostics
        .iter()
        .map(|d| format!("{} {}..{}", d.code, d.primary.span.start, d.primary.span.end))
        .collect();
    let found = model.map_or_else(|| codes.join(", "), |m| m.outline().language.to_owned());
    assert_eq!(found, expect, "{name}: {diagnostics:?}");
}

#[test]
fn the_extension_picks_the_reader() {
    check("a.cfsm", CFSM.as_bytes(), "cfsm");
    check("dir.scm/a.cfsm", CFSM.as_bytes(), "cfsm");
    check("A.CFSM", CFSM.as_bytes(), "cfsm");
    check("a.scm", SCM.as_bytes(), "scm");
    check("a.fsa", FSA.as_bytes(), "fsa");
    check("a.fsm", FSA.as_bytes(), "fsa");
    check("a.pml", b"init { skip }", "promela");
    check("a.promela", b"init { skip }", "promela");
    check("a.PROM", b"init { skip }", "promela");
    check("a.txt", CFSM.as_bytes(), "QP0115 0..0");
    check("cfsm", CFSM.as_bytes(), "QP0115 0..0");
    check("dir.cfsm/readme", CFSM.as_bytes(), "QP0115 0..0");
    check("", b"", "QP0115 0..0");
}

#[test]
fn bytes_are_text_or_refused_with_a_place() {
    check("a.cfsm", format!("\u{feff}{CFSM}").as_bytes(), "cfsm");
    check("a.cfsm", CFSM.replace('\n', "\r\n").as_bytes(), "cfsm");
    check("a.fsa", FSA.replace(' ', "\r\n").as_bytes(), "fsa");
    check("a.cfsm", b"// \xff\n", "QP0114 3..4");
    check("a.cfsm", b"\xef\xbb\xbf// \xff\n", "QP0114 3..4");
    check("a.cfsm", b"\xff\xfem\0a\0", "QP0114 0..1");
    assert_eq!(text_of(b"\xef\xbb\xbf// \xff\n"), "// \u{fffd}\n");
}

/// What nobody reads is left out, and shown as such; the program in full still has it.
#[test]
fn values_that_are_not_kept_are_not_made_up() {
    let text = "event eTake: (sum: int, client: int); event eDone: int;
machine Main { start state Init {
  entry { send this, eTake, (sum = 2, client = 7); send this, eDone, 5; }
  on eTake do (order: (sum: int, client: int)) { assert order.sum < 2; }
  ignore eDone; } }";
    let (model, said) = crate::load("bank.p", text);
    let model = model.unwrap_or_else(|| panic!("{said:?}"));
    let full = model.program.in_full().expect("something is left out");
    let sent = |mut system: qp_machines::System| {
        let (mut config, mut sent) = (system.initial(), Vec::new());
        while let Some(outcome) = system.successors(&config).into_iter().next() {
            if let qp_machines::Event::Sent { message, .. } = outcome.event {
                sent.push(system.program().message_shown(message));
            }
            if outcome.is_end() {
                break;
            }
            config = outcome.config;
        }
        sent
    };
    assert_eq!(sent(model.system()), ["eTake(sum = 2, client = ..)", "eDone(..)"]);
    let full = sent(qp_machines::System::new(full));
    assert_eq!(full, ["eTake(sum = 2, client = 7)", "eDone(5)"]);
}

/// SPIN does not look into comments, and old ones are in Latin-1.
#[test]
fn promela_models_may_be_in_latin_1() {
    check("a.pml", b"/* caf\xe9 */ init { printf(\"\xe4\") } // \xfc\n", "promela");
    check("a.pml", b"init { caf\xe9 = 1 }", "QP0312 7..10, QP0301 10..12");
}

#[test]
fn the_user_can_name_the_language() {
    let read = |name: &str, text: &str, language| {
        let file = File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        let switches = Switches { language: Some(language), ..Switches::default() };
        let reading = load_files(name, &[file], &switches);
        assert_eq!(reading.switches.language, Some(language), "it is read again in this language");
        reading.model.map(|model| model.outline().language)
    };
    let init = "init { skip }";
    for name in ["a.spin", "a.prm", "model", "a.p"] {
        assert_eq!(read(name, init, Language::Promela), Some("promela"), "{name}");
    }
    assert_eq!(read("a.txt", CFSM, Language::Cfsm), Some("cfsm"));
    assert_eq!(read("a.pml", SCM, Language::Scm), Some("scm"));
    assert_eq!(read("a", FSA, Language::Fsa), Some("fsa"));
    assert_eq!(read("a.txt", "machine Main { start state S { } }", Language::P), Some("p"));
    assert_eq!(read("a.cfsm", CFSM, Language::Promela), None);
}
