#!/usr/bin/env bats
# hagg-audit --require: plans that are strong enough, and plans that are not.

load common

TOOL=hagg-audit
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    six full aligned >city.topo
}

# meets PLAN CONDITIONS LINE: checks that the plan is accepted, with this last line of the output.
meets() {
    run -0 --separate-stderr hagg-audit --require "$2" "$1"
    assert_equal "${lines[-1]}" "required and met: $3"
    assert_equal "$stderr" ""
}

# weaker PLAN CONDITIONS LIST: checks that the plan is private and is refused because of this list.
weaker() {
    run -6 --separate-stderr hagg-audit --require "$2" "$1"
    assert_line --index 0 --regexp '^private: '
    assert_equal "${lines[-1]}" "required and not met: $3"
    assert_message "$1: is weaker than required: $3"
}

@test "a plan that is strong enough" {
    meets city.topo 'stations>=1 clients>=1 minimum>=3' \
        "stations>=1 (has 2), clients>=1 (has 1), minimum>=3 (has 3)"
    assert_line --index 0 "private: 120 coalitions checked"
    assert_line --index 3 "8 random coalitions confirmed by elimination"
}

@test "a weaker plan is refused, and every condition that it does not meet is named" {
    run -6 --separate-stderr hagg-audit --require 'stations>=3 clients>=1 minimum>=5' city.topo
    assert_line --index 0 "private: 120 coalitions checked"
    assert_line --index 4 "required and met: clients>=1 (has 1)"
    assert_line --index 5 "required and not met: stations>=3 (has 2), minimum>=5 (has 3)"
    assert_message "city.topo: is weaker than required: stations>=3 (has 2), minimum>=5 (has 3)"
}

@test "commas, blanks around signs, and several options" {
    meets city.topo ' stations >= 1,clients>= 1 , minimum =3,' \
        "stations>=1 (has 2), clients>=1 (has 1), minimum=3 (has 3)"
    run -6 --separate-stderr hagg-audit --require 'stations>=1' --require 'minimum>=4' city.topo
    assert_line "required and met: stations>=1 (has 2)"
    assert_message "city.topo: is weaker than required: minimum>=4 (has 3)"
}

@test "the signs >=, <= and =" {
    meets city.topo 'stations>=2 stations<=2 stations=2' \
        "stations>=2 (has 2), stations<=2 (has 2), stations=2 (has 2)"
    weaker city.topo 'stations>=3 stations<=1 stations=1 stations=3' \
        "stations>=3 (has 2), stations<=1 (has 2), stations=1 (has 2), stations=3 (has 2)"
}

@test "full collusion includes partial collusion, but not the other way" {
    meets city.topo 'collusion=full collusion=partial' "collusion=full (has full), collusion=partial (has full)"
    six partial >partial.topo
    meets partial.topo 'collusion=partial' "collusion=partial (has partial)"
    weaker partial.topo 'collusion=full' "collusion=full (has partial)"
}

@test "information-theoretic privacy includes computational privacy, but not the other way" {
    meets city.topo 'privacy=information-theoretic privacy=computational' \
        "privacy=information-theoretic (has information-theoretic), privacy=computational (has information-theoretic)"
    (cat city.topo; echo "client 7 via 1-3 computational") >seeds.topo
    meets seeds.topo 'privacy=computational' "privacy=computational (has computational)"
    weaker seeds.topo 'privacy=information-theoretic' "privacy=information-theoretic (has computational)"
    # nothing is proved
    run -6 --separate-stderr hagg-audit --require privacy=computational --sample 5 seeds.topo
    assert_equal "${lines[-1]}" "required and not met: privacy=computational (not proved)"
}

@test "the protocol" {
    meets city.topo 'protocol=aligned' "protocol=aligned (has aligned)"
    weaker city.topo 'protocol=keys' "protocol=keys (has aligned)"
    six partial >partial.topo
    weaker partial.topo 'protocol=aligned' "protocol=aligned (has keys)"
}

@test "identities" {
    weaker city.topo identities "identities (has none)"
    hagg-keygen --identity '{tier}-{}.pem' --clients 1-6 >city.ids
    hagg-keygen --identity '{tier}-{}.pem' --stations 1-5 >>city.ids
    hagg-keygen --identity federator.pem --federator >>city.ids
    { cat city.topo && echo identities city.ids; } >sealed.topo
    meets sealed.topo identities "identities (has some)"
    run -2 hagg-audit --require identities=1 sealed.topo
    # the file must be there, and be the one of the plan
    hagg-plan -q sealed.topo -o sealed.plan
    meets sealed.plan identities "identities (has some)"
    echo "# changed" >>city.ids
    weaker sealed.plan identities "identities (has none)"
    rm city.ids
    weaker sealed.plan identities "identities (has none)"
}

