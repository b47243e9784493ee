//@ about: Modules that send different events can be composed.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eAsk: machine;
event eAnswer: int;

machine Main
receives eAnswer;
sends eAsk;
{
    start state Init {
        entry {
            var server: machine;
            server = new Server();
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

test tcCompose [main=Main]: (compose { Main }, { Server });
