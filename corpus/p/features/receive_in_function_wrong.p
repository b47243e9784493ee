//@ about: A receive inside a function that is called in a loop waits anew each time; here the opposite is asserted.
//@ source: the P manual, statements
//@ expect assert: violated !explore
event eAsk: int;
event eAnswer: int;

machine Main {
    start state Init {
        entry {
            var echo: machine;
            var i: int;
            var total: int;
            echo = new Echo(this);
            while (i < 3) {
                total = total + Ask(echo, i);
                i = i + 1;
            }
            assert total != 6, "an answer is missing";
        }
    }

    fun Ask(echo: machine, n: int): int {
        var answer: int;
        send echo, eAsk, n;
        receive {
            case eAnswer: (m: int) { answer = m; }
        }
        return answer;
    }
}

machine Echo {
    var owner: machine;

    start state Init {
        entry (who: machine) { owner = who; }
        on eAsk do (n: int) { send owner, eAnswer, n + 1; }
    }
}
