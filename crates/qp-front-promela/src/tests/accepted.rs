//! A whole model that uses much of the language at once.

use super::{good, print};

const MODEL: &str = r#"
/* A ring with a token, and a client that asks a server through a channel of its own. */
#define N 3
#define next(i) ((i + 1) % N)
#ifdef LOUD
#define say(what) printf("%d says %e\n", _pid, what)
#else
#define say(what) skip
#endif

mtype = { token, ask, answer };
mtype:mood = { calm, angry }
typedef Note { byte from; mtype what; chan reply }
chan ring[N] = [1] of { mtype, byte };
chan desk = [2] of { Note };
byte holds = 0, turns; hidden byte scratch
mtype:mood mood = calm;

inline pass(to) {
	atomic {
		holds++
		assert(holds == 1)
		holds--
		to!token(turns)
	}
}

active [N] proctype Node() provided (mood == calm || _pid == 0)
{	byte n;
	chan mine = [0] of { mtype };
	Note note;
	xr ring[_pid];

	if
	:: _pid == 0 -> pass(ring[next(_pid)])
	:: else
	fi;
end:	do
	:: ring[_pid]?token,n ->
		turns = (n < 250 -> n + 1 : 0);
		say(token);
		pass(ring[next(_pid)])
	:: nfull(desk) && turns > 3 ->
		note.from = _pid; note.what = ask; note.reply = mine;
		desk!note;
		{ mine?answer } unless { mood == angry }
	:: timeout -> break
	od
}

proctype Server(byte limit)
{	Note note; byte i, served[N];
	for (i : 0 .. N - 1) { served[i] = 0 }
	i = 0
progress:
	do
	:: desk?note ->
		d_step { served[note.from % N]++; i++ };
		note.reply!answer
		if :: i >= limit -> goto done :: else -> skip fi
	od
done:	select (i : 0 .. 3)
}

init { pid p; p = run Server(5); (_nr_pr > 1); skip }

never { T0: if :: (holds > 1) -> goto accept_all :: true -> goto T0 fi; accept_all: skip }
ltl one { [] (holds <= 1) && ([]<> Server@progress || ! <> (len(desk) > 0)) }
"#;

#[test]
fn a_model_with_much_in_it() {
    let spec = good(MODEL);
    let names: Vec<&str> = spec.procs.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Node", "Server", "init"]);
    let shown = print::formula(&spec, &spec.formulas[0].formula);
    assert_eq!(shown, "([](holds<=1) && ([]<>Server@progress || !<>(len(desk)>0)))");
    let bodies = spec.procs.iter().map(|it| it.body.block.stmts.len());
    assert_eq!(bodies.collect::<Vec<_>>(), [5, 7, 4]);
}

pub(super) fn model() -> &'static str {
    MODEL
}
