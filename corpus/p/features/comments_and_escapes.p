//@ about: Comments of both kinds and escapes in texts.
//@ source: the grammar of P
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA; // to the end of the line
/* over
   several lines, with // and * inside */
machine Main {
    start state Init {
        entry {
            var s: string;
            s = "a \"quoted\" // text";
            assert s != "" /* here too */, "not empty";
        }
    }
}
