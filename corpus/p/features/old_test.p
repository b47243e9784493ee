//@ about: The old form of a test, with an interface and its machine.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eAsk: machine;
event eAnswer: int;

interface Service() receives eAsk;

machine Client {
    start state Init {
        entry {
            var server: machine;
            server = new Service();
            send server, eAsk, this;
        }
        on eAnswer do (n: int) { assert n == 1, "not the server"; }
    }
}

machine Server
receives eAsk;
sends eAnswer;
{
    start state Init {
        on eAsk do (who: machine) { send who, eAnswer, 1; }
    }
}

test Old: main Client in { Client, Server -> Service };