@test "without relays, or with protocol aligned, all relays may collude" {
    meets city.topo 'relays>=3 drop-relays>=1' "relays>=3 (has all), drop-relays>=1 (has all)"
    weaker city.topo 'relays<=3' "relays<=3 (has all)"
    printf '%s\n' "collude full stations=1" "stations 3" "relays 2" "client 1-5 via 1-3" \
        "station 1-3 via 1 2" >relays.topo
    run -6 --separate-stderr hagg-audit --require 'relays>=3 drop-relays>=1' relays.topo
    assert_line "required and met: relays>=3 (has all)"
    assert_message "relays.topo: is weaker than required: drop-relays>=1 (has 0)"
}

@test "with protocol keys, only the relays of the collude line may collude" {
    printf '%s\n' "collude full stations=1 relays=1" "stations 5" "relays 5" "client 1-5 via 1-5" \
        "station 1-5 via 1-5" "protocol keys" >relays.topo
    hagg-plan -q --protocol keys relays.topo -o relays.plan
    meets relays.plan 'relays>=1' "relays>=1 (has 1)"
    weaker relays.plan 'relays>=2' "relays>=2 (has 1)"
}

@test "the nodes that may be missing" {
    printf '%s\n' "collude full stations=1" "stations 6" "drop clients=1 stations=2" \
        "client 1-7 via 1-6" >drop.topo
    meets drop.topo 'drop-stations>=2 drop-clients=1' "drop-stations>=2 (has 2), drop-clients=1 (has 1)"
    weaker drop.topo 'drop-stations>=3' "drop-stations>=3 (has 2)"
}

@test "without a drop line, clients may be left out down to the minimum" {
    meets city.topo 'drop-clients=3' "drop-clients=3 (has 3)"
    weaker city.topo 'drop-clients<=2' "drop-clients<=2 (has 3)"
    # with keys, it depends on the clients
    write_ring
    meets ring.plan 'drop-clients<=3' "drop-clients<=3 (has 0 to 3)"
    weaker ring.plan 'drop-clients>=1 drop-clients=3 drop-clients<=2' \
        "drop-clients>=1 (has 0 to 3), drop-clients=3 (has 0 to 3), drop-clients<=2 (has 0 to 3)"
}

@test "a plan with thousands of clients, by a proof" {
    { echo "collude full clients=2 stations=2"; echo "stations 12"
      for i in $(seq 3000); do echo "client $i via $((i % 5 + 1))-$((i % 5 + 6))"; done; } >large.topo
    meets large.topo 'stations>=2 clients>=2 collusion=full' \
        "stations>=2 (has 2), clients>=2 (has 2), collusion=full (has full)"
    weaker large.topo 'clients>=3' "clients>=3 (has 2)"
}

@test "nothing is proved of a plan that is not private" {
    six full >keys.topo
    run -6 --separate-stderr hagg-audit --require 'stations>=1 collusion=partial minimum>=3 minimum>=4' keys.topo
    assert_line "required and met: minimum>=3 (has 3)"
    assert_message "keys.topo: is not private: 1 coalition learns more than allowed; required and not met: stations>=1 (not proved), collusion=partial (not proved), minimum>=4 (has 3)"
    # refused, even if the plan itself meets all conditions
    run -6 --separate-stderr hagg-audit --json --require 'minimum>=3' keys.topo
    assert_message "keys.topo: is not private: 1 coalition learns more than allowed"
    assert_json "lines[0]['meets'] is False and lines[0]['required'] == [{'condition': 'minimum>=3', 'has': 3, 'met': True}]"
}

@test "nothing is proved of a plan whose minimum is too low" {
    echo "minimum 2" >>city.topo
    run -6 --separate-stderr hagg-audit --require 'clients>=1' city.topo
    assert_line "required and not met: clients>=1 (not proved)"
    assert_message "city.topo: with minimum 2 and clients=1 in the collude line, a total may reveal the vector of one client: use minimum 3 or more; required and not met: clients>=1 (not proved)"
}

@test "random coalitions prove nothing, so the plan is refused with status 6" {
    run -6 --separate-stderr hagg-audit --sample 5 --require 'stations>=1' city.topo
    assert_message "city.topo: is not decided: only random coalitions were checked; required and not met: stations>=1 (not proved)"
    run -6 --separate-stderr hagg-audit --sample 5 --require 'minimum>=3' city.topo
    assert_message "city.topo: is not decided: only random coalitions were checked"
}

