//@ about: Sending a machine what it does not declare to receive fails.
//@ source: P's runtime
//@ expect assert: violated !explore
//@ note: the send fails, so the message is never unhandled
event eA;
event eB;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eB;
        }
    }
}

machine Sub
receives eA;
{
    start state Init {
        ignore eA;
    }
}

test tcReceives [main=Main]: { Main, Sub };
