//@ about: Assignments, arguments and payloads copy whole values.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eList: seq[int];

machine Main {
    start state Init {
        entry {
            var a: seq[int];
            var b: seq[int];
            var m: map[int, seq[int]];
            var n: map[int, seq[int]];
            var s: set[int];
            var t: set[int];
            var p: (int, seq[int]);
            var q: (int, seq[int]);
            var x: (left: int, right: (int, bool));
            var y: (left: int, right: (int, bool));
            a += (0, 1);
            b = a;
            b += (1, 2);
            assert sizeof(a) == 1 && sizeof(b) == 2, "a sequence";
            m[1] = a;
            n = m;
            n[1] += (0, 9);
            assert sizeof(m[1]) == 1 && sizeof(n[1]) == 2 && sizeof(a) == 1, "a map";
            s += (1);
            t = s;
            t += (2);
            assert sizeof(s) == 1 && sizeof(t) == 2, "a set";
            p = (1, a);
            q = p;
            q.1 += (0, 7);
            q.0 = 2;
            assert p.0 == 1 && sizeof(p.1) == 1, "a tuple";
            x = (left = 1, right = (2, true));
            y = x;
            y.right.0 = 3;
            assert x.right.0 == 2 && y.right.0 == 3 && y.right.1, "a named tuple";
            Change(a);
            assert sizeof(a) == 1, "an argument";
            send this, eList, a;
            a += (0, 5);
        }
        on eList do (list: seq[int]) { assert sizeof(list) == 1, "a payload"; }
    }

    fun Change(list: seq[int]) {
        list += (0, 4);
    }
}
