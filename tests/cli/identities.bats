#!/usr/bin/env bats
# Key pairs of nodes, made by hagg-keygen --identity, and the line identities of topologies and plans.

load common
load round
load sealed

TOOL=hagg-keygen

setup_file() {
    common_setup_file
    cd "$BATS_FILE_TMPDIR"
    make_keys 1-4 1-3 2
    cat >small.topo <<'END'
protocol aligned
collude full clients=1 stations=1
stations 3
relays 2
station 1-3 via 1 2
client 1-4 via 1-3
identities ids.txt
END
    hagg-plan -q small.topo -o small.plan
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    cp -r "$BATS_FILE_TMPDIR"/{keys,ids.txt,small.topo,small.plan} .
    unset HAGG_PLAN HAGG_IDENTITY
}

# line_of NODE FILE: the line of a private key as openssl derives it.
line_of() {
    local key

    key=$(openssl pkey -in "$2" -pubout -outform DER | tail -c 32 | base64)
    echo "$1 $key # $(base64 -d <<<"$key" | sha256sum | head -c 16)"
}

# use_roster: a command that uses the identities of small.plan, as the federator
use_roster() {
    rm -f roster.cbor
    run --separate-stderr hagg-roster --plan "${1:-small.plan}" --round 1 --clients 1-4 -o roster.cbor \
        --identity "${2:-keys/federator.pem}"
}

# refuses STATUS MESSAGE: what use_roster refuses, without an output
refuses() {
    use_roster "${@:3}"
    assert_equal "$status" "$1"
    assert_output ""
    assert_equal "$stderr" "hagg-roster: $2"
    assert_not_exist roster.cbor
}

@test "a private key has the form of openssl, and only its owner can read it" {
    umask 000
    run -0 --separate-stderr hagg-keygen --identity new.pem --client 3
    assert_equal "$stderr" ""
    assert_equal "$(stat -c %a new.pem)" 600
    assert_output "$(line_of "client 3" new.pem)"
    openssl pkey -in new.pem -out same.pem
    cmp new.pem same.pem
    openssl genpkey -algorithm X25519 -out other.pem
    assert_equal "$(openssl pkey -in new.pem -text -noout | head -1)" "X25519 Private-Key:"
    # the same but for the key itself
    assert_equal "$(sed '2s/^\(.\{20\}\).*/\1/' new.pem)" "$(sed '2s/^\(.\{20\}\).*/\1/' other.pem)"
    assert_equal "$(wc -c <new.pem)" "$(wc -c <other.pem)"
}

@test "two keys are never the same" {
    hagg-keygen --identity a.pem --client 1
    hagg-keygen --identity b.pem --client 1
    run -1 cmp a.pem b.pem
}

@test "a key of openssl is accepted" {
    openssl genpkey -algorithm X25519 -out mine.pem
    chmod 600 mine.pem
    cp mine.pem before.pem
    run -0 --separate-stderr hagg-keygen --identity mine.pem --federator
    assert_equal "$stderr" ""
    assert_output "$(line_of federator mine.pem)"
    cmp mine.pem before.pem
}

@test "an existing key is not changed, and its line is printed again" {
    hagg-keygen --identity mine.pem --relay 2 >first
    cp -p mine.pem before.pem
    run -0 --separate-stderr hagg-keygen --identity mine.pem --relay 2
    assert_output "$(cat first)"
    assert_equal "$stderr" ""
    cmp mine.pem before.pem
    assert_equal "$(stat -c '%a %Y' mine.pem)" "$(stat -c '%a %Y' before.pem)"
}

@test "a key through a symbolic link, a pipe and standard input" {
    hagg-keygen --identity mine.pem --station 7 >line
    ln -s mine.pem link.pem
    run -0 --separate-stderr hagg-keygen --identity link.pem --station 7
    assert_output "$(cat line)"
    for name in - /dev/stdin; do
        run -0 --separate-stderr bash -c "cat mine.pem | hagg-keygen --identity $name --station 7"
        assert_output "$(cat line)"
        assert_equal "$stderr" ""
    done
    run -0 --separate-stderr hagg-keygen --identity - --station 7 <mine.pem
    assert_output "$(cat line)"
    assert_not_exist ./-
}

@test "standard input makes no key" {
    run -3 --separate-stderr hagg-keygen --identity - --station 7 </dev/null
    assert_message "standard input: is not a private key in PEM: make one with hagg-keygen --identity"
    assert_output ""
}

@test "several nodes, with {} and {tier}" {
    run -0 --separate-stderr hagg-keygen --identity '{tier} {}.pem' --clients 2-3,9 -o 'the lines'
    assert_output ""
    assert_equal "$stderr" ""
    for i in 2 3 9; do
        assert_equal "$(stat -c %a "client $i.pem")" 600
        line_of "client $i" "client $i.pem"
    done >expected
    cmp expected 'the lines'
    run -0 --separate-stderr hagg-keygen --identity '{tier} {}.pem' --stations 4
    assert_output "$(line_of "station 4" "station 4.pem")"
}

