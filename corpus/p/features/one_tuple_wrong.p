//@ about: A tuple with one field is written with a comma and is not its field; here the opposite is asserted.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
type tOne = (x: int);

machine Main {
    start state Init {
        entry {
            var a: (int);
            var b: tOne;
            a = (3,);
            b = (x = 4,);
            assert a.0 == 4 && b.x == 4, "the field";
        }
    }
}
