//@ about: A tuple with one field is written with a comma and is not its field.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
type tOne = (x: int);

machine Main {
    start state Init {
        entry {
            var a: (int);
            var b: tOne;
            a = (3,);
            b = (x = 4,);
            assert a.0 == 3 && b.x == 4, "the field";
        }
    }
}
