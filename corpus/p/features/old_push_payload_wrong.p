//@ about: A pushed state gets the payload of its event; here the opposite is asserted.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eGo: int;

machine Main {
    start state Below {
        entry { send this, eGo, 6; }
        on eGo push Above;
    }

    state Above {
        entry (n: int) {
            assert n != 6, "the payload is lost";
            pop;
        }
        exit { assert true, "left by pop"; }
    }
}
