#!/usr/bin/env bats
# hagg-keygen, as hagg-keygen(1) describes it.

load common

TOOL=hagg-keygen
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

keygen() {
    hagg-keygen --plan small.topo --client 2 --round 7 --length 5 "$@"
}

keygen_to_full() {
    keygen >/dev/full
}

# --- the key

@test "a key is a vector of the field, bound to client, round, length and plan" {
    keygen -o k.cbor
    run -0 --separate-stderr hagg-inspect --json k.cbor
    assert_json 'lines[0]["kind"] == "vector" and lines[0]["of"] == "key" and lines[0]["field"] == "m31"'
    assert_json 'lines[0]["round"] == 7 and lines[0]["clients"] == [[2, 2]]'
    assert_json 'lines[0]["length"] == 5 and lines[0]["elements"] == 5'
    assert_json 'len(lines[0]["plan"]) == 64 and len(lines[0]["id"]) == 32 and lines[0]["check"] == "ok"'
    assert_equal "$stderr" ""
}

@test "on success nothing is printed" {
    run -0 --separate-stderr keygen -o k.cbor
    assert_output ""
    assert_equal "$stderr" ""
}

@test "two keys differ in id and in elements" {
    keygen -o a.cbor
    keygen -o b.cbor
    run -0 hagg-inspect --json a.cbor b.cbor
    assert_json 'lines[0]["id"] != lines[1]["id"] and lines[0]["digest"] != lines[1]["digest"]'
    run -1 cmp -s <(tail -c 37 a.cbor | head -c 20) <(tail -c 37 b.cbor | head -c 20)
}

@test "a key is written to standard output unless that is a terminal" {
    keygen >k.cbor
    run -0 hagg-inspect --json k.cbor
    assert_json 'lines[0]["of"] == "key"'
}

@test "the length is that of the plan, plus one with samples" {
    printf 'length 10\nsamples\n' >>small.topo
    run -0 --separate-stderr hagg-keygen --plan small.topo --client 1 --round 0 -o k.cbor
    assert_equal "$stderr" ""
    run -0 hagg-inspect --json k.cbor
    assert_json 'lines[0]["length"] == 11 and lines[0]["samples"] and lines[0]["round"] == 0'
}

@test "--length may repeat the length of the plan" {
    echo length 5 >>small.topo
    run -0 --separate-stderr keygen -o k.cbor
    assert_equal "$stderr" ""
}

@test "the plan is given by HAGG_PLAN, which --plan overrides" {
    HAGG_PLAN=small.topo run -0 --separate-stderr hagg-keygen --client 1 --round 1 --length 1 -o k.cbor
    assert_equal "$stderr" ""
    HAGG_PLAN=nowhere.topo run -0 --separate-stderr keygen -o k2.cbor
    assert_equal "$stderr" ""
    HAGG_PLAN=nowhere.topo run -1 --separate-stderr hagg-keygen --client 1 --round 1 --length 1
    assert_message "nowhere.topo: No such file or directory"
    assert_output ""
}

@test "an empty HAGG_PLAN means no plan" {
    HAGG_PLAN='' run -2 --separate-stderr hagg-keygen --client 1 --round 1 --length 1
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
}

@test "the plan is read from standard input" {
    hagg-keygen --plan - --client 2 --round 7 --length 5 -o k.cbor <small.topo
    hagg-keygen --plan small.topo --client 2 --round 7 --length 5 -o l.cbor
    run -0 hagg-inspect --json k.cbor l.cbor
    assert_json 'lines[0]["plan"] == lines[1]["plan"]'
}

@test "the same bytes of --random-source give the same key" {
    head -c 100000 /dev/urandom >bytes
    keygen --random-source bytes -o a.cbor
    keygen --random-source bytes -o b.cbor
    run -0 cmp a.cbor b.cbor
    run -0 hagg-inspect --json a.cbor
    assert_json "lines[0]['id'] == '$(head -c 16 bytes | od -An -v -tx1 | tr -d ' \n')'"
}

@test "a random source that gives a key again, for another client, round or plan, is refused" {
    head -c 100 /dev/urandom >bytes
    other() {
        hagg-keygen --plan small.topo --length 5 --random-source bytes -o k.cbor "$@"
    }
    keygen --random-source bytes -o first.cbor
    for own in "--client 2 --round 8" "--client 3 --round 7"; do
        unchanged 6 other $own
        assert_message "bytes: its bytes were already used, for the key of client 2 in round 7 of this plan: two vectors under one key reveal their difference, so give other random bytes (state in $HAGG_STATE)"
    done
    sed 's/bits=16/bits=15/' small.topo >other.topo
    unchanged 6 other --plan other.topo --client 2 --round 7
    assert_message "bytes: its bytes were already used, for the key of client 2 in round 7 of another plan: two vectors under one key reveal their difference, so give other random bytes (state in $HAGG_STATE)"
    # the same key again is not refused, and another state knows nothing
    keygen --random-source bytes -o again.cbor
    run -0 cmp first.cbor again.cbor
    other --client 3 --round 7 --state "$BATS_TEST_TMPDIR/elsewhere"
    rm k.cbor
    run -0 --separate-stderr other --client 3 --round 7 --no-state
    assert_equal "$stderr" ""
}

