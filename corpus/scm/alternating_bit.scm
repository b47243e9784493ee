/*@ about: The alternating bit protocol over two lossy channels. */
/*@ source: Bartlett, Scantlebury and Wilkinson (CACM 1969); Abdulla and Jonsson, lossy channel systems (1993) */
/*@ expect unhandled: proved !converge */
/*@ expect deadlock: proved !converge */
/*@ expect stuck: proved */
/*@ expect orphan: proved */
/*@ expect reach:bad_states: proved !regular */
/*@ expect bounded: violated */
scm alternating_bit :

nb_channels = 2 ;
lossy : 0, 1

parameters :
int m0 ;
int m1 ;
int a0 ;
int a1 ;

automaton sender :
initial : 0

state 0 :
to 0 : when true , 0 ! m0 ;
to 1 : when true , 1 ? a0 ;
to 0 : when true , 1 ? a1 ;

state 1 :
to 1 : when true , 0 ! m1 ;
to 0 : when true , 1 ? a1 ;
to 1 : when true , 1 ? a0 ;

automaton receiver :
initial : 0

state 0 :
to 1 : when true , 0 ? m0 ;
to 0 : when true , 0 ? m1 ;
to 0 : when true , 1 ! a1 ;

state 1 :
to 0 : when true , 0 ? m1 ;
to 1 : when true , 0 ? m0 ;
to 1 : when true , 1 ! a0 ;

/* While the sender is at bit 1, no m0 comes behind an m1. */
bad_states :
( automaton sender : in 1 : true
  with (m0|m1)^* . m1 . (m0|m1)^* . m0 . (m0|m1)^* . # . (a0|a1)^* )
