#!/usr/bin/env bats
# hagg-audit --report: the HTML page. tests/cli/certificate_page.py checks its form.

load common

TOOL=hagg-audit
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    unset SOURCE_DATE_EPOCH
}

# page FILE: checks the page and sets $output to what is on it.
page() {
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/certificate_page.py" "$1"
}

# aligned_six: the six clients with the default protocol.
aligned_six() {
    six full | sed '/^protocol/d'
}

@test "the page of a private plan" {
    aligned_six >city.topo
    run -0 --separate-stderr hagg-audit --report city.html city.topo
    assert_equal "$stderr" ""
    assert_line --index 0 "private: 120 coalitions checked"
    page city.html
    assert_json "lines[0]['title'] == 'Privacy certificate: city.topo' and lines[0]['verdict'] == 'Private'"
    assert_json "lines[0]['headings'] == ['Privacy certificate', 'The plan', 'What is promised, and against whom', 'The network', 'What was proved, and how', 'What it costs', 'What is not promised'] + lines[0]['headings'][7:]"
    assert_json "lines[0]['svg'] == 1 and lines[0]['svg_titles'] == ['The network: 6 clients, 5 stations, 1 federator']"
    assert_json "['any single client, any 2 stations and the federator', 'the total of the other clients, and nothing else about their vectors'] in lines[0]['tables'][1]"
    assert_json "'A total is revealed only if at least 3 clients are in it.' in lines[0]['items']"
    for words in 'Nodes that break the rules' 'What the total itself reveals' 'Several rounds' \
        'Who takes part, and when' 'Files on the way and at rest' 'Quality of randomness' 'Few clients'; do
        assert_json "'$words' in lines[0]['headings']"
    done
    assert_json "not any('Date' in row for row in lines[0]['tables'][0])"
    assert_json "any(item.startswith('As a check of the proof, the linear systems of 8 coalitions chosen at random were solved too. They agree') for item in lines[0]['items'])"
}

@test "promises about more stations, and what larger coalitions learn" {
    aligned_six | sed 's/stations=2/stations=1 tolerate 1\/3 at 2/' >city.topo
    grep "tolerate" city.topo
    hagg-audit --report city.html city.topo >/dev/null
    page city.html
    assert_json "['any single client, any 2 stations and the federator', 'the total and at most 1/3 of the vector of any other client'] in lines[0]['tables'][1]"
    assert_json "any('includes what follows from the total' in item for item in lines[0]['items'])"
    assert_json "'If more than 1 client or more than 1 station collude, nothing more is promised than in the table above.' in lines[0]['text']"
    assert_json "'At worst they learn' not in lines[0]['text']"
    hagg-audit --beyond 2 --json --report city.html city.topo >city.json
    page city.html
    echo "$output" >page.json
    run -0 python3 - <<'PYTHON'
import json
from fractions import Fraction

page = json.load(open("page.json"))
rows = [row for table in page["tables"] if table[0][0] == "colluding" for row in table[1:]]
beyond = json.load(open("city.json"))["beyond"]
assert len(rows) == len(beyond) == 4, rows
for row, want in zip(rows, beyond):
    assert row[0] == f"{want['stations']} stations" + (" and the federator" if want["federator"] else ""), row
    for cell, name in (row[1], "one_vector"), (row[3], "in_all"):
        number = cell.split(" (")[0].removeprefix("at most ")
        assert Fraction(number) == Fraction(want[name]["numerator"], want[name]["denominator"]), row
PYTHON
    assert_output ""
}

@test "the numbers of the page are those of hagg-audit, hagg-plan and hagg-cost" {
    aligned_six >city.topo
    echo "length 1000" >>city.topo
    hagg-audit --report city.html city.topo >/dev/null
    page city.html
    facts=$output
    audit=$(hagg-audit --json city.topo) cost=$(hagg-cost --format json city.topo) \
        digest=$(hagg-plan --digest city.topo) version=$(hagg-audit --version) \
        run -0 python3 - "$facts" <<'PYTHON'
import json, os, sys

page = json.loads(sys.argv[1])
audit, cost = json.loads(os.environ["audit"]), json.loads(os.environ["cost"])
facts, _, sides, links, bounds = page["tables"]
facts = dict(facts)
assert facts["Plan, SHA-256"] == os.environ["digest"], facts
assert facts["Audited with"] == os.environ["version"], facts
assert facts["Vectors"] == "1,000 elements", facts
number = lambda text: float(text.replace(",", ""))
assert sum(number(row[1]) for row in sides[1:]) == audit["checked"] == audit["sets"], sides
assert [number(row[1]) for row in sides[1:]] == [side["sets"] for side in audit["sides"]], sides
assert f"{audit['checked']} coalitions of colluding nodes were covered" in page["text"]
plan = next(row for row in cost["protocols"] if row["name"] == "plan")
got = {row[0]: row[1:] for row in links[1:]}
want = {name: line for name, line in plan["links"].items() if line["decimal"] > 0}
assert set(got) == set(want) | {"total"}, (got, want)
for name, line in [*want.items(), ("total", plan["total"])]:
    assert abs(number(got[name][0]) - line["decimal"]) <= 0.0005, (name, got[name], line)
    assert number(got[name][1]) == line["bytes"], (name, got[name], line)
for row in bounds[1:]:
    name = {"lower bound": "bound", "sharper lower bound": "sharper"}[row[0]]
    bound = next(line for line in cost["protocols"] if line["name"] == name)["total"]["decimal"]
    assert abs(number(row[1]) - bound) <= 0.0005, (row, bound)
    assert abs(number(row[2]) - plan["total"]["decimal"] / bound) <= 0.0005, (row, bound)
assert len(bounds) == 3
PYTHON
}

