"""Tic-tac-toe and connect four as combat systems: the very games that pgx and PettingZoo have."""

from __future__ import annotations

from typing import Annotated

from affray.system import (
    Cells,
    Fighter,
    PerFighter,
    Sheet,
    Sheets,
    State,
    System,
    ask,
    emit,
    event,
    record,
    rule,
    to_act,
)

ROWS, COLUMNS = 6, 7
FULL = 9
END = event("The board is settled.")


class Player(Sheet):
    pass


@record
class Small(State):
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]
    cells: Annotated[list[int], Cells("b", FULL)]


@record
class Large(State):
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]
    cells: Annotated[list[int], Cells("b", ROWS * COLUMNS)]


@rule
def begin(board, dice, log):
    ask(board, 0, 0)


@rule
def pass_on(board, who, won, full, log):
    """Let the other player move, unless the game is over."""
    board.round += 1
    if won:
        board.ending = who
    elif board.round > full:
        board.ending = 2
    else:
        ask(board, 1 - who, 0)
    if board.ending >= 0:
        emit(log, END)


# --- tic-tac-toe -------------------------------------------------------------------------------------------------


@rule
def legal_marks(board, who, moves):
    count = 0
    if to_act(board) >> who & 1:
        for cell in range(FULL):
            moves[count] = cell
            count += board.cells[cell] == 0  # without a branch, which could not be foreseen
    return count


@rule
def is_line(board, one, two, three, mark):
    return board.cells[one] == mark and board.cells[two] == mark and board.cells[three] == mark


@rule
def mark_cell(board, who, move, dice, log):
    mark = who + 1
    board.cells[move] = mark
    row, column = move // 3 * 3, move % 3
    won = is_line(board, row, row + 1, row + 2, mark) or is_line(board, column, column + 3, column + 6, mark)
    won = won or is_line(board, 0, 4, 8, mark) or is_line(board, 2, 4, 6, mark)
    pass_on(board, who, won, FULL, log)


# --- connect four ------------------------------------------------------------------------------------------------


@rule
def legal_drops(board, who, moves):
    count = 0
    if to_act(board) >> who & 1:
        for column in range(COLUMNS):
            moves[count] = column
            count += board.cells[column] == 0  # without a branch, which could not be foreseen
    return count


@rule
def run_of(board, row, column, down, right, mark):
    """How many discs of a player lie in a direction, next to a place, without a gap."""
    found = 0
    for far in range(1, 4):
        y, x = row + far * down, column + far * right
        if y < 0 or y >= ROWS or x < 0 or x >= COLUMNS or board.cells[y * COLUMNS + x] != mark:
            break
        found += 1
    return found


@rule
def is_row(board, row, column, down, right, mark):
    """Whether four discs lie in a row through a place."""
    ahead, behind = run_of(board, row, column, down, right, mark), run_of(board, row, column, -down, -right, mark)
    return 1 + ahead + behind >= 4


@rule
def drop(board, who, move, dice, log):
    mark = who + 1
    row = 0
    while row + 1 < ROWS and board.cells[(row + 1) * COLUMNS + move] == 0:
        row += 1
    board.cells[row * COLUMNS + move] = mark
    won = is_row(board, row, move, 0, 1, mark) or run_of(board, row, move, 1, 0, mark) == 3
    won = won or is_row(board, row, move, 1, 1, mark) or is_row(board, row, move, 1, -1, mark)
    pass_on(board, who, won, ROWS * COLUMNS, log)


PLAYERS = Sheets(Player, {"ann": {"name": "Ann"}, "bob": {"name": "Bob"}})
TEAMS = "first=ann second=bob"
tic_tac_toe = System(
    id="tic-tac-toe",
    title="Tic-tac-toe",
    state=Small,
    sheets=PLAYERS,
    begin=begin,
    legal=legal_marks,
    apply=mark_cell,
    most_moves=rule(lambda fighters: FULL),
    moves={cell: str(cell) for cell in range(FULL)},
)
connect_four = System(
    id="connect-four",
    title="Connect four",
    state=Large,
    sheets=PLAYERS,
    begin=begin,
    legal=legal_drops,
    apply=drop,
    most_moves=rule(lambda fighters: COLUMNS),
    moves={column: str(column) for column in range(COLUMNS)},
)
