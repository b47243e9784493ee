//@ about: Machines that have nothing to take are idle and not in a deadlock, whatever they defer.
//@ source: P's runtime
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ expect queue Main: bounded by 1 !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
        defer eA;
    }
}
