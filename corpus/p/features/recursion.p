//@ about: Functions call themselves and each other.
//@ source: the P manual, functions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            assert Fib(10) == 55, "the tenth Fibonacci number";
            assert Even(6) && !Even(7), "six is even and seven is not";
        }
    }

    fun Fib(n: int): int {
        if (n < 2)
            return n;
        return Fib(n - 1) + Fib(n - 2);
    }
}

fun Even(n: int): bool {
    if (n == 0)
        return true;
    return Odd(n - 1);
}

fun Odd(n: int): bool {
    if (n == 0)
        return false;
    return Even(n - 1);
}
