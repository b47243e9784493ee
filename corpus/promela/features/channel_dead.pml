//@ about: a channel is gone when the process that owned it is gone
//@ source: written for this corpus
//@ expect assert: violated !explore
chan pass = [1] of { chan };

proctype Owner() {
    chan own = [1] of { byte };
    pass!own
}

init {
    chan c;
    run Owner();
    pass?c;
    (_nr_pr == 1);
    c!1
}