@test "the page of a plan that leaks is no certificate" {
    six full >city.topo
    run -6 --separate-stderr hagg-audit --report city.html city.topo
    assert_message "city.topo: is not private: 1 coalition learns more than allowed"
    assert_line "  clients 3-6: their whole vectors"
    page city.html
    assert_json "lines[0]['title'] == 'Audit report: not private: city.topo' and lines[0]['verdict'] == 'Not private'"
    assert_json "lines[0]['headings'][1] == 'Who learns too much' and lines[0]['items'][0] == 'clients 3-6: their whole vectors'"
    assert_json "'Do not use this plan. This page is not a certificate.' in lines[0]['text']"
    assert_json "'does not keep this promise' in lines[0]['text'] and not any('is promised' in heading or 'proved' in heading for heading in lines[0]['headings'])"
    run ! grep -i "privacy certificate\|proved for all" city.html
    # findings of the same kind are together
    write_ring 2
    run -6 --separate-stderr hagg-audit --report ring.html --limit 100 ring.plan
    page ring.html
    assert_json "'9 coalitions, that is groups of nodes that pool what they see, learn more than the plan allows' in lines[0]['text'] and lines[0]['text'].count('is learnt by:') == 2"
    assert_json "'the sum of the vectors of clients 2 and 3' in lines[0]['items']"
}

@test "the page of an audit that is not complete is no certificate" {
    aligned_six >city.topo
    run -5 --separate-stderr hagg-audit --sample 10 --report city.html city.topo
    assert_message "city.topo: is not decided: only random coalitions were checked"
    page city.html
    assert_json "lines[0]['title'].startswith('Audit report: not decided') and lines[0]['verdict'] == 'Not decided'"
    assert_json "'10 random draws from 120 coalitions of colluding nodes were examined' in lines[0]['text']"
    assert_json "'The audit has not proved this promise' in lines[0]['text']"
    run ! grep -i "privacy certificate\|proved for all" city.html
}

@test "the page of an audit whose time was up is no certificate" {
    write_shuffled
    run -5 --separate-stderr hagg-audit --time-limit 1 --report late.html shuffled.plan
    page late.html
    assert_json "lines[0]['verdict'] == 'Not decided' and 'The time limit was reached before all coalitions were decided' in lines[0]['text']"
    assert_json "lines[0]['tables'][2][0] == ['Members', 'Coalitions', 'Of these decided', 'How']"
    assert_json "any(row[3] == 'open' and int(row[2].replace(',', '')) < int(row[1].replace(',', '')) for row in lines[0]['tables'][2][1:])"
    run ! grep -i "privacy certificate\|proved for all" late.html
}

@test "the page of a plan whose minimum is too low is no certificate" {
    printf '%s\n' "collude partial clients=2 stations=1" "minimum 3" "stations 3" "client 1-9 via 1-3" >low.topo
    run -6 --separate-stderr hagg-audit --report low.html low.topo
    assert_message "low.topo: with minimum 3 and clients=2 in the collude line, a total may reveal the vector of one client: use minimum 4 or more"
    page low.html
    assert_json "lines[0]['verdict'] == 'Not private' and 'use minimum 4 or more' in lines[0]['text']"
    run ! grep -i "privacy certificate" low.html
}

