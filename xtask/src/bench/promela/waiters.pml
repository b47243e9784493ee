/* Philosophers whose forks are processes: they are taken and put back by meeting them. */

chan take[N] = [0] of { byte };
chan put[N] = [0] of { byte };

proctype fork(byte me)
{
	byte who;
end:
	do
	:: take[me]?who ->
		put[me]?eval(who)
	od
}

proctype philosopher(byte me; byte first; byte second)
{
	bit round;
	do
	:: take[first]!me;
		take[second]!me;
		round = 1 - round;
		put[second]!me;
		put[first]!me
	od
}

init
{
	byte i;
	atomic {
		do
		:: i < N -> run fork(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N - 1 ->
			run philosopher(i, i, i + 1);
			i++
		:: else -> break
		od;
		run philosopher(N - 1, 0, N - 1)
	}
}
