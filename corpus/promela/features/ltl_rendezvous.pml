//@ about: formulas do not see the moment between the two sides of a handshake
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:together: proved
//@ expect ltl:meets: proved
chan c = [0] of { byte };

active proctype Sender() {
before_send:
    c!1
}

active proctype Receiver() {
before_receive:
    c?1
}

ltl together { [] (Sender@before_send <-> Receiver@before_receive) }
ltl meets { <> !Sender@before_send }
