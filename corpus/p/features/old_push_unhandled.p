//@ about: An event that no state of the stack handles is unhandled.
//@ source: P as of 2018
//@ expect unhandled: violated !explore
event eGo;
event eA;

machine Main {
    start state Below {
        entry {
            send this, eGo;
            send this, eA;
        }
        on eGo push Above;
    }

    state Above { }
}
