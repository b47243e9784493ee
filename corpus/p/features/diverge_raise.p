//@ about: A machine raises one event after another for ever.
//@ source: written for the corpus
//@ expect divergence: violated !explore
event eA;
event eB;

machine Main {
    start state Init {
        entry { raise eA; }
        on eA do { raise eB; }
        on eB do { raise eA; }
    }
}
