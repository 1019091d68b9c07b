#!/usr/bin/env bats
# hagg runs the commands in its directory, and opens their manual pages.

load common

setup_file() {
    HAGG=$(readlink -f "$(command -v hagg)")
    export HAGG
    common_setup_file
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# Makes an installation with only hagg and an empty directory for manual pages.
alone() {
    mkdir -p alone/bin alone/share/man/man7
    cp "$HAGG" alone/bin/hagg
}

# program NAME: writes a shell script from standard input.
program() {
    mkdir -p "$(dirname "$1")"
    { echo "#!/bin/sh"; cat; } >"$1"
    chmod +x "$1"
}

# Puts a man that prints its arguments first on PATH.
fake_man() {
    program fake/man <<<'printf "[%s]\n" "$@"'
    PATH=$PWD/fake:$PATH
}

@test "--help lists every command, with the description from its manual page" {
    run -0 --separate-stderr hagg --help
    assert_equal "$stderr" ""
    # a description may continue on indented lines
    listed=$(sed -nE '/^ Commands:/,/^$/p' <<<"$output" | sed -nE 's/^  {10}( +)/\1/; s/^  ?([a-z ].*)/\1/p' |
        sed -E ':a; N; $!ba; s/\n {3,}/ /g' | sed -E 's/ +/ /')
    pages=
    for tool in $(tool_names); do
        [ "$tool" = hagg ] || pages+="${tool#hagg-} $(page_text "$HAGG_SOURCE_DIR/man/$tool.1" |
            sed -n '/^NAME/,/^SYNOPSIS/p' | sed '1d; $d' | tr -s ' \n' ' ' | sed -E "s/^ $tool (-|–) //; s/ $//")
"
    done
    assert_equal "$listed" "${pages%$'\n'}"
}

@test "hagg help prints the same as hagg --help" {
    run -0 --separate-stderr hagg --help
    expected=$output
    run -0 --separate-stderr hagg help
    assert_output "$expected"
    assert_equal "$stderr" ""
}

@test "--version is that of all commands" {
    run -0 --separate-stderr hagg --version
    assert_output "hagg$(hagg-share --version | sed 's/^hagg-share//')"
}

@test "a command runs under its own name, with its own options" {
    for tool in $(tool_names); do
        [ "$tool" != hagg ] || continue
        run -0 --separate-stderr "$tool" --help
        expected=$output
        run -0 --separate-stderr hagg "${tool#hagg-}" --help
        assert_output "$expected"
    done
    run -2 --separate-stderr hagg keygen --no-such-option
    assert_equal "${stderr_lines[0]}" "hagg-keygen: unrecognized option '--no-such-option'"
    alone
    ln -s "$(command -v bash)" alone/bin/hagg-shell
    run -0 alone/bin/hagg shell -c 'echo "$0"'
    assert_output hagg-shell
}

@test "arguments, standard input and the status pass through unchanged" {
    alone
    program alone/bin/hagg-own <<<'printf "[%s]" "$@"; cat; exit 42'
    run -42 --separate-stderr bash -c 'echo in | alone/bin/hagg own "" "two words" "
" --help -- -o "*" "\$HOME"'
    assert_output $'[][two words][\n][--help][--][-o][*][$HOME]in'
    assert_equal "$stderr" ""
    # options after the command belong to the command
    run -42 --separate-stderr bash -c 'alone/bin/hagg own --version </dev/null'
    assert_output "[--version]"
}

@test "commands are searched in the directory of hagg, however hagg was found, and not on PATH" {
    alone
    program alone/bin/hagg-own <<<'echo own'
    program elsewhere/hagg-own <<<'echo elsewhere'
    program elsewhere/hagg-other <<<'echo other'
    ln -s "$PWD/alone/bin/hagg" elsewhere/hagg
    run -0 env PATH="$PWD/elsewhere:$PATH" hagg own
    assert_output own
    run -2 --separate-stderr env PATH="$PWD/elsewhere:$PATH" hagg other
    assert_output ""
    assert_equal "$stderr" "hagg: unknown command 'other': 'hagg --help' lists the commands"
    run -0 env -i alone/bin/hagg own
    assert_output own
}