@test "a line that cannot be written leaves the key, so that it can be printed later" {
    run -1 --separate-stderr hagg-keygen --identity new.pem --client 1 -o /dev/full
    assert_message "/dev/full: No space left on device"
    run -0 --separate-stderr hagg-keygen --identity new.pem --client 1
    assert_output "$(line_of "client 1" new.pem)"
}

@test "two processes that make the same key print the same line, or one of them fails" {
    for i in 1 2 3 4 5 6; do
        hagg-keygen --identity both.pem --client 1 >line-$i 2>message-$i &
    done
    wait
    hagg-keygen --identity both.pem --client 1 >line
    for i in 1 2 3 4 5 6; do
        [ -s message-$i ] || cmp line line-$i
    done
    cat line-? >lines
    assert_equal "$(sort -u lines)" "$(cat line)"
}

@test "a directory that does not exist" {
    run -1 --separate-stderr hagg-keygen --identity nowhere/k.pem --client 1
    assert_message "nowhere/k.pem: cannot be written, because its directory does not exist"
    assert_output ""
}

@test "a private key that others can read or write" {
    for mode in 0640 0604 0660 0644 0610; do
        chmod $mode keys/client-1.pem
        run -6 --separate-stderr hagg-keygen --identity keys/client-1.pem --client 1
        assert_message "keys/client-1.pem: is secret, but others have permissions for it (mode $mode): if nobody has read it, use chmod 600 keys/client-1.pem; otherwise make a new one"
        assert_output ""
    done
    chmod 0400 keys/client-1.pem
    run -0 --separate-stderr hagg-keygen --identity keys/client-1.pem --client 1
}

@test "files that are no private keys of X25519" {
    openssl genpkey -algorithm X25519 -aes256 -pass pass:secret -out phrase.pem
    openssl genpkey -algorithm ED25519 -out ed25519.pem
    openssl genpkey -algorithm X448 -out x448.pem
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out p256.pem
    openssl pkey -in keys/client-1.pem -pubout -out public.pem
    head -c 60 keys/client-1.pem >cut.pem
    : >empty.pem
    head -c 20000 /dev/zero >large.pem
    chmod 600 ./*.pem
    while read -r name message; do
        cp "$name.pem" before
        run -3 --separate-stderr hagg-keygen --identity "$name.pem" --client 1
        assert_message "$name.pem: $message"
        assert_output ""
        cmp "$name.pem" before
    done <<'END'
phrase is protected by a pass phrase, which nobody can type in a batch job: remove it with openssl pkey
ed25519 is not an X25519 key: make one with hagg-keygen --identity
x448 is not an X25519 key: make one with hagg-keygen --identity
p256 is not an X25519 key: make one with hagg-keygen --identity
public is not a private key in PEM: make one with hagg-keygen --identity
cut is not a private key in PEM: make one with hagg-keygen --identity
empty is not a private key in PEM: make one with hagg-keygen --identity
large is too large for a private key
END
}

@test "a pass phrase removed as the message says" {
    openssl genpkey -algorithm X25519 -aes256 -pass pass:secret -out phrase.pem
    openssl pkey -in phrase.pem -passin pass:secret -out plain.pem
    chmod 600 plain.pem
    run -0 --separate-stderr hagg-keygen --identity plain.pem --client 1
    assert_output "$(line_of "client 1" plain.pem)"
}

@test "--all makes the keys of all nodes of a topology, whose file of identities need not exist yet" {
    printf '%s\n' "stations 2" "relays 1" "station 1-2 via 1" "identities new.ids" "client 3 7 via 1-2" >new.topo
    run -0 --separate-stderr hagg-keygen --plan new.topo --identity '{tier}-{}.pem' --all
    assert_equal "$stderr" ""
    assert_equal "$(cut -d ' ' -f 1,2 <<<"$output" | sed 's/^federator .*/federator/')" \
        "$(printf '%s\n' "client 3" "client 7" "station 1" "station 2" "relay 1" federator)"
    for node in client-3 client-7 station-1 station-2 relay-1 federator-1; do
        assert_equal "$(stat -c %a "$node.pem")" 600
    done
    run -2 --separate-stderr hagg-keygen --plan new.topo --identity 'x-{}.pem' --all
    assert_usage "--identity 'x-{}.pem': write {tier} where the tier of the node belongs"
    run -2 --separate-stderr hagg-keygen --plan '' --identity '{tier}-{}.pem' --all
    assert_usage "--all requires --plan (or HAGG_PLAN)"
}

