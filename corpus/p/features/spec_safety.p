//@ about: A spec sees every send of what it observes, with its payload.
//@ source: the P manual, monitors
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eLock: int;
event eUnlock: int;

machine Main {
    start state Init {
        entry {
            var lock: machine;
            lock = new Lock();
            send lock, eLock, 1;
            send lock, eUnlock, 1;
            send lock, eLock, 2;
            send lock, eUnlock, 2;
        }
    }
}

machine Lock {
    start state Init {
        ignore eLock, eUnlock;
    }
}

spec OneHolder observes eLock, eUnlock {
    var holder: int;

    start state Free {
        on eLock goto Held with (n: int) { holder = n; }
    }

    state Held {
        on eUnlock do (n: int) {
            assert n == holder, "unlocked by another one";
            goto Free;
        }
    }
}

test tcSpec [main=Main]: assert OneHolder in { Main, Lock };