@test "a random source whose bytes are all the same is refused" {
    head -c 100 /dev/zero >zeros
    printf 'x%.0s' {1..100} >letters
    for source in zeros letters /dev/zero /dev/fd/7; do
        unchanged 6 keygen --random-source $source -o k.cbor 7< <(head -c 100 /dev/zero)
        assert_message "$source: all its bytes are the same: give a random source with random bytes"
    done
    seq 100 >v.txt
    share=(hagg-share -n 3 -k 2 -z 1 --type i4 --format text v.txt)
    "${share[@]}" -o plain.cbor
    unchanged 6 "${share[@]}" --random-source zeros -o out.cbor
    assert_equal "$stderr" "hagg-share: zeros: all its bytes are the same: give a random source with random bytes"
    unchanged 6 hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --random-source zeros -o out.cbor plain.cbor
    assert_equal "$stderr" "hagg-transform: zeros: all its bytes are the same: give a random source with random bytes"
    # uniform bytes may begin with equal ones
    { head -c 20 zeros && head -c 100 /dev/urandom; } >some
    keygen --random-source some -o k.cbor
}

@test "a key in a file of the shell that others can read is reported" {
    readable() {
        umask "$1"
        rm -f k.cbor
        keygen "${@:2}" >k.cbor
    }
    for mask in 022 027 077; do
        run -0 --separate-stderr readable $mask
        if [ $mask = 077 ]; then
            assert_equal "$stderr" ""
        else
            assert_message "warning: standard output is a file that others can read: use -o FILE, or umask 077"
        fi
    done
    run -0 --separate-stderr readable 022 -o /dev/stdout
    assert_message "warning: standard output is a file that others can read: use -o FILE, or umask 077"
    # no file, or not standard output
    run -0 --separate-stderr readable 022 -o other.cbor
    assert_equal "$stderr" ""
    to_pipe() {
        umask 022
        keygen | cat >k.cbor
    }
    run -0 --separate-stderr to_pipe
    assert_equal "$stderr" ""
}

@test "the end of the random source is an error" {
    printf abc >bytes
    unchanged 1 keygen --random-source bytes -o k.cbor
    assert_message "bytes: ends too early: give a random source with more bytes"
}

@test "a missing random source" {
    unchanged 1 keygen --random-source nowhere -o k.cbor
    assert_message "nowhere: No such file or directory"
}

# --- the file

@test "a key file has mode 0600, whatever the umask" {
    umask 000
    keygen -o k.cbor
    assert_file_permission 600 k.cbor
    assert_no_temporaries
}

@test "{} in the output is the client number, and folders with {} are created" {
    run -0 --separate-stderr keygen -o 'client-{}/keys/{}.cbor'
    assert_file_exists client-2/keys/2.cbor
    assert_equal "$stderr" ""
}

@test "without {} no folder is created" {
    unchanged 1 keygen -o nowhere/k.cbor
    assert_message "nowhere/k.cbor: cannot be written, because its directory does not exist"
}

@test "an existing file is never replaced" {
    echo old >k.cbor
    unchanged 1 keygen -o k.cbor
    assert_message "k.cbor: already exists and is not replaced: use another name, or remove it first"
    ln -s k.cbor link.cbor
    unchanged 6 keygen -o link.cbor
    mkdir keys-2
    : >keys-2/k.cbor
    unchanged 1 keygen -o 'keys-{}/k.cbor'
    assert_message "keys-2/k.cbor: already exists and is not replaced: use another name, or remove it first"
    # not even if it appears while the key is made
    mkfifo bytes
    { head -c 10 /dev/urandom && echo late >late.cbor && head -c 100 /dev/urandom; } >bytes &
    run -1 --separate-stderr keygen --random-source bytes -o late.cbor
    wait
    assert_message "late.cbor: already exists and is not replaced: use another name, or remove it first"
    assert_equal "$(cat late.cbor)" late
    # a device is not replaced in any case
    keygen -o /dev/null
}

@test "key output to a terminal is refused" {
    run -2 on_terminal hagg-keygen --plan small.topo --client 1 --round 1 --length 5
    assert_output "hagg-keygen: standard output is a terminal: redirect it, or use -o FILE, or -o - to write there anyway"$'\r'
}

