//@ about: The same name can mean different machines in different modules, once one of them is renamed.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: inside the module side, Server is called Own: its machine creates Other
event eAsk: machine;
event eAnswer: int;

interface Own() receives eAsk;

machine Main {
    start state Init {
        entry {
            var server: machine;
            new Side();
            server = new Server();
            send server, eAsk, this;
        }
        on eAnswer do (n: int) { assert n == 1, "not the first server"; }
    }
}

machine Side {
    start state Init {
        entry {
            var server: machine;
            server = new Server();
            send server, eAsk, this;
        }
        on eAnswer do (n: int) { assert n == 2, "not the second server"; }
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

machine Other
receives eAsk;
sends eAnswer;
{
    start state Init {
        on eAsk do (who: machine) { send who, eAnswer, 2; }
    }
}

module side = rename Server to Own in { Side, Other -> Server };

test tcApart [main=Main]: (union { Main, Server }, side);
