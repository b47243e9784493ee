//@ about: A cast looks into collections.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var list: seq[any];
            var numbers: seq[int];
            list += (0, 1);
            list += (1, true);
            numbers = list as seq[int];
        }
    }
}
