// Everything the page says, in English and Chinese.

const LANGUAGES = ["en", "zh"];
let language = "en";

export const lang = () => language;

export function setLanguage(name) {
  language = LANGUAGES.includes(name) ? name : "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** The words of a key, with {name} filled in. */
export function t(key, values = {}) {
  const found = WORDS[key];
  if (!found) return key.replace(/^\w+?_/, ""); // a name that only the server knows, such as level_greedy
  return found[LANGUAGES.indexOf(language)].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** What the server refuses, from its code and English message: in Chinese the words for the code, with what is quoted. */
export function explain({ code, message }) {
  if (language === "en" || !ERRORS[code]) return message;
  const quoted = message.match(/'[^']*'/)?.[0];
  return quoted ? `${ERRORS[code]}：${quoted}` : ERRORS[code];
}

/** A text that the server sent in both languages. */
export const pick = (texts) => texts[language];

const WORDS = {
  // the frame
  part_hint: ["Hints", "提示"], part_play: ["Play", "对局"], part_review: ["Review", "复盘"], part_puzzle: ["Puzzles", "残局"],
  theme: ["Dark or light", "深色或浅色"], language: ["中文", "English"],
  lost: ["Connection to the engine lost. Nothing is lost: trying again …", "与引擎的连接中断，内容都在，正在重连……"],
  comma: [", ", "，"],
  thinking: ["thinking", "思考中"],
  // cards
  pass: ["pass", "不出"], joker_small: ["BJ", "小王"], joker_big: ["RJ", "大王"],
  rank_3: ["three", "3"], rank_4: ["four", "4"], rank_5: ["five", "5"], rank_6: ["six", "6"], rank_7: ["seven", "7"],
  rank_8: ["eight", "8"], rank_9: ["nine", "9"], rank_T: ["ten", "10"], rank_J: ["jack", "J"], rank_Q: ["queen", "Q"],
  rank_K: ["king", "K"], rank_A: ["ace", "A"], rank_2: ["two", "2"], rank_X: ["black joker", "小王"], rank_D: ["red joker", "大王"],
  role_landlord: ["landlord", "地主"], role_peasant: ["peasant", "农民"], role_landlord_down: ["after the landlord", "地主下家"],
  role_landlord_up: ["before the landlord", "地主上家"], role_landlord_across: ["across the landlord", "地主对家"],
  // hint board
  your_hand: ["Your hand", "手牌"], hand: ["Hand", "手牌"], to_beat: ["To beat", "要压的牌"], bottom: ["Bottom cards", "底牌"], played: ["Already played", "已出的牌"],
  rules: ["Rules", "规则"], role: ["Your role", "你的身份"], auto: ["guess", "自动"], by: ["Made by", "出牌者"],
  counts: ["Cards of {role}", "{role}张数"], history: ["All plays so far (from the landlord's first)", "出牌记录（从地主首出起）"],
  history_example: ["such as 33 44 - AA - -", "如 33 44 - AA - -"],
  bid: ["Played for", "底分"], factor: ["Doublings so far", "当前倍数"], objective: ["Rank by", "排序"],
  objective_auto: ["as the rules pay", "按规则"], objective_win: ["win chance", "胜率"], objective_score: ["points", "得分"],
  more_facts: ["More about the game", "更多局面信息"], clear_all: ["Start afresh", "重新开始"], random_hand: ["Deal me a hand", "随机发牌"],
  paste: ["Type or paste cards: 33456 10 J 小王", "输入或粘贴：33456 10 J 小王"], not_cards: ["These are no cards", "不是牌"],
  add_card: ["Add {card}; {count} taken", "加{card}，已有{count}张"], remove_card: ["Take {card} away", "去掉{card}"],
  best_plays: ["Best plays", "推荐出牌"], expected: ["Then expected", "预计后续"],
  play: ["Play", "出牌"], win: ["Win", "胜率"], points: ["Points", "得分"], proven: ["proven", "已证"],
  show_all: ["All {count} plays", "全部{count}种"], show_less: ["Fewer", "收起"], assumed: ["Assumed: {facts}.", "假设：{facts}。"],
  as_dealt: ["A hand as dealt: what to call stands above. Choose your role, or cards to beat, and the plays come.", "刚发到的牌，叫分建议见上。选择身份或要压的牌，再看出牌建议。"],
  empty_hand: ["Click cards to put your hand together, or paste it.", "点牌组成手牌，或粘贴。"],
  bid_advice: ["Shall I bid?", "叫不叫地主"], calls_so_far: ["Calls so far", "已有叫分"], calls_example: ["such as pass 1", "如 pass 1"],
  call_0: ["pass", "不叫"], call_1: ["1", "1分"], call_2: ["2", "2分"], call_3: ["3", "3分"], best: ["best", "最佳"],
  as_landlord: ["As the landlord this hand wins {win} of the time.", "做地主胜率{win}。"], expected_points: ["expected points", "期望得分"],
  none: ["none", "无"], cards_n: ["{n} cards", "{n}张"],
  level_random: ["random", "随机"], level_greedy: ["greedy", "贪心"], level_beginner: ["beginner", "入门"], level_casual: ["casual", "休闲"],
  level_net: ["network", "网络"], level_quick: ["quick planner", "快速搜索"], level_planner: ["planner", "深度搜索"],
  // play
  players_3: ["Three players, one deck", "三人一副牌"], players_4: ["Four players, two decks", "四人两副牌"],
  new_game: ["New game", "新对局"], deal: ["Deal", "发牌"], seat_you: ["You", "你"], opponent: ["Player {n}", "玩家{n}"], level: ["Level", "水平"],
  seed: ["Seed of the deal", "牌局种子"], any: ["any", "随机"], open_hands: ["Open hands", "明牌"], speed: ["Speed", "速度"],
  speed_slow: ["slow", "慢"], speed_normal: ["normal", "中"], speed_fast: ["fast", "快"], speed_instant: ["at once", "立即"],
  do_play: ["Play", "出牌"], do_pass: ["Pass", "不出"], hint: ["Hint", "提示"], undo: ["Undo", "悔牌"],
  your_turn_lead: ["Your lead", "请出牌"], your_turn_beat: ["Your turn: beat {play}", "轮到你：压{play}"], your_call: ["Your call", "请叫分"],
  waiting: ["{name} thinks", "{name}思考中"], nothing_beats: ["Nothing in your hand beats it", "没有牌能压"],
  two_readings: ["These cards can be read in several ways:", "这些牌有多种牌型："],
  no_combination: ["{cards} is no combination", "{cards}不成牌型"], too_low: ["{kind}, but too low: it has to beat {play}", "{kind}太小，要压{play}"],
  other_kind: ["{kind} does not answer {play}: same kind and length, or a bomb", "{kind}不能压{play}：须同牌型同张数，或炸弹"], not_held: ["You do not hold these cards", "手里没有这些牌"], no_cards: ["No cards selected", "未选牌"],
  won: ["You won", "你赢了"], lost_game: ["You lost", "你输了"], all_passed: ["Nobody bid", "无人叫分"],
  played_for: ["Bid {bid} × {factor}", "底分{bid} × {factor}倍"], saved_games: ["Your games", "你的对局"], no_games: ["Games you play are kept here, in this browser.", "对局保存在本浏览器中。"],
  continue: ["Continue", "继续"], review: ["Review", "复盘"], download: ["Download", "下载"], remove: ["Delete", "删除"], unfinished: ["not finished", "未完"],
  total: ["{points} points in {hands} hands", "{hands}局共{points}分"], says: ["{name}: {what}", "{name}：{what}"], bids: ["bids {bid}", "叫{bid}分"],
  keys_play: ["Keys: cards by their letter (0 or T for ten), Enter plays, Space passes, H hint, U undo, Esc unselects.", "键盘：按牌面字母选牌（10按0或T），回车出牌，空格不出，H提示，U悔牌，Esc重选。"],
  deal_again: ["Deal again", "再来一局"],
  // review
  record_too_long: ["This is too long for the record of one hand.", "这段文字太长，不像一局的牌谱。"],
  first_of_several: ["The first hand of several. To see another, paste its text alone.", "共有多局，这是第一局；要看别局，请单独粘贴。"],
  open_record: ["Open a record", "打开牌谱"], paste_record: ["Paste a record, or choose a file", "粘贴牌谱或选择文件"], open: ["Open", "打开"],
  step_first: ["To the start", "到开头"], step_back: ["Back", "后退"], step_next: ["Forward", "前进"], step_last: ["To the end", "到结尾"],
  win_chance: ["Win chance of the landlord", "地主胜率"], mistakes: ["Costliest decisions", "最大失误"], no_mistakes: ["No decision that cost much.", "没有明显失误。"],
  analysing: ["{done} of {all} decisions", "已分析{done}/{all}"], what_if: ["What if? Play on from here", "如果……从这里接着打"],
  move_n: ["move {n} of {all}", "第{n}/{all}手"],
  moves: ["Moves", "着法"], seat_n: ["Seat {n}", "座位{n}"],
  engine_says: ["The engine:", "引擎："],
  keys_review: ["Keys: ← → step, Home and End.", "键盘：← → 单步，Home/End到头尾。"],
  // puzzles
  puzzles: ["Published puzzles", "经典残局"], own_position: ["Your own position", "自己摆"], puzzle_n: ["Puzzle {n}", "残局{n}"], you_move: ["You move first. Win by force.", "你先走，求必胜。"],
  you_answer_1: ["You answer", "你应"], you_answer_2: ["· win by force.", "，求必胜。"], hands_n: ["{n} hands", "{n}家"],
  hand_wrong: ["Seat {n} has no cards, or something that is no card", "座位{n}没有牌，或有不是牌的字"], solution: ["Show every play", "显示全部着法"], hide_solution: ["Hide", "隐藏"], restart: ["Start again", "重来"],
  wins: ["wins", "胜"], loses: ["loses", "负"], unknown: ["not decided", "未定"], solved: ["Solved: you won.", "解出：你赢了。"], failed: ["Not this time: the other side is out first.", "失败：对方先出完。"],
  went_wrong: ["This play lets the win go.", "这一手放走了胜机。"], still_won: ["Right: still won.", "正确，仍然必胜。"], no_win: ["There is no win here: every play loses against the best defence.", "此局无解：最佳防守下必负。"],
  line: ["Line", "着法"], solve: ["Solve", "求解"], to_move: ["To move", "先走"], side_landlord: ["Landlord", "地主"], source: ["From: {source}", "来源：{source}"],
  nodes: ["{n} positions searched", "搜索{n}个局面"], done_mark: ["solved", "已解"], partner_name: ["Partner", "队友"], opponent_name: ["Opponent", "对手"],
};

const ERRORS = {
  cards: "牌不对：不是牌、张数过多，或手里没有", rules: "没有这样的规则", deal: "牌的张数或分布有矛盾", seat: "座位或身份不对",
  play: "不成牌型", ambiguous_play: "牌型有多种理解", illegal_play: "现在不能这样出", auction: "现在不能这样叫分",
  turn: "没轮到，或这局已结束", notation: "看不懂这份牌谱或局面", record: "看不懂这份牌谱", request: "填写的内容不合要求",
  weights: "这种规则没有训练过的网络", agent: "没有这个水平或选项", solver: "这个局面不能求解", ddz: "填写的内容有误",
  size: "内容太长", rate: "提问太多，请稍候", busy: "引擎正忙，请稍候", unknown: "服务器没有这个功能", internal: "服务器出错",
};
