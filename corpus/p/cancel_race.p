//@ about: A client may cancel its request while the server is granting it.
//@ source: the P version of cfsm/cancel_race.cfsm, written for the manual
//@ expect assert: proved !explore
//@ expect unhandled: violated steps=8 !explore
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
        // A cancel that was sent before the grant arrived comes here: nobody thought of it.
    }
}
