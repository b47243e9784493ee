//@ about: A binding gives an interface its machine.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eAsk: machine;
event eAnswer: int;

interface Service() receives eAsk;

machine Main {
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

test tcInterface [main=Main]: { Main, Server -> Service };
