//@ about: A handler that sends the same event twice to a machine that must not hear of it at all.
//@ source: theory note on the convergence theorem of Liu, Wahl and Lal (CAV 2019): one send per step
//@ expect assert: violated !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: if a handler were one step, nothing would be sent at bound 1, bounds 0 and 1 would look alike, and the wrong answer would be: assert is proved
event eWord;

machine Sender {
    start state Talking {
        entry {
            var receiver: machine;
            receiver = new Receiver();
            send receiver, eWord;
            send receiver, eWord;
        }
    }
}

machine Receiver {
    start state Listening {
        on eWord do {
            assert false, "a word was heard";
        }
    }
}

test tcDoubleSend [main=Sender]: { Sender, Receiver };
