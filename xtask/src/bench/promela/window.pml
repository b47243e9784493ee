/* A sliding window over two channels that may lose messages. What is delivered is in order. */

#define WINDOW 2
#define NUMBERS 4
#define VALUES 3

chan data = [N] of { byte, byte };
chan acks = [N] of { byte };

active proctype sender()
{
	byte base, next, used, value, acked, distance;
	byte sent[NUMBERS];

	do
	:: used < WINDOW ->
		sent[next] = value;
		value = (value + 1) % VALUES;
		if
		:: data!next, sent[next]
		:: skip
		fi;
		next = (next + 1) % NUMBERS;
		used++
	:: acks?acked ->
		d_step {
			distance = (acked + NUMBERS - base) % NUMBERS;
			if
			:: distance < used ->
				used = used - distance - 1;
				base = (acked + 1) % NUMBERS
			:: else
			fi;
			acked = 0;
			distance = 0
		}
	:: used > 0 && empty(acks) ->
		if
		:: data!base, sent[base]
		:: skip
		fi
	od
}

active proctype receiver()
{
	byte expected, number, value, wanted;

	do
	:: data?number, value ->
		if
		:: number == expected ->
			assert(value == wanted);
			d_step {
				wanted = (wanted + 1) % VALUES;
				expected = (expected + 1) % NUMBERS
			}
		:: else
		fi;
		if
		:: acks!(expected + NUMBERS - 1) % NUMBERS
		:: skip
		fi
	od
}
