//@ about: the factorial by processes that create each other and answer through channels
//@ source: G. J. Holzmann, The SPIN model checker, 2004, has the idea
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
proctype Factorial(int n; chan up) {
    chan down = [1] of { int };
    int r;
    if
    :: n <= 1 -> up!1
    :: n >= 2 ->
       run Factorial(n - 1, down);
       down?r;
       up!n * r
    fi
}

init {
    chan result = [1] of { int };
    int r;
    run Factorial(5, result);
    result?r;
    assert(r == 120)
}
