"""What is reckoned from matches that are over: who plays how well, which cards do what, whether dice are fair.

Pure, as the rules are: figures come in, figures go out. No rule looks at any of it.
"""
