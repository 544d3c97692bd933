"""Tables: who sits there, hands dealt one after another until the match is won. Still pure: time and chance come in."""
