//@ about: A message that a state says nothing about is unhandled.
//@ source: the P manual, state machines
//@ expect unhandled: violated !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
    }
}
