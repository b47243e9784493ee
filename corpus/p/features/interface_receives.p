//@ about: What may be sent to a machine is what the interface says under which it was created.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;
event eB;

interface Narrow() receives eA;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Narrow();
            send sub, eB;
        }
    }
}

machine Sub
receives eA, eB;
{
    start state Init {
        ignore eA, eB;
    }
}

test tcNarrow [main=Main]: { Main, Sub -> Narrow };
