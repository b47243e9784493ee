/*@ about: A client updates two nodes through a manager, one channel per pair and direction. */
/*@ source: Bouajjani, Enea, Ji and Qadeer (CAV 2018), Figure 1, with channels instead of mailboxes */
/*@ expect unhandled: proved !explore */
/*@ expect deadlock: proved !explore */
/*@ expect stuck: proved !explore */
/*@ expect orphan: proved !explore */
/*@ expect bounded: proved !explore */
scm commit :

nb_channels = 6 ;

/* 0 client to manager, 1 manager to client, 2 and 3 manager to nodes, 4 and 5 nodes to manager */
parameters :
int update ;
int ok ;

automaton client :
initial : 0
state 0 :
to 1 : when true , 0 ! update ;
state 1 :
to 0 : when true , 1 ? ok ;

automaton manager :
initial : 0
state 0 :
to 1 : when true , 0 ? update ;
state 1 :
to 2 : when true , 2 ! update ;
state 2 :
to 3 : when true , 3 ! update ;
state 3 :
to 4 : when true , 4 ? ok ;
state 4 :
to 5 : when true , 5 ? ok ;
state 5 :
to 0 : when true , 1 ! ok ;

automaton node1 :
initial : 0
state 0 :
to 1 : when true , 2 ? update ;
state 1 :
to 0 : when true , 4 ! ok ;

automaton node2 :
initial : 0
state 0 :
to 1 : when true , 3 ? update ;
state 1 :
to 0 : when true , 5 ! ok ;
