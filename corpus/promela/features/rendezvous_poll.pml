//@ about: a channel without room cannot be polled
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ note: SPIN reports an error when it comes to the poll
chan c = [0] of { byte };

active proctype Sender() {
    c!1
}

active proctype Receiver() {
    if
    :: c?[1] -> c?1
    :: len(c) == 0 -> c?1
    fi
}
