//@ about: letters as numbers
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan text = [3] of { byte };
byte letters;

active proctype Writer() {
    text!'a';
    text!'\n';
    text!'0' + 9
}

active proctype Reader() {
    byte c;
    do
    :: text?c;
       if
       :: c >= 'a' && c <= 'z' -> letters++
       :: c == '\n' -> skip
       :: else -> break
       fi
    od;
    assert(letters == 1 && c == 57 && 'a' == 97 && '\n' == 10)
}
