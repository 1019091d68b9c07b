#!/usr/bin/env bats
# The page of hagg-audit --report in a real browser: Debian's chromium, without a window. browser_page.py
# measures.

load common

TOOL=hagg-audit
load round
load full

setup_file() {
    common_setup_file
}

setup() {
    begin_round
}

# browse OPTION...: runs the browser with a profile of its own and no network. Sets $output to the DOM or the
# like; its messages are in browser.log.
browse() {
    output=$(timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --disable-extensions --user-data-dir="$BATS_TEST_TMPDIR/profile" --host-resolver-rules='MAP * ~NOTFOUND' \
        --enable-logging=stderr "$@" 2>browser.log)
}

# measure PAGE: sets $output to what browser_page.py finds in frames of 800 and 400 pixels.
measure() {
    python3 "$HAGG_SOURCE_DIR/tests/cli/browser_page.py" "$1" 800 400 >wrapper.html
    browse --dump-dom "file://$PWD/wrapper.html"
    output=$(grep -o 'FOUND.*END' <<<"$output" | sed 's/^FOUND//; s/END$//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; s/&nbsp;/ /g')
    # the controls run this where a failed command does not end it
    assert_json "set(lines[0]) == {'800', '400'}" || return
    assert_json "all(page['document'] <= int(width) and page['wide'] == [] for width, page in lines[0].items())" || return
    assert_json "all(page['scripts'] == 0 for page in lines[0].values())" || return
    assert_json "all(width > 200 and height > 80 for page in lines[0].values() for width, height in page['drawings'])"
}

# fine PAGE: loads the page itself: no message on the console, and no request by the page. Requests that the
# browser makes for itself have no origin.
fine() {
    browse --log-net-log="$PWD/net.json" --dump-dom "file://$PWD/$1"
    if grep CONSOLE browser.log; then return 1; fi
    python3 - <<'PYTHON'
import json
log = json.load(open("net.json"))
start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
requests = [event["params"] for event in log["events"] if event["type"] == start and "initiator" in event.get("params", {})]
requests = [r["url"] for r in requests if r["initiator"] != "not an origin" and not r["url"].startswith("file:")]
assert not requests, requests
PYTHON
}

# pages PAGE: prints the number of printed pages.
pages() {
    browse --no-pdf-header-footer --print-to-pdf="$PWD/page.pdf" "file://$PWD/$1"
    grep -a -c '/Type /Page$' page.pdf
}

large() {
    python3 - "$1" "$2" <<'PYTHON'
import random, sys
random.seed(1)
clients, stations = map(int, sys.argv[1:])
print("collude full clients=2 stations=2", f"stations {stations}", sep="\n")
for i in range(1, clients + 1):
    print("client", i, "via", *sorted(random.sample(range(1, stations + 1), random.randint(5, 12))))
PYTHON
}

@test "a private plan: the verdict is seen, nothing overflows, and the page prints" {
    six full | sed '/^protocol/d' >city.topo
    hagg-audit --report city.html city.topo
    fine city.html
    measure city.html
    assert_json "all(page['verdict'] == 'Private' and 'for all of them, not estimated' in page['text'] for page in lines[0].values())"
    assert_json "all('What is not promised' in page['text'] and 'clients' in page['text'] for page in lines[0].values())"
    n=$(pages city.html)
    assert [ "$n" -ge 2 ]
    assert [ "$n" -le 5 ]
}

@test "a plan that leaks: the verdict and the finding come first, in another colour" {
    six full | sed '/^protocol/d' >good.topo
    hagg-audit --report good.html good.topo
    measure good.html
    good=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["800"]["colour"])' "$output")
    write_ring 2
    run -6 hagg-audit --report ring.html ring.plan
    fine ring.html
    measure ring.html
    assert_json "all(page['verdict'] == 'Not private' and page['colour'] != '$good' for page in lines[0].values())"
    assert_json "all(0 <= page['text'].index('This page is not a certificate') < page['text'].index('client 5: its whole vector') < page['text'].index('SHA-256') for page in lines[0].values())"
}

@test "two hundred clients, and many classes of clients" {
    large 200 60 >large.topo
    hagg-audit --report large.html large.topo
    fine large.html
    measure large.html
    assert_json "all(len(page['drawings']) == 3 and '200 clients' in page['text'] for page in lines[0].values())"
    n=$(pages large.html)
    assert [ "$n" -ge 2 ]
    assert [ "$n" -le 6 ]
    { printf '%s\n' "collude full clients=2 stations=1" "stations 16" "relays 16" "station 1-16 via 1-16"
      for i in $(seq 1 12); do echo "client $((8000 * i))-$((8000 * i + 7999)) via $i-$((i + 4))"; done; } >classes.topo
    hagg-audit --report classes.html classes.topo
    measure classes.html
}

@test "controls: an overflow, a script and a request are found" {
    six full | sed '/^protocol/d' >city.topo
    hagg-audit --report city.html city.topo
    sed 's|</main>|<p style="width:900px">wide</p></main>|' city.html >wide.html
    run measure wide.html
    assert_failure
    assert_output --partial "page['wide'] == []"
    sed 's|</main>|<script>1</script></main>|' city.html >script.html
    run measure script.html
    assert_failure
    assert_output --partial "page['scripts'] == 0"
    # the page's own policy refuses it, with a message
    run fine script.html
    assert_failure
    assert_output --partial "Content Security Policy"
    sed '/Content-Security-Policy/d; s|</main>|<img alt="" src="http://example.org/a.png"></main>|' city.html >image.html
    run fine image.html
    assert_failure
    assert_output --partial "http://example.org/a.png"
}
