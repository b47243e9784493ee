//@ about: Sending what the sender does not declare to send fails.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;
event eB;

machine Main
sends eA;
{
    start state Init {
        entry {
            var e: event;
            e = eB;
            send this, e;
        }
        ignore eA, eB;
    }
}

test tcSends [main=Main]: { Main };
