# parts.bash - functions for the .bats files about the parts of single nodes; load it after emitted.
#
# Every node is an organisation of its own: it has a directory nodes/NODE with the plan, its own state and, if it
# is a client, its own vector. It runs there only what hagg-round --node wrote for it. The others are reached only
# by the command of --send.

# The names of these nodes: nodes_of CLIENTS STATIONS [RELAYS]
nodes_of() {
    local i

    for i in $(seq "$1"); do echo "client-$i"; done
    for i in $(seq "$2"); do echo "station-$i"; done
    for i in $(seq "${3:-0}"); do echo "relay-$i"; done
    echo federator
}

# drop: a command for --send that puts files into the inbox of the receiver and renames them there. It fails while
# a file nodes/NODE/offline exists.
drop() {
    echo "cd '$PWD/nodes' && test ! -e {to}/offline && cp '$PWD/nodes/'$1/{file} {to}/work/round-1/{to}/in/.{name}.part && mv {to}/work/round-1/{to}/in/.{name}.part {to}/work/round-1/{to}/in/{name}"
}

# write_part LANGUAGE NODE OPTION... PLAN: makes the directory of a node, and writes its part
write_part() {
    local node=$2 plan=${*: -1}

    mkdir -p nodes/$node
    [ -d nodes/$node/state ] || mkdir -m 700 nodes/$node/state
    cp "$plan" nodes/$node/
    case $node in
    client-*) cp grad${node#client-}.npy nodes/$node/grad.npy ;;
    esac
    (cd nodes/$node && hagg-round --emit "$1" --node "${node/-/=}" --round 1 --vectors grad.npy \
        --workdir work --send "$(cd ../.. && drop "$node")" --length 20 "${@:3}") >nodes/$node/part
}

# write_parts LANGUAGE NODES OPTION... PLAN: the same for several nodes, which also make their directories
write_parts() {
    local node

    for node in $2; do
        write_part "$1" $node "${@:3}"
        hagg-round --prepare nodes/$node/work/round-1/$node
    done
}

# run_part NODE [ARGUMENT...]: runs the part of a node once
run_part() {
    (cd nodes/$1 && export HAGG_STATE=$PWD/state && sh part "${@:2}")
}

# make_part NODE [ARGUMENT...]: the same with make
make_part() {
    (cd nodes/$1 && export HAGG_STATE=$PWD/state && make -k -s -f part "${@:2}")
}

# until_finished NODE...: runs all parts in turn, as cron does, until all of them are finished
until_finished() {
    local node turn all

    for turn in $(seq 12); do
        all=1
        for node; do
            run_part $node >out.txt 2>err.txt || { cat out.txt err.txt; return 1; }
            grep -q ': finished$' out.txt || all=0
        done
        [ $all = 0 ] || return 0
    done
    fail "not finished: $(cat out.txt)"
}

# Checks that the total at the federator is the sum over these clients.
assert_part_total_of() {
    assert_numpy "np.abs(load('nodes/federator/work/round-1/federator/total.npy') - sum(load(f'grad{i}.npy') for i in ($1))).max() <= len(($1)) * 0.5 / 32767 + 1e-12"
}
