/* Philosophers who take their forks one after the other, the last one in the other order. */

bool fork[N];
byte meals[N];

proctype philosopher(byte me; byte first; byte second)
{
	do
	:: atomic { !fork[first] -> fork[first] = true };
		atomic { !fork[second] -> fork[second] = true };
		meals[me] = (meals[me] + 1) % 2;
		assert(fork[first] && fork[second]);
		fork[second] = false;
		fork[first] = false
	od
}

init
{
	byte i;
	atomic {
		do
		:: i < N - 1 ->
			run philosopher(i, i, i + 1);
			i++
		:: else -> break
		od;
		run philosopher(N - 1, 0, N - 1)
	}
}
