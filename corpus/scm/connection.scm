/*@ about: A client opens and closes a connection; the server may end it at the same time. */
/*@ source: Jeron and Jard, Testing for unboundedness of FIFO channels (TCS 1993), the connection and disconnection protocol; Le Gall, Jeannet and Jeron (AMAST 2006) */
/*@ expect unhandled: proved !converge */
/*@ expect deadlock: proved !converge */
/*@ expect stuck: proved */
/*@ expect orphan: proved */
/*@ expect bounded: violated */
/*@ note: written from the description: o open, c close by the client, d disconnect by the server */
scm connection :

nb_channels = 2 ;

parameters :
int o ;
int c ;
int d ;

automaton client :
initial : 0

state 0 :
to 1 : when true , 0 ! o ;
to 0 : when true , 1 ? d ;

state 1 :
to 0 : when true , 0 ! c ;
to 0 : when true , 1 ? d ;

automaton server :
initial : 0

state 0 :
to 1 : when true , 0 ? o ;
to 0 : when true , 0 ? c ;

state 1 :
to 0 : when true , 0 ? c ;
to 0 : when true , 1 ! d ;
