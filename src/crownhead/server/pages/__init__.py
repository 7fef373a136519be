"""The pages of games: home, a game, my games, archive, rules, editor, planner, analysis and reviews."""
