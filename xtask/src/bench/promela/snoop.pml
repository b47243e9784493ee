/* Caches that listen to a bus: one of them may hold a line alone, or all of them may share it. */

mtype = { invalid, shared, dirty, read, upgrade, done };
mtype line[N] = invalid;
chan bus = [0] of { byte, mtype };
chan reply[N] = [1] of { mtype };

inline others_invalid(me) {
	i = 0;
	do
	:: i < N ->
		if
		:: i != me -> line[i] = invalid
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0
}

active proctype memory()
{
	byte who, i;
	mtype what;
end:
	do
	:: bus?who, what ->
		if
		:: what == read ->
			d_step {
				do
				:: i < N ->
					if
					:: line[i] == dirty -> line[i] = shared
					:: else
					fi;
					i++
				:: else -> break
				od;
				i = 0;
				line[who] = shared
			}
		:: what == upgrade ->
			d_step {
				others_invalid(who);
				line[who] = dirty
			}
		fi;
		reply[who]!done
	od
}

active [N] proctype processor()
{
	byte me, i;
	me = _pid - 1;
	do
	:: line[me] == invalid ->
		bus!me, read;
		reply[me]?done
	:: line[me] == shared ->
		bus!me, upgrade;
		reply[me]?done
	:: line[me] == shared -> line[me] = invalid
	:: d_step {
			line[me] == dirty ->
			do
			:: i < N ->
				assert(i == me || line[i] == invalid);
				i++
			:: else -> break
			od;
			i = 0
		}
	:: line[me] == dirty -> line[me] = invalid
	od
}