@test "what is promised, for every kind of plan" {
    six partial >part.topo
    hagg-audit --report part.html part.topo >/dev/null
    page part.html
    assert_json "['any single client and the federator', 'the total of the other clients, and nothing else about their vectors'] in lines[0]['tables'][1]"
    assert_json "['a station and the federator together', 'not covered: the plan assumes that they do not collude'] in lines[0]['tables'][1]"
    printf '%s\n' "collude full clients=2 stations=1" "drop clients=3 stations=1" "stations 6" "relays 2" \
        "station 1-6 via 1 2" "client 1-30 via 1-5" "client 31-100 via 2-6" >relays.topo
    hagg-audit --report relays.html relays.topo >/dev/null
    page relays.html
    assert_json "['any 2 clients, any single station, all relays and the federator', 'the total of the other clients, and nothing else about their vectors'] in lines[0]['tables'][1]"
    assert_json "'Up to 3 clients may be left out of the total after sending shares. The promise covers them too.' in lines[0]['items']"
    assert_json "'1 station may be missing. The total is exact nevertheless.' in lines[0]['items']"
    printf '%s\n' "collude full clients=1 stations=1 relays=1" "stations 4" "relays 4" "station 1-4 via 1-4" \
        "client 1 2 via 1-4" "client 3 via 2-4" "client 4 via 1 2 4" "protocol keys" >keys.topo
    hagg-plan -q keys.topo -o keys.plan
    hagg-audit --report keys.html keys.plan >/dev/null
    page keys.html
    assert_json "[row[0] for row in lines[0]['tables'][1][1:]] == ['any single client, any single station, any single relay and the federator', 'any single client, any single station and any single relay', 'any single station alone', 'any single relay alone', 'the federator alone']"
    page relays.html
    # two boxes stand for the clients
    assert_json "'stands for all clients that use the same stations' in lines[0]['text'] and ' 30 ' in lines[0]['text'] and ' 70 ' in lines[0]['text']"
}

# excludes_relays PLAN TOO_MANY: the page of this private plan excludes TOO_MANY, and stations with relays.
excludes_relays() {
    hagg-audit --report page.html "$1" >/dev/null
    page page.html
    assert_json "lines[0]['verdict'] == 'Private' and 'If more than $2 collude, or stations collude with relays or the federator, nothing is promised.' in lines[0]['text']"
    assert_json "['a station together with a relay or the federator', 'not covered: the plan assumes that they do not collude'] in lines[0]['tables'][1]"
    run ! grep "stations collude with the federator\|a station and the federator together" page.html
}

# Each group that the page excludes has a member that does learn too much.
@test "the page excludes stations that collude with relays, and too many relays" {
    printf '%s\n' "collude partial clients=1 stations=1 relays=1" "protocol keys" "stations 3" "relays 3" \
        "station 1-3 via 1-3" "client 1 via 1-3 shares 1 2 3 keys 1 relays 1 2 3" \
        "client 2-4 via 1-3 shares 1 2 keys 1 relays 1 2" >keys.topo
    excludes_relays keys.topo "1 client, more than 1 station or more than 1 relay"
    run -6 hagg-audit --colluders stations=1,relays=2 keys.topo
    assert_line "  client 1: a half of its vector"
    run -6 hagg-audit --colluders relays=1,2 keys.topo
    assert_line --partial "a half of the sum"
    # all relays may collude with the federator, but not with a station
    printf '%s\n' "collude partial clients=1 stations=1" "stations 5" "relays 2" "station 1-5 via 1 2" \
        "client 1-3 via 1-4" "client 4-6 via 2-5" >aligned.topo
    excludes_relays aligned.topo "1 client or more than 1 station"
    run -6 hagg-audit --colluders stations=3,relays=1 aligned.topo
    assert_line "  a combination of the vectors of clients 1-6, a third of their length"
}

@test "the same plan gives the same bytes, without a date unless one is asked for" {
    aligned_six >city.topo
    hagg-audit --report one.html city.topo >/dev/null
    TZ=Pacific/Auckland hagg-audit --report two.html --threads 2 city.topo >/dev/null
    cmp one.html two.html
    SOURCE_DATE_EPOCH=86400 hagg-audit --report dated.html city.topo >/dev/null
    page dated.html
    assert_json "['Date', '1970-01-02'] in lines[0]['tables'][0]"
    SOURCE_DATE_EPOCH=now run -2 --separate-stderr hagg-audit --report bad.html city.topo
    assert_message "the variable SOURCE_DATE_EPOCH must be a number of seconds since 1970, or be unset"
    assert_not_exist bad.html
}

@test "a hostile file name is text on the page" {
    local name='<img src=x onerror="alert(1)">&amp;'\''<script>.topo'

    aligned_six >"$name"
    hagg-audit --report page.html "$name" >/dev/null
    page page.html
    name=$name assert_json "__import__('os').environ['name'] in lines[0]['title'] and lines[0]['text'].count(__import__('os').environ['name']) == 1"
    # bytes that are not UTF-8, and control characters
    name=$'a\xff\x1b[31m\n.topo'
    aligned_six >"$name"
    hagg-audit --report page.html "$name" >/dev/null
    page page.html
    assert_json "lines[0]['title'] == 'Privacy certificate: a\ufffd\ufffd[31m\ufffd.topo'"
    # a change of direction, and a control character of two bytes
    name=$'a\xe2\x80\xaeopot.\xe2\x81\xa6b\xe2\x80\x8f\xc2\x85.topo'
    aligned_six >"$name"
    hagg-audit --report page.html "$name" >/dev/null
    page page.html
    assert_json "lines[0]['title'] == 'Privacy certificate: a\ufffdopot.\ufffdb\ufffd\ufffd.topo'"
    run ! env LC_ALL=C grep -P '\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8f|\xc2\x85' page.html
}

