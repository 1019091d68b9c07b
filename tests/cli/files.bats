#!/usr/bin/env bats
# Files that commands read and write: FIFOs, links, permissions, outputs that are inputs; see hagg(7).

load common
load round

setup_file() {
    common_setup_file
}

setup() {
    begin_round
    printf '%s\n' 0.5 -0.25 1 >v.txt
}

share() {
    hagg-share --plan small.topo --client 1 --round 1 "$@"
}

# Sets WRITERS: one command for each that writes records, a total, a roster or a plan; the output follows.
writers() {
    make_key 1 3
    make_key 2 3
    share --key key-1.cbor -o 'station-{}/client-1.cbor' v.txt
    hagg-share --plan small.topo --client 2 --round 1 --key key-2.cbor -o 'station-{}/client-2.cbor' v.txt
    hagg-aggregate --plan small.topo --clients 1,2 station-?/*.cbor -o sums.cbor
    WRITERS=(
        "hagg-keygen --plan small.topo --client 3 --round 1 --length 3"
        "hagg-share --plan small.topo --client 1 --round 1 --key key-1.cbor v.txt"
        "hagg-share -n 3 -k 2 -z 1 --type f4 --format text --quantize bits=8,clip=1 v.txt"
        "hagg-aggregate --plan small.topo --clients 1,2 station-1/client-1.cbor station-1/client-2.cbor"
        "hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --from 1-3 plain.cbor"
        "hagg-decode --plan small.topo -q sums.cbor"
        "hagg-roster -q --plan small.topo --round 1 --clients 1,2"
        "hagg-plan -q small.topo"
    )
    hagg-share -n 3 -k 2 -z 1 --type f4 --format text --quantize bits=8,clip=1 -o plain.cbor v.txt
}

# each_writer_refuses STATUS OUTPUT MESSAGE
each_writer_refuses() {
    local command

    for command in "${WRITERS[@]}"; do
        unchanged "$1" timeout 20 $command -o "$2"
        # hagg-transform also names the record
        assert_regex "$stderr" "^${command%% *}: (plain.cbor: record 1 .byte 0.: )?$2: $3\$"
    done
}

# --- outputs

@test "no output is written to a FIFO of somebody" {
    writers
    mkfifo inbox
    each_writer_refuses 6 inbox "is not a regular file, so others could read the output: remove it, or name another output"
    # not even if somebody is reading
    exec 8<>inbox
    each_writer_refuses 6 inbox "is not a regular file, so others could read the output: remove it, or name another output"
    run -124 timeout 0.2 cat <&8
    assert_output ""
}

@test "no output follows a symbolic link" {
    writers
    : >target
    for to in target nowhere /dev/null inbox; do
        mkfifo inbox
        ln -s "$to" link
        each_writer_refuses 6 link "is a symbolic link, and an output never follows one: name the file itself, or remove the link"
        rm link inbox
    done
    assert_file_not_exists nowhere
}

@test "with {}, the same counts for every file, and nothing is written if one is refused" {
    make_key 1 3
    mkdir station-3
    ln -s /dev/null station-3/client-1.cbor
    unchanged 6 share --key key-1.cbor -o 'station-{}/client-1.cbor' v.txt
    assert_file_not_exists station-1/client-1.cbor
    rm station-3/client-1.cbor
    mkfifo station-3/client-1.cbor
    unchanged 6 share --key key-1.cbor -o 'station-{}/client-1.cbor' v.txt
    assert_file_not_exists station-1/client-1.cbor
}

@test "no output replaces a file of another user, or goes through a link of another user" {
    writers
    if [ "$(id -u)" != 0 ]; then
        # only root can make files of others; hagg-roster would read the file first
        unset 'WRITERS[6]'
        each_writer_refuses 6 /etc/passwd "belongs to another user: remove it, or name another output"
        return
    fi
    : >their-file
    chown 12345 their-file
    each_writer_refuses 6 their-file "belongs to another user: remove it, or name another output"
    mkdir their-folder
    ln -s their-folder way
    hagg-decode --plan small.topo -q sums.cbor -o way/total
    rm their-folder/total
    chown -h 12345 way
    each_writer_refuses 6 way/total "way is a symbolic link of another user: name the directory itself"
}

@test "devices and descriptors of the shell are written to" {
    make_key 1 3
    share --key key-1.cbor -o expected.cbor v.txt
    for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
        share --key key-1.cbor -o "$name" v.txt >out.cbor
        run -0 cmp expected.cbor out.cbor
        share --key key-1.cbor -o "$name" v.txt | cmp - expected.cbor
    done
    share --key key-1.cbor -o /dev/fd/7 v.txt 7>out.cbor
    run -0 cmp expected.cbor out.cbor
    share --key key-1.cbor -o >(cat >piped.cbor; echo >done) v.txt
    while [ ! -e done ]; do sleep 0.01; done
    run -0 cmp expected.cbor piped.cbor
    share --key key-1.cbor -o /dev/null v.txt
}

@test "no output replaces an input of the same command" {
    writers
    cp key-1.cbor s-1.cbor
    same() {
        unchanged 2 "${@:2}"
        assert_regex "$stderr" "^$1: (plain.cbor: record 1 .byte 0.: )?${output_name:?}: is also an input of this command: name another output\$"
    }
    output_name=key-1.cbor same hagg-share share --key key-1.cbor -o key-1.cbor v.txt
    output_name=v.txt same hagg-share share --key key-1.cbor -o v.txt v.txt
    output_name=small.topo same hagg-share share --key key-1.cbor -o small.topo v.txt
    output_name=s-1.cbor same hagg-share share --key s-1.cbor -o 's-{}.cbor' v.txt
    output_name=small.topo same hagg-plan hagg-plan -q small.topo -o small.topo
    output_name=small.topo same hagg-plan hagg-plan -q -o small.topo - <small.topo
    output_name=sums.cbor same hagg-decode hagg-decode --plan small.topo -q sums.cbor -o sums.cbor
    output_name=plain.cbor same hagg-transform \
        hagg-transform --step contribute --holders 1-3 -k 2 -z 1 --from 1-3 plain.cbor -o plain.cbor
    head -c 5000 /dev/urandom >bytes
    output_name=bytes same hagg-share \
        hagg-share -n 3 -k 2 -z 1 --type f4 --format text --quantize bits=8,clip=1 --random-source bytes -o bytes v.txt
    appends() {
        hagg-aggregate --plan small.topo --clients 1,2 station-1/client-1.cbor station-1/client-2.cbor >>station-1/client-2.cbor
    }
    output_name="standard output" same hagg-aggregate appends
}

# --- inputs

@test "a FIFO among the inputs does not stop a command" {
    writers
    mkfifo station-1/client-0.cbor
    not_regular="is not a regular file: a pipe or a device in its place could stop the command; read a pipe from standard input"
    for command in hagg-aggregate hagg-decode hagg-inspect "hagg-transform --step finish" "hagg-cost --measure" \
        "hagg-roster --plan small.topo --round 1 --station 1"; do
        run -1 --separate-stderr timeout 20 $command station-1/*.cbor
        assert_equal "$stderr" "${command%% *}: station-1/client-0.cbor: $not_regular"
    done
    run -1 --separate-stderr timeout 20 hagg-share --plan small.topo --client 1 --round 1 --key station-1/client-0.cbor v.txt
    run -1 --separate-stderr timeout 20 hagg-share --plan station-1/client-0.cbor --client 1 --round 1 --key key-1.cbor v.txt
    run -1 --separate-stderr timeout 20 hagg-share -n 3 -k 2 -z 1 --type i4 --format text station-1/client-0.cbor
    assert_equal "$stderr" "hagg-share: station-1/client-0.cbor: $not_regular"
    # with a writer that never writes, and through links
    exec 8<>station-1/client-0.cbor
    run -1 --separate-stderr timeout 20 hagg-aggregate station-1/*.cbor
    mv station-1/client-0.cbor fifo
    for to in ../fifo /dev/stdin /dev/fd/8 /dev/zero; do
        ln -s $to station-1/client-0.cbor
        run -1 --separate-stderr timeout 20 hagg-aggregate station-1/*.cbor <&8
        assert_equal "$stderr" "hagg-aggregate: station-1/client-0.cbor: $not_regular"
        rm station-1/client-0.cbor
    done
}

@test "pipes of the shell and links to regular files are read" {
    writers
    hagg-aggregate --plan small.topo --clients 1,2 station-1/*.cbor -o expected.cbor
    hagg-aggregate --plan small.topo --clients 1,2 <(cat station-1/client-1.cbor) <(cat station-1/client-2.cbor) -o out.cbor
    run -0 cmp expected.cbor out.cbor
    cat station-1/*.cbor | hagg-aggregate --plan small.topo --clients 1,2 /dev/stdin -o out.cbor
    run -0 cmp expected.cbor out.cbor
    mkfifo fifo
    cat station-1/*.cbor >fifo &
    hagg-aggregate --plan small.topo --clients 1,2 -o out.cbor <fifo
    run -0 cmp expected.cbor out.cbor
    mkdir links
    ln -s ../station-1/client-1.cbor ../station-1/client-2.cbor links
    hagg-aggregate --plan small.topo --clients 1,2 links/*.cbor -o out.cbor
    run -0 cmp expected.cbor out.cbor
    share --plan <(cat small.topo) --key <(cat key-1.cbor) -o s.cbor <(cat v.txt)
}

@test "a key that others may read or change is refused" {
    make_key 1 3
    assert_equal "$(stat -c %a key-1.cbor)" 600
    for mode in 640 620 604 602 601 610 644 666; do
        chmod $mode key-1.cbor
        unchanged 6 share --key key-1.cbor -o s.cbor v.txt
        assert_equal "$stderr" "hagg-share: key-1.cbor: is secret, but others have permissions for it (mode 0$mode): if nobody has read it, use chmod 600 key-1.cbor; otherwise make a new one"
    done
    from_input() {
        share --key - -o s.cbor v.txt <key-1.cbor
    }
    unchanged 6 from_input
    assert_equal "$stderr" "hagg-share: standard input: is secret, but others have permissions for it (mode 0666): if nobody has read it, use chmod 600 FILE; otherwise make a new one"
    chmod 400 key-1.cbor
    share --key key-1.cbor -o s.cbor v.txt
    chmod 600 key-1.cbor
    share --key key-1.cbor -o s.cbor v.txt
}
