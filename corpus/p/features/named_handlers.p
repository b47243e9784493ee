//@ about: Entries, exits, handlers and transitions can be functions with a name.
//@ source: the P manual, functions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: int;
event eB: int;

machine Main {
    var total: int;

    start state Init {
        entry Begin;
        exit Leave;
        on eA do Count;
        on eB goto Next with Count;
    }

    state Next {
        entry End;
    }

    fun Begin() {
        send this, eA, 1;
        send this, eB, 2;
    }

    fun Count(n: int) {
        total = total * 10 + n;
    }

    fun Leave() {
        total = total * 10 + 5;
    }

    fun End(n: int) {
        assert total == 152 && n == 2, "one, exit, two";
    }
}