@test "key output to a terminal is allowed with -o -" {
    run -0 on_terminal hagg-keygen --plan small.topo --client 1 --round 1 --length 1000 -o -
    assert [ "${#output}" -gt 1000 ]
}

@test "a full device is an error" {
    unchanged 1 keygen -o /dev/full
    assert_message "/dev/full: No space left on device"
    run -1 --separate-stderr keygen_to_full
    assert_message "standard output: No space left on device"
    assert_output ""
}

@test "a closed pipe ends the command" {
    to_closed_pipe() {
        hagg-keygen --plan small.topo --client 1 --round 1 --length 1000000 | head -c 100 >/dev/null
        return "${PIPESTATUS[0]}"
    }
    run -141 --separate-stderr to_closed_pipe
    assert_equal "$stderr" ""
}

@test "closed standard output is an error" {
    closed() {
        keygen >&-
    }
    run -1 --separate-stderr closed
    assert_message "standard output: Bad file descriptor"
}

@test "--progress shows the progress of a long run and clears it" {
    slowly() {
        rm -f k.cbor
        mkfifo bytes
        { head -c 4200000 /dev/urandom && sleep 1.3 && head -c 8000000 /dev/urandom; } >bytes &
        hagg-keygen --plan small.topo --client 1 --round 1 --length 2000000 --random-source bytes \
            -o k.cbor "$@"
        local status=$?
        kill $! 2>/dev/null || : # it waits for a reader if the command failed early
        wait
        rm bytes
        return $status
    }
    run -0 --separate-stderr slowly --progress
    assert_regex "$stderr" '\[#+ *\] +[0-9]+% [0-9]+ MB'
    assert_regex "$stderr" $'\r +\r$'
    run -0 --separate-stderr slowly
    assert_equal "$stderr" ""
    run -0 --separate-stderr slowly --no-progress
    assert_equal "$stderr" ""
}

# --- refusals

@test "plan, client and round are required" {
    run -2 --separate-stderr hagg-keygen
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
    run -2 --separate-stderr hagg-keygen --plan small.topo --client 1
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
    run -2 --separate-stderr hagg-keygen --plan small.topo --round 1
    assert_usage "--plan (or HAGG_PLAN), --round, and one of --client, --clients, --station and --stations are required"
}

@test "an operand is refused" {
    run -2 --separate-stderr keygen extra
    assert_usage "unexpected argument 'extra': the command reads no file"
}

@test "numbers are checked" {
    run -2 --separate-stderr hagg-keygen --client 0
    assert_usage "--client must be a number from 1 to 4294967295, not '0'"
    run -2 --separate-stderr hagg-keygen --client 4294967296
    assert_usage "--client must be a number from 1 to 4294967295, not '4294967296'"
    run -2 --separate-stderr hagg-keygen --round -1
    assert_usage "--round must be a number from 0 to 9007199254740991, not '-1'"
    run -2 --separate-stderr hagg-keygen --round 9007199254740992
    assert_usage "--round must be a number from 0 to 9007199254740991, not '9007199254740992'"
    run -2 --separate-stderr hagg-keygen --length 0
    assert_usage "--length must be a number from 1 to 281474976710655, not '0'"
    run -2 --separate-stderr hagg-keygen --length 5x
    assert_usage "--length must be a number from 1 to 281474976710655, not '5x'"
    run -2 --separate-stderr hagg-keygen --length ''
    assert_usage "--length must be a number from 1 to 281474976710655, not ''"
}

@test "an unknown option" {
    run -2 --separate-stderr hagg-keygen --nowhere
    assert_usage "unrecognized option '--nowhere'"
}

@test "a client that is not in the plan" {
    unchanged 2 hagg-keygen --plan small.topo --client 9 --round 1 --length 5 -o k.cbor
    assert_message "small.topo: has no client 9"
}

@test "a length that is neither in the plan nor given" {
    unchanged 2 hagg-keygen --plan small.topo --client 1 --round 1 -o k.cbor
    assert_message "small.topo: does not set the length: use --length"
}

@test "a length other than that of the plan" {
    echo length 10 >>small.topo
    unchanged 4 keygen -o k.cbor
    assert_message "small.topo: sets length 10, but --length is 5"
}

@test "a failure leaves an existing file unchanged" {
    echo old >k.cbor
    printf abc >bytes
    unchanged 1 keygen --random-source bytes -o k.cbor
    assert_equal "$(cat k.cbor)" old
    assert_no_temporaries
}

@test "--version and --help" {
    run -0 --separate-stderr hagg-keygen --version
    assert_output --regexp '^hagg-keygen \(hagg\) [0-9.]+$'
    run -0 --separate-stderr hagg-keygen --help
    assert_line "Make the key pair of a node, or for one round a dealer's masks or a client's"
    assert_equal "$stderr" ""
}
