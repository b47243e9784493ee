//@ about: A client may cancel while the answer is on its way; the server then answers into a closed session.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eRequest: machine; event eAnswer; event eCancel; event eTick;
machine Main { start state S { entry { var server: machine; server = new Server(); new Client(server); } } }
machine Server { var client: machine; start state Idle {
    on eRequest do (c: machine) { client = c; goto Busy; }
    ignore eCancel, eTick;
  }
  state Busy { entry { send this, eTick; }
    on eTick do { send client, eAnswer; goto Idle; }
    on eCancel goto Idle;
    defer eRequest;
  } }
machine Client { var server: machine; var n: int; start state Ask {
    entry (s: machine) { server = s; send server, eRequest, this; goto Wait; }
  }
  state Again { entry { n = n + 1; if (n < 6) { send server, eRequest, this; goto Wait; } } }
  state Wait { entry { if ($) { send server, eCancel; goto Closed; } }
    on eAnswer goto Again; }
  state Closed { on eAnswer do { assert n < 4, "answered after a cancel"; } } }
test tc [main = Main]: { Main, Server, Client };
