//! Programs in which nothing is wrong.

use super::refuses;

/// A bit of everything.
const TODAY: &str = r#"
type tRequest = (from: Client, key: string, time: float);
type tStore = map[string, seq[(int, bool)]];
enum tAnswer { YES = 5, NO = 7 }
event eRequest: tRequest;
event eAnswer: (tAnswer, any);
event eTick;
eventset esServer = { eRequest, halt };
interface Front(int) receives eRequest, halt;

fun older(a: tRequest, b: tRequest): tRequest {
    if (a.time <= b.time) { return a; } else { return b; }
}

machine Server receives eRequest, halt; sends eAnswer; {
    var store: tStore;
    var seen: set[Client];
    var last: tRequest;

    start state Init {
        entry (count: int) {
            var i: int;
            while (i < count) { i = i + 1; if (i == 3) break; }
            goto Serving;
        }
    }

    state Serving {
        entry {
            if (last == default(tRequest)) { announce eTick; }
        }
        on eRequest do answer;
        on null goto Serving with { store = default(tStore); }
        exit { seen = default(set[Client]); }
    }

    fun answer(r: tRequest) {
        var key: string;
        var pair: (int, bool);
        last = older(r, last);
        seen += (r.from);
        if (!(r.key in store)) { store[r.key] = default(seq[(int, bool)]); }
        store[r.key] += (sizeof(store[r.key]), (1, true));
        store[r.key][0].0 = store[r.key][0].0 + 1;
        foreach (key in keys(store)) {
            foreach (pair in store[key]) { assert pair.1, format("{0} has {1}", key, pair); }
        }
        send r.from, eAnswer, YES, null;
        if (choose(2) == 0 && sizeof(seen) > 1) { seen -= (r.from); }
    }
}

machine Client {
    var server: machine;
    start state Init {
        defer eAnswer;
        entry (s: machine) {
            server = s;
            raise eTick;
        }
        on eTick goto Asking;
    }
    state Asking {
        entry {
            send server, eRequest, (from = this, key = "a" + "b", time = 1.5);
            receive {
                case eAnswer: (a: (tAnswer, any)) {
                    var number: int;
                    number = a.0 to int;
                    assert number >= 5 && a.1 == null;
                }
            }
            if ($) { send server, halt; raise halt; }
        }
        ignore eTick, eAnswer;
    }
}

spec Balanced observes eRequest, eAnswer {
    var open: int;
    start cold state Idle { on eRequest goto Busy; ignore eAnswer; }
    hot state Busy {
        entry (r: tRequest) { open = open + 1; }
        on eAnswer do (a: (tAnswer, any)) { open = open - 1; if (open == 0) goto Idle; }
        on eRequest do (r: tRequest) { open = open + 1; }
    }
}

machine Main {
    start state Init {
        entry {
            var server: machine;
            server = new Server(2);
            new Client(server);
        }
    }
}

test tc [main = Main]: assert Balanced in { Main, Server, Client };
"#;

#[test]
fn a_program_of_today_is_accepted() {
    refuses(TODAY, &[]);
}

#[test]
fn a_program_of_2018_is_accepted() {
    refuses(
        "
event Ping assert 1 : machine;
event Pong assume 2;
event Unit;

machine Main assume 4 {
    var other: machine;
    start state Init {
        entry { other = new Other(); raise (Unit); }
        on Unit push Working;
        on Pong goto Done;
    }
    state Working {
        defer Pong;
        entry { send other, Ping, this; if ($) pop; }
        on null do back;
    }
    state Done { ignore Pong; }
    fun back() { pop; }
}

machine Other {
    start state Wait { on Ping do (from: machine) { send from, Pong; } }
}
",
        &[],
    );
}

#[test]
fn values_fit_where_their_type_is_part_of_another() {
    refuses(
        "
machine Main {
    fun id(x: any): any { return x; }
    start state S {
        entry {
            var a: any; var d: data; var s: seq[any]; var t: (x: any, y: seq[any]); var m: machine;
            var e: event; var b: bool; var i: seq[int];
            a = 1; a = this; a = (1, true); d = \"text\"; d = e; s = i; e = null; m = null; m = this;
            t = (x = 1, y = i);
            b = a == 1 && m == this && e != halt && null == m && d == 5;
            b = 5 in s && m in s && (id(a) as bool);
            i = a as seq[int];
            m = a as machine;
        }
    }
}
",
        &[],
    );
}

#[test]
fn names_of_different_kinds_may_be_the_same() {
    refuses(
        "
event x;
fun Main() { }
machine Main {
    var S: int;
    fun S() { S = S + 1; }
    start state S { entry { var Main: int; S(); Main(); Main = S; raise x; } on x goto S; }
}
",
        &[],
    );
}