@test "usage of --identity without a round" {
    local which="--identity without --round makes the key of a node: use one of --client, --station, --relay, --federator, --clients, --stations and --all"

    for nodes in "" "--client 1 --station 2" "--federator --relay 1" "--clients 1 --stations 2"; do
        # shellcheck disable=SC2086 # a line of words
        run -2 --separate-stderr hagg-keygen --identity 'x{}.pem' $nodes
        assert_usage "$which"
    done
    run -2 --separate-stderr hagg-keygen --identity x.pem --clients 1-2
    assert_usage "--identity 'x.pem': write {} where the number of the node belongs"
    for tier in clients stations; do
        run -2 --separate-stderr hagg-keygen --identity 'x{}.pem' --$tier all
        assert_usage "with --identity, name the nodes, for instance 1-5,7, or use --all"
    done
    for option in "--length 3" "--random-source /dev/zero"; do
        # shellcheck disable=SC2086 # a line of words
        run -2 --separate-stderr hagg-keygen --identity x.pem --client 1 $option
        assert_usage "--length and --random-source require --round"
    done
    for option in --federator "--relay 1" "--relay 1 --identity x.pem --round 1"; do
        # shellcheck disable=SC2086 # a line of words
        run -2 --separate-stderr hagg-keygen $option
        assert_usage "--relay, --federator and --all require --identity, without --round"
    done
    assert_equal "$(ls -A)" "$(printf '%s\n' ids.txt keys small.plan small.topo)"
}

@test "HAGG_IDENTITY alone makes no key" {
    HAGG_IDENTITY=x.pem run -2 --separate-stderr hagg-keygen --client 1
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
    assert_not_exist x.pem
}

@test "a plan has the SHA-256 of its identities, and its digest covers it" {
    local sum

    sum=$(sha256sum ids.txt | cut -d' ' -f1)
    assert_equal "$(grep '^identities' small.plan)" "identities ids.txt $sum"
    assert_equal "$(hagg-plan --digest small.plan | tr -d ' ')" "$(sha256sum small.plan | cut -d' ' -f1)"
    echo "# one comment more" >>ids.txt
    hagg-plan -q small.topo -o other.plan
    run -1 cmp small.plan other.plan
    run -1 cmp <(hagg-plan --digest small.plan) <(hagg-plan --digest other.plan)
}

@test "a topology with identities and the plan made from it have the same digest if both choose the same" {
    assert_equal "$(hagg-plan -q --keep small.plan)" "$(cat small.plan)"
    assert_equal "$(hagg-plan -q small.plan)" "$(cat small.plan)"
}

@test "mistakes in the line identities" {
    local name="needs the name of a file in the same directory, of at most 64 letters, digits, '.', '_' and '-'"
    local sum=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef

    sed -i '$d' small.topo
    while IFS='|' read -r line message; do
        { cat small.topo && echo "$line"; } >wrong.topo
        for command in hagg-plan hagg-audit hagg-cost "hagg-roster --round 1 --clients 1-4 --plan"; do
            # shellcheck disable=SC2086 # a line of words
            run -3 --separate-stderr $command wrong.topo
            assert_output ""
            assert_equal "$stderr" "${command%% *}: wrong.topo:7: $message"
        done
    done <<END
identities|'identities': $name
identities ../ids.txt|'../ids.txt': $name
identities /etc/ids.txt|'/etc/ids.txt': $name
identities ..|'..': $name
identities a\$b|'a\$b': $name
identities $sum$sum|'${sum:0:40}': $name
identities ids.txt 0123|'0123': is not a SHA-256, which has 64 hexadecimal digits
identities ids.txt ${sum}0|'${sum:0:40}': is not a SHA-256, which has 64 hexadecimal digits
identities ids.txt $sum and|'and': is an extra word
END
    { cat small.topo && printf '%s\n' "identities ids.txt" "identities ids.txt"; } >wrong.topo
    run -3 --separate-stderr hagg-plan wrong.topo
    assert_equal "$stderr" "hagg-plan: wrong.topo:8: 'identities': appears twice"
}

@test "a file of identities that does not exist" {
    rm ids.txt
    run -1 --separate-stderr hagg-plan small.topo
    assert_output ""
    assert_equal "$stderr" "hagg-plan: ids.txt: No such file or directory"
    refuses 1 "ids.txt: No such file or directory"
}

