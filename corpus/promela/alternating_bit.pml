//@ about: the alternating bit protocol over channels that lose messages
//@ source: K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, A note on reliable full-duplex transmission, 1969
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ expect ltl:delivered: violated
//@ note: the livelocks are the runs in which everything is lost for ever
#define MAX 4
mtype = { data, ack };
chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };
bool got_first;

active proctype Sender() {
    byte n;
    bit b, answer;
    do
    :: to_receiver!data(n, b);
       if
       :: to_sender?ack(answer) ->
          if
          :: answer == b -> b = 1 - b; n = (n + 1) % MAX
          :: else -> skip
          fi
       :: timeout -> skip
       fi
    od
}

active proctype Receiver() {
    byte n, expected;
    bit b, wanted;
    do
    :: to_receiver?data(n, b) ->
       if
       :: b == wanted ->
progress_accepted:
          assert(n == expected);
          got_first = true;
          expected = (expected + 1) % MAX;
          wanted = 1 - wanted
       :: else -> skip
       fi;
       to_sender!ack(b)
    od
}

active proctype Loss() {
end:
    do
    :: to_receiver?_, _, _
    :: to_sender?_, _
    od
}

ltl delivered { <> got_first }
