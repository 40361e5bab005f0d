"""Makes new questions with proven answers: for the domains of ACPBench Hard, for PDDL of users, and private twins."""