@test "mistakes in a file of identities are found by hagg-plan, with their line" {
    local client key="needs a public key of 44 characters, as hagg-keygen --identity prints it"

    client=$(grep '^client 1 ' ids.txt)
    while IFS='|' read -r line message; do
        { echo "# a comment" && echo && echo "$line" && cat "$BATS_FILE_TMPDIR/ids.txt"; } >ids.txt
        run -3 --separate-stderr hagg-plan -q small.topo
        assert_output ""
        assert_equal "$stderr" "hagg-plan: ids.txt:$message"
    done <<END
client 1-2 abc|3: '1-2': is not a number
client 0 abc|3: '0': number must be at least 1
clent 1 abc|3: 'clent': must be client, station, relay or federator: did you mean 'client'?
holder 1 abc|3: 'holder': must be client, station, relay or federator
client|3: 'client': needs a number after it
client 1|3: 'client': $key
client 1 abc|3: 'abc': $key
federator|3: 'federator': $key
federator 1 abc|3: '1': $key
${client% # *} more|3: 'more': is an extra word
$client| lines 3 and 5 have the same key: every node needs its own
client 9 ${client#client 1 }| lines 3 and 5 have the same key: every node needs its own
END
}

@test "every node of the plan needs a key" {
    for node in "client 4" "station 3" "relay 2" "federator 1"; do
        grep -v "^${node% 1} " "$BATS_FILE_TMPDIR/ids.txt" >ids.txt
        run -3 --separate-stderr hagg-plan -q small.topo
        assert_output ""
        assert_equal "$stderr" "hagg-plan: ids.txt: has no key of $node, which is in small.topo: add the line that hagg-keygen --identity prints there, and plan again"
    done
}

@test "every key needs a node of the plan" {
    for node in "client 99" "station 4" "relay 3"; do
        { hagg-keygen --identity "$node.pem" --${node/ / } && cat "$BATS_FILE_TMPDIR/ids.txt"; } >ids.txt
        run -3 --separate-stderr hagg-plan -q small.topo
        assert_output ""
        assert_equal "$stderr" "hagg-plan: ids.txt:1: $node is not in small.topo: remove the line"
    done
}

@test "keys of low order" {
    { echo "client 1 AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" && cat "$BATS_FILE_TMPDIR/ids.txt"; } >ids.txt
    run -3 --separate-stderr hagg-plan -q small.topo
    assert_output ""
    assert_regex "$stderr" "^hagg-plan: ids.txt:1: "
}

@test "the same mistakes in a plan that was made by hand" {
    grep -v '^station 3 ' "$BATS_FILE_TMPDIR/ids.txt" >ids.txt
    sed -i "s/^identities.*/identities ids.txt/" small.plan
    refuses 3 "ids.txt: has no key of station 3, which is in small.plan: add the line that hagg-keygen --identity prints there, and plan again"
}

@test "a NUL byte, and lines that end in CR" {
    sed 's/$/\r/' "$BATS_FILE_TMPDIR/ids.txt" >ids.txt
    run -0 --separate-stderr hagg-plan -q small.topo
    printf 'client\0' >>ids.txt
    run -3 --separate-stderr hagg-plan -q small.topo
    assert_equal "$stderr" "hagg-plan: ids.txt: contains a NUL byte: this is not a file of identities"
}

@test "a file of identities that was changed after planning is refused" {
    echo "# changed" >>ids.txt
    refuses 6 "ids.txt: does not have the SHA-256 of the identities in small.plan: get the file that the plan was made with"
    run -6 --separate-stderr hagg-plan -q --keep small.plan
    assert_equal "$stderr" "hagg-plan: ids.txt: does not have the SHA-256 of the identities in small.plan: get the file that the plan was made with"
    cp "$BATS_FILE_TMPDIR/ids.txt" .
    use_roster
    assert_equal "$status" 0
}

@test "another key in the file is refused, too, even if the comments are the same" {
    rm keys/client-4.pem
    hagg-keygen --identity keys/client-4.pem --client 4 >line
    sed -i "s|^client 4 .*|$(cat line)|" ids.txt
    refuses 6 "ids.txt: does not have the SHA-256 of the identities in small.plan: get the file that the plan was made with"
}

@test "identities are beside the plan, wherever it is" {
    mkdir "the plan"
    mv small.plan ids.txt "the plan"
    use_roster "the plan/small.plan"
    assert_equal "$status" 0
    use_roster "$PWD/the plan/small.plan"
    assert_equal "$status" 0
    # through a link to the directory, and not through one to the plan only
    ln -s "the plan" plans
    use_roster plans/small.plan
    assert_equal "$status" 0
    ln -s "the plan/small.plan" link.plan
    refuses 1 "ids.txt: No such file or directory" link.plan
}

@test "a plan on standard input has its identities in the current directory" {
    run -0 --separate-stderr hagg-plan -q <small.topo
    assert_output "$(cat small.plan)"
}

@test "hagg-audit and hagg-cost work without the file of identities, and give the same answers as without the line" {
    sed '/^identities/d' small.plan >bare.plan
    rm ids.txt
    run -0 --separate-stderr hagg-audit small.plan
    assert_output "$(hagg-audit bare.plan)"
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-cost small.plan
    assert_output "$(hagg-cost bare.plan)"
    assert_equal "$stderr" ""
    run -0 --separate-stderr hagg-plan --dot small.plan
}
