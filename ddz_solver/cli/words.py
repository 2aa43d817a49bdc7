"""Labels of the command line's output in English and Chinese."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ddz_solver.ai.notes import LANGUAGES
from ddz_solver.core.moves import Play
from ddz_solver.game.combos import format_play, kind_name
from ddz_solver.game.rules import RulesLike

_LABELS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "play": ("play", "出牌"),
        "kind": ("kind", "牌型"),
        "win": ("win", "胜率"),
        "score": ("points", "得分"),
        "why": ("why", "理由"),
        "pass": ("pass", "不出"),
        "hand": ("hand", "手牌"),
        "to_beat": ("to beat {play} of {role}", "要压{role}的{play}"),
        "leads": ("to lead", "先出"),
        "assumed": ("Assumed: {facts}.", "假设：{facts}。"),
        "more": ("{count} more plays; --top {all} shows all.", "另有{count}种出法，--top {all}全部列出。"),
        "and": (", ", "，"),
        "sure": ("sure", "把握"),
        "proven": ("proven", "已证明"),
        "line": ("It may go on: {plays}", "可能的进程：{plays}"),
        # ddz analyse
        "least": (
            "least plays: {count}, of these {beatable} can be beaten",
            "最少手数：{count}，其中{beatable}手可被压",
        ),
        "partition": ("a good split", "较好的拆法"),
        "unbeatable": ("cannot be beaten", "无人能压"),
        "bombs": ("bombs: {bombs}", "炸弹：{bombs}"),
        "winners": ("cannot be beaten: {plays}", "无人能压：{plays}"),
        "none": ("none", "无"),
        "sure_win": ("Leading, this hand wins against any cards.", "先出必胜。"),
        # ddz bid
        "best": ("best", "最佳"),
        "call": ("call", "叫分"),
        "points_if": ("points if so", "此时得分"),
        "if": ("if", "条件"),
        "if_landlord": ("you are the landlord", "你当地主"),
        "if_peasant": ("another is the landlord", "别人当地主"),
        "sampled": (
            "Played out as the landlord in {hands} deals: wins {win} ({low} to {high}), {score:+.2f} stakes a peasant.",
            "当地主打{hands}局：胜率{win}（{low}至{high}），每家{score:+.2f}倍。",
        ),
        # ddz review
        "number": ("no.", "序号"),
        "over": ("to beat", "要压"),
        "done": ("played", "实际"),
        "better": ("better", "更好"),
        "lost": ("points lost", "失分"),
        "win_lost": ("win lost", "胜率损失"),
        "why_better": ("why", "理由"),
        "decisions": ("decisions", "决策数"),
        "agreed": ("as the engine", "与引擎一致"),
        # ddz play
        "you": ("you", "你"),
        "dealt": ("Hand {number}. You are seat {seat}; {levels}.", "第{number}局。你坐{seat}号位；{levels}。"),
        "seat_level": ("seat {seat}: {level}", "{seat}号位：{level}"),
        "seat": ("seat {seat}", "{seat}号位"),
        "calls": ("{who}: {call}", "{who}：{call}"),
        "no_bid": ("pass", "不叫"),
        "bid": ("bids {bid}", "叫{bid}分"),
        "landlord": (
            "Landlord: {who}, for {bid}. Bottom cards: {bottom}.",
            "地主：{who}，底分{bid}。底牌：{bottom}。",
        ),
        "redealt": ("Nobody bids; new deal.", "无人叫分，重新发牌。"),
        "nobody": ("Nobody bids; nobody scores.", "无人叫分，不计分。"),
        "plays": ("{who}: {play}  ({left} left)", "{who}：{play}（剩{left}张）"),
        "passes": ("{who}: pass", "{who}：不出"),
        "your_hand": ("Your hand: {hand}", "你的手牌：{hand}"),
        "ask_play": ("play> ", "出牌> "),
        "ask_call": ("call ({calls})> ", "叫分（{calls}）> "),
        "won": ("{who} won. Points: {points}. Account: {account}.", "{who}胜。得分：{points}。总分：{account}。"),
        "landlord_side": ("The landlord", "地主"),
        "peasants_side": ("The peasants", "农民"),
        "another": ("Another hand? [Y/n] ", "再来一局？[Y/n] "),
        "saved": ("Saved to {path}.", "已保存到{path}。"),
        "bye": ("Account: {account}.", "总分：{account}。"),
        "taken_back": ("Taken back.", "已悔棋。"),
        "help": (
            "Type cards, such as 34567 or 333+4, or pass. Also: hint, moves, show, undo, save FILE, quit.",
            "输入要出的牌，如 34567 或 333+4，或 过。还有：提示、出法、显示、悔棋、保存 文件、退出。",
        ),
        "help_call": (
            "Type pass, 1, 2 or 3. Also: hint, show, undo, save FILE, quit.",
            "输入 不叫、1、2 或 3。还有：提示、显示、悔棋、保存 文件、退出。",
        ),
        "help_another": (
            "Type y for another hand, n or quit to leave. Also: show, save FILE.",
            "输入 y 再来一局，n 或 退出 离开。还有：显示、保存 文件。",
        ),
        "cards_left": ("cards", "剩牌"),
        "played": ("played", "已出"),
        "player": ("player", "玩家"),
        "stake": ("Bid {bid}, doublings x{factor}. Unseen: {unseen}", "底分{bid}，倍数{factor}。未见：{unseen}"),
    }
)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Adds --lang."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the output: en or zh (en)")


class Words:
    """Everything that a command says, in one language."""

    def __init__(self, lang: str) -> None:
        """`lang` is one of `LANGUAGES`."""
        self.lang = lang
        self._column = LANGUAGES.index(lang)

    def __call__(self, key: str, **values: object) -> str:
        """A label, with its values filled in."""
        return _LABELS[key][self._column].format(**values)

    def play(self, play: Play, rules: RulesLike) -> str:
        """The text of a play."""
        return format_play(play, rules) if play else self("pass")

    def call(self, bid: int) -> str:
        """The text of a call, as it is typed."""
        return str(bid) if bid else self("no_bid")

    def kind(self, play: Play) -> str:
        """What the kind of a play is called."""
        return kind_name(play.kind, self.lang == "zh")
