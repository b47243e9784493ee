//@ about: options of an escape are tried from the last one to the first, so this `else` waits for the option behind it
//@ source: written for this corpus
//@ expect assert: proved
//@ expect deadlock: proved
byte g;

active proctype P() {
    {
        g == 2
    } unless {
        if
        :: if
           :: else -> assert(false)
           fi
        :: g = 1
        fi
    }
}
