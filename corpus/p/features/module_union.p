//@ about: The union of named modules has the machines of both.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eAsk: machine;
event eAnswer: int;

machine Main {
    start state Init {
        entry {
            var server: machine;
            server = new Server();
            send server, eAsk, this;
        }
        on eAnswer do (n: int) { assert n == 1, "not the server"; }
    }
}

machine Server {
    start state Init {
        on eAsk do (who: machine) { send who, eAnswer, 1; }
    }
}

module front = { Main };
module back = { Server };
module all = (union front, back);

test tcUnion [main=Main]: all;
