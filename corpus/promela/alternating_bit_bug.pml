//@ about: the alternating bit protocol with a receiver who does not look at the bit
//@ source: K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, A note on reliable full-duplex transmission, 1969
//@ expect assert: violated !explore
//@ note: the mistake: a message that was sent again is accepted twice
#define MAX 4
mtype = { data, ack };
chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };

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
    bit b;
    do
    :: to_receiver?data(n, b) ->
       assert(n == expected);
       expected = (expected + 1) % MAX;
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
