//@ about: Variables begin with the default of their type.
//@ source: the P manual, data types
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
enum tColour { RED = 7, GREEN = 3, BLUE = 5 }

machine Main {
    var f: float;
    var e: event;
    var m: machine;
    var a: any;
    var c: tColour;
    var p: (int, (flag: bool, list: seq[int]));

    start state Init {
        entry {
            var b: bool;
            var n: int;
            var t: string;
            var s: set[int];
            var q: map[int, int];
            assert !b && n == 0 && f == 0.0 && t == "", "simple types";
            assert e == null && m == null && a == null, "references";
            assert c == GREEN, "the lowest number, not the first name";
            assert sizeof(s) == 0 && sizeof(q) == 0, "collections";
            assert p.0 == 0 && !p.1.flag && sizeof(p.1.list) == 0, "records";
            n = 5;
            n = default(int);
            assert n == 0 && default(machine) == m && default(tColour) == GREEN, "the same as default";
        }
    }
}