@test "an unknown command is an error of one line that suggests a similar name" {
    for pair in agregate:aggregate pln:plan sahre:share transfrom:transform inspects:inspect; do
        run -2 --separate-stderr hagg "${pair%:*}" x
        assert_output ""
        assert_equal "$stderr" "hagg: unknown command '${pair%:*}': did you mean '${pair#*:}'?"
    done
    for name in "" x 12345 ../hagg-share "share 1 2"; do
        run -2 --separate-stderr hagg "$name"
        assert_output ""
        assert_equal "$stderr" "hagg: unknown command '$name': 'hagg --help' lists the commands"
    done
    run -2 --separate-stderr hagg "$(printf 'x%.0s' {1..5000})"
    assert_regex "$stderr" "^hagg: unknown command 'x{80}': 'hagg --help' lists the commands\$"
    run -2 --separate-stderr hagg
    assert_equal "${stderr_lines[0]}" "hagg: a command is missing"
    run -2 --separate-stderr hagg --share
    assert_equal "${stderr_lines[0]}" "hagg: unrecognized option '--share'"
    run -2 --separate-stderr hagg -- share
    assert_output ""
}

@test "a command that cannot be run is a system error" {
    alone
    run -1 --separate-stderr alone/bin/hagg share --version
    assert_output ""
    assert_equal "$stderr" "hagg: cannot run $PWD/alone/bin/hagg-share: No such file or directory"
    echo "echo no" >alone/bin/hagg-own
    run -1 --separate-stderr alone/bin/hagg own
    assert_equal "$stderr" "hagg: cannot run $PWD/alone/bin/hagg-own: Permission denied"
    chmod +x alone/bin/hagg-own
    run -1 --separate-stderr alone/bin/hagg own
    assert_equal "$stderr" "hagg: cannot run $PWD/alone/bin/hagg-own: Exec format error"
}

@test "hagg help opens the page of every command and of every topic" {
    mkdir man
    ln -s "$(command -v mandoc)" man/man
    PATH=$PWD/man:$PATH
    for page in "$HAGG_SOURCE_DIR"/man/hagg-*.[1-9]; do
        name=$(basename "${page%.*}")
        expected=$(mandoc "$page")
        run -0 --separate-stderr hagg help "${name#hagg-}"
        assert_output "$expected"
        run -0 --separate-stderr hagg help "$name"
        assert_output "$expected"
    done
    run -0 --separate-stderr hagg help hagg
    assert_output "$(mandoc "$HAGG_SOURCE_DIR/man/hagg.7")"
}

@test "the page is that of the installation, wherever that is" {
    fake_man
    alone
    touch alone/share/man/man7/hagg-field-own.7 alone/share/man/man7/hagg.7.gz alone/share/man/man7/other.7
    run -0 --separate-stderr env MANPATH=/nowhere alone/bin/hagg help field-own
    assert_output "[$PWD/alone/bin/../share/man/man7/hagg-field-own.7]"
    run -0 --separate-stderr alone/bin/hagg help hagg
    assert_output "[$PWD/alone/bin/../share/man/man7/hagg.7.gz]"
    for topic in share other ../man7/other "" --help; do
        run -2 --separate-stderr alone/bin/hagg help "$topic"
        assert_output ""
        assert_equal "$stderr" "hagg: no manual page for '$topic': 'hagg --help' lists the commands"
    done
    run -2 --separate-stderr hagg help shares
    assert_equal "$stderr" "hagg: no manual page for 'shares': did you mean 'share'?"
    run -2 --separate-stderr hagg help share decode
    assert_equal "$stderr" "hagg: only one topic is accepted: 'decode' is extra"
}

@test "without man the message gives the path of the page" {
    run -1 --separate-stderr env PATH=/nowhere "$HAGG" help share
    assert_output ""
    assert_equal "$stderr" "hagg: cannot run man: install man-db or mandoc to read $(dirname "$HAGG")/../share/man/man1/hagg-share.1: No such file or directory"
}
