"""Results of single fights: each row is that of the fight of its number, and the rows add up to the simulation."""

import csv

import pytest

import affray
from affray.errors import Invalid
from affray.lab import finding, results
from affray.lab.finding import find
from affray.players.tactics import replay_simulated
from affray.system.registry import find as find_system
from affray.system.registry import names

DUEL = "heroes=player monsters=fire-slime"


@pytest.fixture(scope="module")
def many():
    return affray.simulate("bgo", DUEL, fights=20_000, seed=7, each=True)


@pytest.mark.parametrize("system", names())
def test_a_row_is_that_of_the_fight_of_its_number(system):
    teams = find_system(system).demonstration
    each = affray.simulate(system, teams, fights=12, seed=5, each=True).results
    columns = each.columns()
    for place in (0, 7, 11):
        fight = replay_simulated(system, teams, seed=5, number=place)
        assert (columns["fight"][place], columns["ending"][place]) == (place, fight.ending)
        assert columns["rounds"][place] == fight.round
        for who, row in fight.figures.items():
            assert {name: columns[f"{who}: {name}"][place] for name in row} == row


def test_rows_add_up_to_the_simulation(many):
    each = many.results
    assert len(each) == many.fights
    assert {ending: sum(each.ended(ending)) for ending in many.counts} == dict(many.counts)
    assert {lasted: each.rounds.count(lasted) for lasted in many.rounds} == dict(many.rounds)
    for who, row in many.figures.items():
        for name, rate in row.items():
            assert each.mean(each.figure(who, name)) == rate


def test_rows_do_not_depend_on_how_they_were_fought():
    native, alone = (affray.simulate("bgo", DUEL, fights=5_000, seed=3, each=True, workers=w) for w in (2, 1))
    plain = affray.simulate("bgo", DUEL, fights=300, seed=3, each=True, compiled=False)
    assert native.results.table == alone.results.table
    width = len(native.results.table) // 5_000
    assert plain.results.table == native.results.table[: 300 * width]


def test_a_cost_of_one_fight_is_what_the_system_says_of_its_figures():
    many = affray.simulate("strategic", fights=400, seed=2, each=True, teams="a=knight b=brute")
    who = many.setup.names[0]
    net = many.results.cost(who, "net")
    cost = many.setup.system.costs[-1]
    sheet, now = many.setup.sheets[0], dict.fromkeys(many.setup.system.figure_names, 0.0)
    for place in (0, 399):
        assert net[place] == pytest.approx(cost.of(sheet, now, many.fight(place).figures[who]))
    # The interval of single fights lies within that of the figures, whose correlation is not known.
    close, wide = many.results.mean(net), many.costs[who]["net"]
    assert close.value == pytest.approx(wide.value)
    assert wide.low <= close.low < close.high <= wide.high