# commands: the commands of page.html, one on a line.
commands() {
    python3 -c 'import html, re, sys
for code in re.findall("<code>(hagg-.*?)</code>", sys.stdin.read()):
    print(html.unescape(code))' <page.html
}

@test "the commands on the page can be copied into a shell" {
    local name

    for name in plain.topo 'a;touch PWNED;.topo' "it's \$(touch PWNED) <b>&.topo" --version; do
        aligned_six >"./$name"
        hagg-audit --report page.html -- "$name" >/dev/null
        run -0 commands
        assert_equal "${#lines[@]}" 2
        run -0 sh -c "${lines[0]}"
        assert_output "$(hagg-plan --digest - <plain.topo)"
        run -0 commands
        run -0 sh -c "${lines[1]} >again.html"
        assert_not_exist PWNED
    done
    hagg-audit --report page.html plain.topo >/dev/null
    run -0 commands
    assert_line --index 0 "hagg-plan --digest plain.topo"
    # control: the same name without quotes is a command
    run -127 sh -c "hagg-plan --digest a;touch PWNED;.topo"
    assert_exist PWNED
}

@test "the page is written whole or not at all" {
    aligned_six >city.topo
    run -0 --separate-stderr hagg-audit --report - city.topo
    printf '%s\n' "$output" >dash.html
    hagg-audit --report file.html city.topo >/dev/null
    cmp dash.html file.html
    hagg-audit --report stdin.html <city.topo >/dev/null
    page stdin.html
    assert_json "lines[0]['title'] == 'Privacy certificate: standard input' and 'hagg-plan --digest PLAN prints' in lines[0]['text']"
    cp city.topo same.topo
    run -2 --separate-stderr hagg-audit --report same.topo same.topo
    assert_message "same.topo: is also an input of this command: name another output"
    cmp city.topo same.topo
    run -1 --separate-stderr hagg-audit --report nowhere/page.html city.topo
    assert_output ""
    assert_regex "$stderr" "^hagg-audit: nowhere/page.html: cannot be written, because its directory does not exist$"
    echo old >old.html
    run -3 --separate-stderr hagg-audit --report old.html <(echo nonsense)
    assert_equal "$(cat old.html)" old
    ln -s old.html link.html
    run -6 --separate-stderr hagg-audit --report link.html city.topo
    assert_equal "$(cat old.html)" old
    run -2 --separate-stderr hagg-audit --report page.html --max city.topo
    assert_usage "--report is about the whole plan: omit --colluders and --max"
    run -2 --separate-stderr hagg-audit --report page.html --colluders stations=1 city.topo
    assert_usage "--report is about the whole plan: omit --colluders and --max"
    assert_not_exist page.html
}

@test "large networks are drawn by kinds of nodes and charts" {
    python3 - >large.topo <<'PYTHON'
import random
random.seed(1)
print("collude full clients=2 stations=2", "stations 40", sep="\n")
for i in range(1, 201):
    print("client", i, "via", *sorted(random.sample(range(1, 41), random.randint(5, 12))))
PYTHON
    hagg-audit --report large.html large.topo >/dev/null
    page large.html
    assert_json "lines[0]['svg'] == 3 and lines[0]['bytes'] < 100000"
    assert_json "'each sends shares to 5 to 12 stations' in lines[0]['text'] and '200 clients' in lines[0]['text']"
    # the tallest bars
    run -0 python3 - <<'PYTHON'
import collections, json, subprocess
sizes, stations = collections.Counter(), collections.Counter()
for line in open("large.topo"):
    words = line.split()
    if words[0] == "client":
        sizes[len(words) - 3] += 1
        stations.update(words[3:])
text = open("large.html").read()
for counts in (sizes, stations):
    assert f">{max(counts.values())}</text>" in text, counts
PYTHON
    { printf '%s\n' "collude full clients=2 stations=2" "stations 60"
      for i in $(seq 0 49); do echo "client $((2000 * i + 1))-$((2000 * i + 2000)) via $((1 + i))-$((10 + i))"; done; } >huge.topo
    hagg-audit --report huge.html huge.topo >/dev/null
    page huge.html
    assert_json "'100,000 clients, 60 stations, 1 federator' in lines[0]['text'] and lines[0]['bytes'] < 100000"
}
