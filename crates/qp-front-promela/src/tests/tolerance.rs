//! Several faults in one model are all found.

use super::refuses;

#[test]
fn one_statement_does_not_hide_the_next() {
    refuses(
        "
byte x;
active proctype a() {
  x = = 1;
  if
  :: x > -> x = 1
  :: y -> skip
  fi;
  z = 2
}
active proctype b( {
  skip
}
active proctype c() { x = w }
",
        &[
            "3:7 QP0302 expected a value, found `=`",
            "5:10 QP0302 expected a value, found `->`",
            "6:6 QP0312 the name `y` is not declared | declare it before it is used",
            "8:3 QP0312 the name `z` is not declared | declare it before it is used",
            "10:20 QP0302 expected a type, found `{` | write parameters as in `(byte a, b; chan c)`",
            "13:27 QP0312 the name `w` is not declared | declare it before it is used",
        ],
    );
}

#[test]
fn a_missing_brace_does_not_hide_the_next_process() {
    refuses(
        "
active proctype a() {
  do :: skip

active proctype b() {
  u = 1
}
",
        &[
            "4:1 QP0302 expected `od`, found the keyword `active` | every `do` needs `od`",
            "5:3 QP0312 the name `u` is not declared | declare it before it is used",
        ],
    );
}

#[test]
fn there_is_a_limit() {
    let text = format!("init {{ {} }}", "x = ;\n".repeat(30));
    let said = super::said(&super::reading(&text));
    assert_eq!(said.len(), 21);
    assert!(said[20].contains("QP0306 there are more; the first 20 are shown"), "{said:?}");
}

#[test]
fn many_warnings_leave_nothing_out() {
    let sends: String = (0..30).map(|_| "q!1;\n").collect();
    let text = format!("chan q = [1] of {{ byte, byte }}; active proctype p() {{ {sends} skip }}");
    let spec = super::reading(&text).spec.expect("warnings refuse nothing");
    assert_eq!(spec.procs.as_slice()[0].body.block.stmts.len(), 31);
}
