# aligned.bash - functions for the .bats files about protocol aligned; load it after common.

# For setup_file: a round of four clients and six stations, two of which may be missing, in spare/.
make_spare() {
    cat >spare.topo <<'END'
protocol aligned
collude full clients=1 stations=1
drop stations=2
stations 6
segments 4
client 1 via 1-4
client 2 via 2-6
client 3 4 via 1-6
END
    share_all spare
    deal_all spare 1 2 3 4 5 6
    add_all spare 1 2 3 4 5 6
}

# Makes all shares of round 1 in NAME/station-U/, of vectors 1, 2, .. 9 times the number of the client.
share_all() {
    local i

    for i in 1 2 3 4; do
        python3 -c "import numpy; numpy.save('v$i.npy', $i * numpy.arange(1, 10))"
        hagg-share --plan "$1.topo" --client $i --round 1 -o "$1/station-{}/client-$i" v$i.npy
    done
}

deal_all() {
    local name=$1 u

    shift
    for u; do
        hagg-keygen --plan "$name.topo" --station "$u" --round 1 --length 9 -o "$name/station-{}/mask-$u"
    done
}

add_all() {
    local name=$1 u

    shift
    for u; do
        hagg-aggregate --plan "$name.topo" --station "$u" -o "$name/sum-$u" "$name/station-$u"/*
    done
}

total() {
    python3 -c "import numpy; print(*numpy.load('$1'))"
}

# Writes FILE again with a change of its header or its elements, as Python, and the right digest.
rewrite() {
    PYTHONPATH=$HAGG_SOURCE_DIR/tests/format python3 -B - "$1" "$2" <<'END'
import sys, hagg_format
with open(sys.argv[1], "rb") as file:
    record, = hagg_format.read_stream(file.read())
header, elements = record.header, record.elements.copy()
exec(sys.argv[2])
with open(sys.argv[1], "wb") as file:
    file.write(hagg_format.write_record(header, elements))
END
}
