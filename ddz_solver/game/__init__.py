"""The game for people: cards, rules, plays, deals, auction, scoring, whole hands and sessions, text."""