@test "the conditions are in the JSON" {
    run -6 --separate-stderr hagg-audit --json --require 'stations>=2 minimum>=5 collusion=partial relays>=1' city.topo
    assert_message "city.topo: is weaker than required: minimum>=5 (has 3)"
    assert_json "lines[0]['private'] is True and lines[0]['meets'] is False"
    assert_json "lines[0]['required'] == [{'condition': 'stations>=2', 'has': 2, 'met': True}, {'condition': 'minimum>=5', 'has': 3, 'met': False}, {'condition': 'collusion=partial', 'has': 'full', 'met': True}, {'condition': 'relays>=1', 'has': 'all', 'met': True}]"
    run -0 --separate-stderr hagg-audit --json --require 'stations>=2' city.topo
    assert_json "lines[0]['meets'] is True"
    run -6 --separate-stderr hagg-audit --json --sample 1 --require 'stations>=2' city.topo
    assert_json "lines[0]['meets'] is False and lines[0]['required'] == [{'condition': 'stations>=2', 'has': None, 'met': False}]"
    run -0 --separate-stderr hagg-audit --json city.topo
    assert_json "'meets' not in lines[0] and 'required' not in lines[0]"
}

@test "the conditions are on the page" {
    run -6 --separate-stderr hagg-audit --report page.html --require 'stations>=2 minimum>=5' city.topo
    assert_message "city.topo: is weaker than required: minimum>=5 (has 3)"
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/certificate_page.py" page.html
    assert_json "lines[0]['title'] == 'Audit report: weaker than required: city.topo'"
    assert_json "lines[0]['verdict'] == 'Private, but weaker than required'"
    assert_json "[['Condition', 'The plan has', 'Met'], ['stations>=2', '2', 'yes'], ['minimum>=5', '3', 'no']] in lines[0]['tables']"
    run -0 --separate-stderr hagg-audit --report page.html --require 'stations>=2' city.topo
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/certificate_page.py" page.html
    assert_json "lines[0]['title'] == 'Privacy certificate: city.topo' and lines[0]['verdict'] == 'Private'"
    assert_json "'What was required' in lines[0]['headings']"
    # a plan that leaks is that first of all
    six full >keys.topo
    run -6 --separate-stderr hagg-audit --report page.html --require 'stations>=2' keys.topo
    run -0 python3 "$HAGG_SOURCE_DIR/tests/cli/certificate_page.py" page.html
    assert_json "lines[0]['verdict'] == 'Not private'"
    assert_json "[['Condition', 'The plan has', 'Met'], ['stations>=2', 'not proved', 'no']] in lines[0]['tables']"
}

@test "a wrong condition is a usage error, with the name that was probably meant" {
    while IFS='|' read -r condition message; do
        run -2 --separate-stderr hagg-audit --require "$condition" city.topo
        assert_usage "--require: $message"
    done <<'END'
statoins>=1|unknown word 'statoins': did you mean 'stations'?
stations>=1 minimal>=5|unknown word 'minimal': did you mean 'minimum'?
federators>=1|unknown word 'federators': use clients=, stations=, relays=, collusion=, privacy=, minimum=, drop-clients=, drop-stations=, drop-relays=, protocol= or identities
>=1|unknown word '': use clients=, stations=, relays=, collusion=, privacy=, minimum=, drop-clients=, drop-stations=, drop-relays=, protocol= or identities
stations>1|'stations>1': use >=, <= or =
stations=>1|'stations=>1': use >=, <= or =
stations!=1|'stations!=1': use >=, <= or =
stations|'stations' needs a value, as in 'stations>=1': quote it for the shell
collusion|'collusion' needs a value, as in 'collusion=full': quote it for the shell
stations>=|'stations>=': the value must be a number from 0 to 4294967295
stations>=-1|'stations>=-1': the value must be a number from 0 to 4294967295
stations>=1.5|'stations>=1.5': the value must be a number from 0 to 4294967295
minimum>=4294967296|'minimum>=4294967296': the value must be a number from 0 to 4294967295
minimum>=99999999999999999999999|'minimum>=99999999999999999999999': the value must be a number from 0 to 4294967295
collusion=ful|'collusion=ful': did you mean 'full'?
collusion=both|'collusion=both': use partial or full
collusion>=full|'collusion>=full': use =
privacy=perfect|'privacy=perfect': use computational or information-theoretic
privacy|'privacy' needs a value, as in 'privacy=information-theoretic': quote it for the shell
protocol=|'protocol=': use aligned or keys
 , |there is no condition: give some, as in 'stations>=1 clients>=1'
END
}

@test "--require is about the whole plan" {
    for option in --max --colluders=stations=1; do
        run -2 --separate-stderr hagg-audit "$option" --require 'stations>=1' city.topo
        assert_usage "--require is about the whole plan: omit --colluders and --max"
    done
}
