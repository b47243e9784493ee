//@ about: A named tuple is not cast to one with other names.
//@ source: the P manual, data types
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var x: any;
            var y: (b: int, c: int);
            x = (a = 1, c = 2);
            y = x as (b: int, c: int);
        }
    }
}
