/* Mutual exclusion among several processes by a filter with levels. */

byte level[N];
byte last[N];
byte inside;

active [N] proctype process()
{
	byte me, at, other;
	me = _pid;
	do
	:: at = 1;
		do
		:: at < N ->
			level[me] = at;
			last[at] = me;
			other = 0;
			do
			:: other < N ->
				(other == me || level[other] < at || last[at] != me);
				other++
			:: else -> break
			od;
			other = 0;
			at++
		:: else -> break
		od;
		at = 0;
		inside++;
		assert(inside == 1);
		inside--;
		level[me] = 0
	od
}
