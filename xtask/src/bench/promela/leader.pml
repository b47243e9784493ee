/* Leader election in a one-way ring: each node that is still active compares the number of its active neighbour
   with its own and with that of the neighbour after that. */

#define SIZE (2 * N)

mtype = { one, two, winner };
chan ring[N] = [SIZE] of { mtype, byte };
byte leaders;

proctype node(byte me, input, output; byte number)
{
	bit running = 1, knows;
	byte neighbour, greatest = number, received;

	ring[output]!one(number);
end:
	do
	:: ring[input]?one(received) ->
		if
		:: running ->
			if
			:: received != greatest ->
				ring[output]!two(received);
				neighbour = received
			:: else ->
				knows = 1;
				ring[output]!winner, received
			fi
		:: else -> ring[output]!one(received)
		fi
	:: ring[input]?two(received) ->
		if
		:: running ->
			if
			:: neighbour > received && neighbour > greatest ->
				greatest = neighbour;
				ring[output]!one(neighbour)
			:: else -> running = 0
			fi
		:: else -> ring[output]!two(received)
		fi
	:: ring[input]?winner, received ->
		if
		:: received != number -> knows = 1
		:: else ->
			leaders++;
			assert(leaders == 1)
		fi;
		if
		:: knows && received == number -> skip
		:: else -> ring[output]!winner, received
		fi;
		break
	od
}

init
{
	byte i;
	atomic {
		i = 0;
		do
		:: i < N ->
			run node(i, i, (i + 1) % N, (N + 3 - i) % N + 1);
			i++
		:: else -> break
		od
	}
}
