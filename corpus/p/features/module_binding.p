//@ about: A binding replaces a machine: whoever creates the name gets the other one.
//@ source: the P manual, modules
//@ expect assert: violated !explore
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

machine Fake {
    start state Init {
        on eAsk do (who: machine) { send who, eAnswer, 2; }
    }
}

test tcBinding [main=Main]: { Main, Fake -> Server };
