//@ about: a phone makes one call after the other, each a process of its own that talks to the other side
//@ source: J. Rosenberg et al., SIP: Session Initiation Protocol, RFC 3261, 2002, section 4
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect queue to_callee: bounded by 1 !explore
//@ note: reconstructed from the idea: invitation, answer, acknowledgement, and either side hangs up
//@ note: there are endlessly many calls in a run, but never two at a time
mtype = { invite, ringing, ok, ack, bye, done };
chan to_callee = [1] of { mtype };
chan to_call = [1] of { mtype };
chan finished = [1] of { mtype };

active proctype Phone() {
    do
    :: run Call();
       finished?done;
       _nr_pr == 2;
progress:
       skip
    od
}

active proctype Callee() {
end:
    do
    :: to_callee?invite ->
       to_call!ringing;
       to_call!ok;
       to_callee?ack;
       if
       :: to_callee?bye -> to_call!ok
       :: to_call!bye;
          if
          :: to_callee?ok
          :: to_callee?bye -> to_call!ok; to_callee?ok
          fi
       fi
    od
}

proctype Call() {
    to_callee!invite;
    to_call?ringing;
    to_call?ok;
    to_callee!ack;
    if
    :: to_callee!bye;
       if
       :: to_call?ok
       :: to_call?bye -> to_callee!ok; to_call?ok
       fi
    :: to_call?bye -> to_callee!ok
    fi;
    finished!done
}
