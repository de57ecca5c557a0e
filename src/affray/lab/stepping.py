"""The compiled step of many fights at once: moves of learners, tactics of all others, and what is seen then."""

from __future__ import annotations

from typing import Annotated, Any

from affray.kernel import native
from affray.kernel.chance import WHIM
from affray.kernel.drivers import Array, Driver, GivenNumbers, GivenStates, Number, NumberTable, Scratch, States
from affray.kernel.native import assign, copy_bytes, copy_halves, copy_wholes, mix, np, on_stack, open_streams
from affray.kernel.playing import chooser, first_of
from affray.kernel.state import RUNNING, hide_sealed, to_act
from affray.lab.courses import (
    CUT,
    DICE_AT,
    ENDED,
    NUMBER,
    OVER,
    SALT,
    SEED,
    START,
    STEP,
    STEPS,
    WHICH,
    WHIM_AT,
    WHO,
)
from affray.system.contract import System

Observations = Annotated[Any, Array("i", 2)]
Masks = Annotated[Any, Array("b", 2)]

U = np.uint64
new_stream = native.new_record(native.STREAM)


@native.inlined
def look(seen: Any, viewer: Any, cells: Any, out: Any) -> None:
    """Write into a row who looks, and the numbers of the record that is seen.

    They are runs of equally wide cells, each given as place, width and length.
    """
    out[0] = viewer
    at = 1
    for run in range(0, cells.size, 3):
        place, width, length = cells[run], cells[run + 1], cells[run + 2]
        if width == 4:
            copy_wholes(out, at, seen, place, length)
        elif width == 2:
            copy_halves(out, at, seen, place, length)
        else:
            copy_bytes(out, at, seen, place, length)
        at += length


@native.inlined
def action_of(code: Any, keys: Any, places: Any) -> Any:
    """The action that a move code is known as; -1 if it is not known."""
    last = U(keys.size - 1)
    slot = U(code) & last  # unsigned, so that no index is checked for being counted from the end
    while keys[slot] != code:
        if places[slot] < 0:
            return -1
        slot = (slot + U(1)) & last
    return places[slot]


def step(system: System[Any, Any]) -> Driver:
    """Makes a move in each of many fights, or begins it anew, and goes on by tactics to the next move of a learner.

    A row of `course` says where each fight is (`affray.lab.courses`). A chosen action below 0 leaves its fight alone.
    It returns 1 + the first fight whose action is not open, and nothing has happened then; otherwise 0.
    """
    begin, apply, legal, hide, most_moves = system.begin, system.apply, system.legal, system.hide, system.most_moves
    choose = chooser(*system.tactics.values())

    def step(
        starts: GivenStates,
        fights: States,
        course: NumberTable,
        chosen: GivenNumbers,
        codes: GivenNumbers,
        keys: GivenNumbers,
        places: GivenNumbers,
        spares: NumberTable,
        tactics: NumberTable,
        cells: GivenNumbers,
        moves: Scratch,
        observations: Observations,
        finals: Observations,
        masks: Masks,
        learners: Number,
        looker: Number,
        longest: Number,
        begins_at_once: Number,
    ) -> int:
        for row in range(chosen.size):
            action = chosen[row]
            if action >= 0 and course[row, OVER] == 0 and (action >= masks.shape[1] or masks[row, action] == 0):
                return row + 1
        seen = on_stack(starts[0])
        dice, whim = new_stream(), new_stream()
        for row in range(chosen.size):
            action = chosen[row]
            if action < 0:
                continue
            fight = fights[row]
            dice.start, dice.step = U(course[row, START]), U(course[row, STEP])
            whim.start, whim.step = dice.start ^ U(WHIM), dice.step
            dice.position, whim.position = U(course[row, DICE_AT]), U(course[row, WHIM_AT])
            who, steps, begins = course[row, WHO], course[row, STEPS], course[row, OVER] != 0
            move = codes[action] if action < codes.size else spares[row, action - codes.size]
            steps += 1
            course[row, ENDED] = RUNNING
            course[row, OVER] = 0
            while True:
                if begins:
                    course[row, NUMBER] += 1
                    open_streams(dice, whim, course[row, SEED], course[row, NUMBER])
                    which = np.int64(mix(dice.start ^ U(SALT)) % U(starts.size))
                    course[row, WHICH] = which
                    course[row, START], course[row, STEP] = np.int64(dice.start), np.int64(dice.step)
                    assign(fight, starts[which])
                    begin(fight, dice, None)
                    begins, steps = False, 0
                elif fight.ending < 0:
                    apply(fight, who, move, dice, None)
                who = first_of(to_act(fight))
                if fight.ending < 0 and learners >> who & 1 == 0:
                    move = choose(tactics[course[row, WHICH], who], fight, who, whim)
                    continue
                is_done = steps > 0 and (fight.ending >= 0 or (longest > 0 and steps >= longest))
                if is_done:
                    course[row, ENDED] = fight.ending if fight.ending >= 0 else CUT
                    course[row, OVER] = 1 - begins_at_once
                begins = is_done and begins_at_once != 0
                viewer = looker if begins or who < 0 else who
                assign(seen, fight)
                hide_sealed(seen, viewer)
                hide(seen, viewer)
                look(seen, viewer, cells, finals[row] if begins else observations[row])
                if not begins:
                    break
            masks[row, :] = 0
            if course[row, OVER] == 0 and fight.ending < 0:
                spare = 0
                for place in range(legal(seen, viewer, moves)):
                    known = action_of(moves[place], keys, places)
                    if known < 0:
                        if spare == spares.shape[1]:
                            continue
                        spares[row, spare] = moves[place]
                        known = codes.size + spare
                        spare += 1
                    masks[row, U(known)] = 1
            course[row, WHO], course[row, STEPS] = viewer, steps
            course[row, DICE_AT], course[row, WHIM_AT] = np.int64(dice.position), np.int64(whim.position)
        return 0

    return Driver(step, (to_act, begin, apply, legal, hide, hide_sealed, most_moves, first_of, choose))
