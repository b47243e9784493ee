//! Broken versions of a program that uses every construct.

use qp_base::Complaints;

use super::{good, read};
use crate::lexer::tokens;

pub(super) const SAMPLE: &str = r#"
type Foreign;
type Pair = (int, Foreign);
enum Color { RED = 1, BLUE = 2 }
event eReq: (source: machine, id: int);
event eOld assert 3 : seq[int];
eventset Both = { eReq, eOld };
interface I((int, bool)) receives eReq, halt;
param size, depth: int;
machine Server assume 10 receives eReq; sends eOld; {
    var clients: set[machine];
    var table: map[int, (a: int, b: any)];
    start state Init {
        entry (x: int) {
            var i: int;
            i = 0;
            while (i < sizeof(clients) && !(i in clients)) {
                if (i == 3) { break; } else if ($) continue; else i = i + 1;
                foreach (c in clients) { send c, eOld, default(seq[int]); }
            }
            table += (1, (a = 1, b = null));
            table[1].b = -x * 2 + 1 as any;
            table -= 1;
            clients += (new Client(this, 1.5, .5));
            receive {
                case eReq: (r: (source: machine, id: int)) { announce eReq, r; }
                case eOld, null: { pop; }
            }
            assert i > 0, format("i is {0}", i);
            goto Work, (1,);
        }
        exit { print "bye"; }
        defer eReq;
        ignore eOld, halt;
        on null goto Work with f;
    }
    hot state Work {
        on eReq do f;
        on eOld push Init;
        on halt do { raise halt; }
        on eTick goto Init with (x: int) { return; }
    }
    fun f(x: int): bool {
        assume choose(3) to int != keys(table)[0];
        return values(table)[0].a == x || $$ ==> true;
    }
}
spec Safe observes eReq { start cold state S { entry { ; } } }
scenario Seen observes eReq { start state S { } }
fun g(x: int);
pure h(x: int): int = x + 1;
module M = union { Server, Client -> I }, (assert Safe in compose N, { Other });
module N = hidee eReq in hidei I in rename I to J in main Server in { Server };
test param (size in [1, -2]) assume size > 0 pairwise T [main = Server]: M;
implementation Impl [main = Server]: M;
invariant inv: forall (x: int) :: x == x;
"#;

/// Where the machine begins and ends.
fn machine() -> std::ops::Range<usize> {
    SAMPLE.find("machine Server").unwrap()..SAMPLE.find("\nspec Safe").unwrap()
}

#[test]
fn the_sample_is_right() {
    assert_eq!(good(SAMPLE).decls.len(), 18);
}

#[test]
fn every_beginning_is_read_and_the_broken_ones_are_reported() {
    let machine = machine();
    for end in 0..SAMPLE.len() {
        let (_, found) = read(&SAMPLE[..end]);
        if end > machine.start && end < machine.end {
            assert!(!found.is_empty(), "{}", &SAMPLE[..end]);
        }
        assert!(found.len() <= 2, "{found:?}\n{}", &SAMPLE[..end]);
    }
}

#[test]
fn a_missing_token_makes_few_errors() {
    let list = tokens(SAMPLE, 0, &mut Complaints::new(crate::codes::MORE)).list;
    for (token, span) in list {
        let text = format!("{} {}", &SAMPLE[..span.start as usize], &SAMPLE[span.end as usize..]);
        let (_, found) = read(&text);
        let shown: Vec<_> = found.iter().map(|d| &d.message).collect();
        assert!(found.len() <= 6, "without {token:?} at {span:?}: {shown:#?}");
    }
}

#[test]
fn a_doubled_token_makes_few_errors() {
    let list = tokens(SAMPLE, 0, &mut Complaints::new(crate::codes::MORE)).list;
    for (token, span) in list {
        let text = format!("{} {}", &SAMPLE[..span.end as usize], &SAMPLE[span.start as usize..]);
        let (_, found) = read(&text);
        let shown: Vec<_> = found.iter().map(|d| &d.message).collect();
        assert!(found.len() <= 6, "{token:?} twice at {span:?}: {shown:#?}");
    }
}