def test_results_as_csv_parquet_and_frames_are_the_same(many, tmp_path):
    import pandas
    import polars

    each = affray.simulate("bgo", DUEL, fights=50, seed=7, each=True).results
    each.write(tmp_path / "each.csv")
    each.write(tmp_path / "each.parquet")
    frame = each.as_frame("pandas")
    assert frame.equals(pandas.read_parquet(tmp_path / "each.parquet"))
    assert polars.read_csv(tmp_path / "each.csv").to_dicts() == each.as_frame("polars").to_dicts()
    with open(tmp_path / "each.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["ending"] for row in rows] == list(frame["ending"])


def test_what_cannot_be_kept_or_written_is_refused_with_what_can(monkeypatch, tmp_path):
    with pytest.raises(Invalid, match=r"must end in \.csv or \.parquet, not '\.xls'"):
        results.checked(tmp_path / "each.xls")
    with pytest.raises(Invalid, match="no library of frames 'excel'; there are: pandas, polars"):
        results.frame({}, "excel")
    monkeypatch.setattr(results, "MOST_ROOM", 8 * 12 * 100)
    with pytest.raises(Invalid, match="for 1 to 100 fights, not 101"):
        affray.simulate("bgo", DUEL, fights=101, each=True)


def test_longest_shortest_and_endings_are_found(many):
    longest, shortest, draw = (find(many.results, what) for what in ("longest", "shortest", "draw"))
    assert longest.rounds == max(many.rounds)
    assert shortest.rounds == min(many.rounds)
    for found in (longest, shortest, draw):
        assert (many.fight(found.number).ending, many.fight(found.number).round) == (found.ending, found.rounds)
    assert draw.ending == "draw"
    assert "draw" not in {many.fight(number).ending for number in range(draw.number)}


def test_an_upset_is_won_by_the_team_that_seldom_wins(many):
    upset = find(many.results, "upset")
    assert upset.ending == "monsters"
    codes = zip(many.results.endings, many.results.rounds, strict=True)
    assert upset.rounds == min(lasted for code, lasted in codes if code == 1)


def test_the_unluckiest_fight_is_that_in_which_dice_took_most(many, monkeypatch):
    monkeypatch.setattr(finding, "AUDITED", 4)
    found = find(many.results, "unluckiest")
    lost = [place for place, code in enumerate(many.results.endings) if code == 1][:4]
    taken = {n: sum(max(0, -turn.luck) for turn in many.fight(n).luck("heroes").turns) for n in lost}
    assert found.number == max(lost, key=taken.get)


def test_where_luck_is_sampled_the_worst_are_measured_more_closely(monkeypatch):
    """All lost fights have a few play-outs of each position, and only the unluckiest of them many."""
    monkeypatch.setattr(finding, "AUDITED", 4)
    monkeypatch.setattr(finding, "CLOSELY", 900)
    each = affray.simulate("strategic", "order=knight raiders=brute", fights=200, seed=1, each=True)
    shares = []
    found = find(each.results, "unluckiest", "order", lambda done, most: shares.append(done / most))
    assert shares == sorted(shares)
    assert (len(shares), shares[0]) == (4 + 2, 0)
    assert found.why.endswith("(sampled, 900 compiled play-outs of each position)")
    lost = [number for number in range(200) if each.fight(number).ending == "raiders"][:4]
    rough = {n: unkind(each.fight(n).luck("order", counts=False, playouts=finding.ROUGHLY)) for n in lost}
    two = sorted(lost, key=lambda n: -rough[n])[:2]
    assert found.number == max(two, key=lambda n: unkind(each.fight(n).luck("order", counts=False, playouts=900)))


def test_an_interrupted_search_for_bad_luck_names_the_worst_that_was_looked_at(many, monkeypatch):
    def stop_at(share):
        def heard(done, most):
            if done >= share * most:
                raise KeyboardInterrupt

        return heard

    monkeypatch.setattr(finding, "AUDITED", 4)
    monkeypatch.setattr(finding, "WORST", 1)
    monkeypatch.setattr(finding, "CLOSELY", finding.ROUGHLY)  # so that there are five parts of like size
    found = find(many.results, "unluckiest", progress=stop_at(2 / 5))
    assert found.interrupted
    assert found.why.startswith("of the first 2 fights that heroes lost")
    with pytest.raises(finding.NoneFound, match="interrupted before the luck of a fight that heroes lost"):
        find(many.results, "unluckiest", progress=stop_at(0))


def unkind(audited):
    return sum(max(0, -turn.luck) for turn in audited.turns)


def test_what_never_came_about_is_said_so(many):
    with pytest.raises(finding.NoneFound, match="none of 20,000 fights ended so: fled; there were: heroes, monsters"):
        find(many.results, "fled")
    with pytest.raises(Invalid, match="no kind of fight 'longer'; did you mean longest"):
        find(many.results, "longer")


def test_an_interrupted_simulation_keeps_the_rows_of_what_was_fought(monkeypatch):
    def stop(done, asked):
        raise KeyboardInterrupt

    part = affray.simulate("bgo", DUEL, fights=50_000, seed=7, each=True, workers=1, progress=stop)
    whole = affray.simulate("bgo", DUEL, fights=50_000, seed=7, each=True).results
    assert part.interrupted
    assert 0 < len(part.results) == part.fights < 50_000
    kept = dict(zip(part.results.numbers, part.results.rounds, strict=True))
    assert all(whole.rounds[number] == lasted for number, lasted in kept.items())


def test_the_mean_of_a_column_is_that_of_the_library():
    import statistics

    each = affray.simulate("bgo", DUEL, fights=500, seed=1, each=True).results
    found = each.mean(each.rounds)
    spread = 1.959963984540054 * statistics.stdev(each.rounds) / 500**0.5
    assert found == pytest.approx((statistics.mean(each.rounds), found.value - spread, found.value + spread))
