"""Other programs' games: our AI as their player, their players as our agents. None of them is needed to play.

- `botzone`, `botzone_program`: the Botzone platform, games FightTheLandlord and FightTheLandlord2.
- `rlcard`: the RLCard toolkit.
- `openspiel`: OpenSpiel's `dou_dizhu`.
- `foreign`: a player of any of them from its name.
"""
