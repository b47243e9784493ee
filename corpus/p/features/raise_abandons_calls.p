//@ about: A raise statement leaves all functions: nothing behind it runs.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA;

machine Main {
    var done: bool;

    start state Init {
        entry {
            Inner();
            assert false, "behind the call";
        }
        on eA do { done = true; }
        exit { assert done, "it is left only after eA"; }
    }

    fun Inner() {
        raise eA;
    }
}
