//@ about: The repaired twin of cancel_race.p: the server lets a late cancel pass.
//@ source: the P version of cfsm/cancel_fixed.cfsm, in its own way, written for the manual
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
event eReq: machine;
event eCancel;
event eGrant;

machine Main {
    start state Init {
        entry {
            var server: machine;
            server = new Server();
            new Client(server);
        }
    }
}

machine Client {
    start state Asking {
        entry (server: machine) {
            send server, eReq, this;
            if ($) {
                send server, eCancel;
                goto Done;
            }
        }
        on eGrant goto Done;
    }

    state Done {
        ignore eGrant;
    }
}

machine Server {
    start state Free {
        on eReq goto Granted with (client: machine) {
            send client, eGrant;
        }
        ignore eCancel;
    }

    state Granted {
        ignore eCancel;
    }
}
