"""The hero's world as a domain of the suite acp: the eight questions, asked of states of real RPG tasks.

The world of a question is the one that its RPG task tells, and nothing else exists in it. So a question has an exact
answer that follows from its text. The rules are played by the RPG's own game. Questions are made and graded here; this
package alone of the suites may look into the RPG and its generator.
"""
