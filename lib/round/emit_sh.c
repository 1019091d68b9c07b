#include <string.h>

#include "base/shell.h"
#include "round/emit.h"
#include "round/needs.h"
#include "round/part.h"
#include "round/quote.h"

/* The commands of hagg inherit the lock, so that it is kept if only the shell is killed. Commands
 * of the user do not, because ssh may leave a process behind for other connections.
 *
 * A record that is cut off has status 3, and a file that lacks records may have status 5. As long
 * as files are arriving, this means that one of them is on its way. After the deadline it is an
 * error, so that nobody can delay the round for ever with a file that keeps changing. */
static const char functions[] =
    "# made FILE...: all of them exist\n"
    "made() {\n"
    "    for file; do\n"
    "        [ -e \"$file\" ] || return\n"
    "    done\n"
    "}\n"
    "\n"
    "# waits FILE: notes that this file is missing; counts those of the first step that waits\n"
    "waits() {\n"
    "    ready=1\n"
    "    [ \"$counting\" = 1 ] || return 0\n"
    "    [ \"$n_missing\" != 0 ] || missing=$1\n"
    "    n_missing=$((n_missing + 1))\n"
    "}\n"
    "\n"
    "# arrived FILE...: all of them exist; notes those that are missing\n"
    "arrived() {\n"
    "    ready=0 counting=$((n_missing == 0))\n"
    "    for file; do\n"
    "        [ -e \"$file\" ] || waits \"$file\"\n"
    "    done\n"
    "    return $ready\n"
    "}\n"
    "\n"
    "# is_late: there is a deadline, and it has passed\n"
    "is_late() {\n"
    "    [ -n \"$DEADLINE\" ] && [ \"$(date +%s)\" -ge \"$DEADLINE\" ]\n"
    "}\n"
    "\n"
    "# delivered FILE...: the same for files of clients, until the deadline; an empty file is one\n"
    "# that is on its way\n"
    "delivered() {\n"
    "    ready=0 counting=$((n_missing == 0))\n"
    "    ! is_late || return 0\n"
    "    for file; do\n"
    "        [ -s \"$file\" ] || waits \"$file\"\n"
    "    done\n"
    "    return $ready\n"
    "}\n"
    "\n"
    "# offered FILE: the same for a file to be passed on, for which nobody waits once the clients "
    "are\n"
    "# known\n"
    "offered() {\n"
    "    counting=$((n_missing == 0))\n"
    "    [ ! -s \"$1\" ] || return 0\n"
    "    is_late || [ -e \"$home/in/roster.cbor\" ] || waits \"$1\"\n"
    "    return 1\n"
    "}\n"
    "\n"
    "# ended STATUS [inbox]: notes how a command ended, which reads files that others sent\n"
    "ended() {\n"
    "    case $1${2-} in\n"
    "    0*) return ;;\n"
    "    3inbox | 5inbox)\n"
    "        retry=1\n"
    "        if [ \"$inbox\" != \"$inbox_before\" ] && ! is_late; then\n"
    "            counting=$((n_missing == 0))\n"
    "            waits \"the rest of a file in $home/in\"\n"
    "            return\n"
    "        fi\n"
    "        ;;\n"
    "    esac\n"
    "    [ \"$status\" != 0 ] || status=$1\n"
    "}\n"
    "\n"
    "# was_sent FILE NOTE: the note exists, and the file is not newer\n"
    "was_sent() {\n"
    "    [ -e \"$2\" ] && [ -z \"$(find \"$1\" -newer \"$2\" 2>/dev/null)\" ]\n"
    "}\n"
    "\n"
    "# sent STATUS FILE NODE: notes whether a file was sent\n"
    "sent() {\n"
    "    [ \"$1\" != 0 ] || return 0\n"
    "    echo \"$me: $2 was not sent to $3 (status $1): run the script again\" >&2\n"
    "    unsent=1\n"
    "}\n";

static const char beginning[] = "# One run at a time.\n"
                                "touch \"$home/private/lock\" || exit 1\n"
                                "exec 9>>\"$home/private/lock\"\n"
                                "flock -n 9\n"
                                "case $? in\n"
                                "0) ;;\n"
                                "1) echo \"$me: another run has not ended\" && exit ;;\n"
                                "*) exit 1 ;;\n"
                                "esac\n"
                                "\n";

/* When it was cleaned, nothing is made or sent any more. */
static const char middle[] = "if [ -e \"$home/out/closed\" ]; then\n"
                             "    echo \"$me: closed\"\n"
                             "    exit 0\n"
                             "fi\n"
                             "status=0 unsent=0 n_missing=0 missing='' retry=0\n"
                             "inbox=$(ls -linA \"$home/in\")\n"
                             "inbox_before=$(cat \"$home/private/inbox\" 2>/dev/null)\n";

static const char ending[] =
    "\n"
    "# If a file was incomplete, it is an error if nothing has arrived before the next run.\n"
    "if [ \"$retry\" = 1 ]; then\n"
    "    printf '%s\\n' \"$inbox\" >\"$home/private/inbox\"\n"
    "else\n"
    "    rm -f \"$home/private/inbox\"\n"
    "fi\n"
    "[ \"$status\" = 0 ] || exit \"$status\"\n"
    "[ \"$unsent\" = 0 ] || exit 1\n"
    "case $n_missing in\n"
    "0) echo \"$me: finished\" ;;\n"
    "1) echo \"$me: waits for $missing\" ;;\n"
    "*) echo \"$me: waits for $missing and $((n_missing - 1)) more\" ;;\n"
    "esac\n";

static void put_quoted(struct text *out, const char *name)
{
    text_printf(out, " ");
    shell_quote(out, name);
}

static void put_command(struct text *out, const struct step *s)
{
    struct text command = { 0 };

    quote_command(&command, s);
    if (text_ok(&command))
        quote_script(out, command.bytes);
    out->failed = out->failed || !text_ok(&command);
    text_free(&command);
}

/* Appends the names that others make, or those that the node makes itself. Returns how many. */
static size_t put_some(struct text *out, const struct round *r, const struct step_names *names,
                       bool awaited)
{
    size_t n = 0;

    for (size_t i = 0; i < names->n; i++)
        if (needs_awaits(r, names->names[i]) == awaited) {
            put_quoted(out, names->names[i]);
            n++;
        }
    return n;
}

static void put_own(struct text *out, const struct round *r, const struct step *s)
{
    struct text names = { 0 };

    if (put_some(&names, r, &s->inputs, false) + put_some(&names, r, &s->settled, false) > 0)
        text_printf(out, " && made%s", text_ok(&names) ? names.bytes : "");
    out->failed = out->failed || names.failed;
    text_free(&names);
}

/* Also at least one file of each pattern must have arrived. */
static size_t put_others(struct text *out, const struct round *r, const struct step *s)
{
    struct text names = { 0 };
    size_t n = put_some(&names, r, &s->inputs, true) + put_some(&names, r, &s->settled, true);

    for (size_t i = 0; i < s->n_words; i++)
        if (s->words[i].kind == STEP_FILES) {
            text_printf(&names, " ");
            quote_word(&names, &s->words[i]);
            n++;
        }
    if (n > 0)
        text_printf(out, " && %s%s", s->offered ? "offered" : "arrived",
                    text_ok(&names) ? names.bytes : "");
    if (s->expected.n > 0) {
        text_printf(out, " && delivered");
        put_some(out, r, &s->expected, true);
    }
    out->failed = out->failed || names.failed;
    text_free(&names);
    return n;
}

/* Begins with the condition that a step is still to be done. A step that is run always is run until
 * the node has made its last file. */
static void put_pending(struct text *out, const struct round *r, const struct step_layer *l,
                        const struct step *s)
{
    const struct step_layer *last = &r->layers[r->n_layers - 1];
    const struct step_names *outputs = &s->outputs;

    if (l->run == STEP_ALWAYS)
        outputs = &last->steps[last->n - 1].outputs;
    text_printf(out, s->receiver ? "if ! was_sent" : "if ! made");
    if (s->receiver)
        put_quoted(out, s->inputs.names[0]);
    for (size_t i = 0; i < outputs->n; i++)
        put_quoted(out, outputs->names[i]);
}

/* A step that is run always and has been run before only checks its output. Its messages are then
 * printed only if it fails. The last file is not made twice. */
static void put_action(struct text *out, const struct round *r, const struct step_layer *l,
                       const struct step *s)
{
    if (l->run == STEP_ALWAYS && l != &r->layers[r->n_layers - 1]) {
        text_printf(out, "{ made");
        for (size_t i = 0; i < s->outputs.n; i++)
            put_quoted(out, s->outputs.names[i]);
        text_printf(out, " && ");
        put_command(out, s);
        text_printf(out, " 2>/dev/null; } || ");
    }
    put_command(out, s);
}

static void put_step(struct text *out, const struct round *r, const struct step_layer *l,
                     const struct step *s)
{
    bool reads_inbox;

    put_pending(out, r, l, s);
    put_own(out, r, s);
    reads_inbox = put_others(out, r, s) > 0 && l->tier != STEP_CLIENT;
    text_printf(out, "; then\n    %s", s->receiver ? "{ " : "");
    put_action(out, r, l, s);
    if (s->receiver) {
        text_printf(out, "; } 9>&- </dev/null\n    sent $?");
        put_quoted(out, s->inputs.names[0]);
        text_printf(out, " %s\nfi\n", s->receiver);
    } else {
        text_printf(out, "\n    ended $?%s\nfi\n", reads_inbox ? " inbox" : "");
    }
}

static void put_head(struct text *out, const struct round *r)
{
    const struct round_options *o = r->options;
    struct node_name home = part_home(o), deadline = node_name_of("%s", "");

    if (o->has_deadline)
        deadline = node_name_of("%lld", (long long)o->deadline);
    text_printf(
        out,
        "#!/bin/sh\n"
        "# The part of %s in round %llu of %s. Each run does all that can be done now, and\n"
        "# prints what the node waits for. Run it every few minutes, for example with cron, until\n"
        "# it prints that it is finished:\n"
        "#   sh FILE\n"
        "# Report now, without clients that have not delivered yet (stations only):\n"
        "#   DEADLINE=0 sh FILE\n"
        "# When the total is decoded or the round is given up, empty the shares, masks and keys:\n"
        "#   sh FILE clean-keys\n"
        "# Exit status: 0 if the part is finished or waits, 1 if a file was not sent, or the "
        "status\n"
        "# of the command that failed.\n"
        "set -u\n"
        "CARRY=${CARRY:-" ROUND_CARRY "}\n"
        "INBOX=${INBOX:-" ROUND_INBOX "}\n"
        "# in seconds since 1970; empty: none\n"
        "DEADLINE=${DEADLINE-%s}\n"
        "me='round %llu: %s'\n"
        "home=",
        home.text, (unsigned long long)o->number, o->plan_path, deadline.text,
        (unsigned long long)o->number, home.text);
    shell_quote(out, r->base);
    text_printf(out, "/%s\n\n%s\n", home.text, functions);
}

static void put_steps(struct text *out, const struct round *r)
{
    /* the first layer makes the directories of the node, before the lock */
    for (size_t i = 1; i < r->n_layers; i++) {
        const struct step_layer *l = &r->layers[i];

        text_printf(out, "\n# %s\n", l->what);
        for (size_t j = 0; j < l->n; j++)
            put_step(out, r, l, &l->steps[j]);
    }
}

static void put_cleaning(struct text *out, const struct round *r)
{
    text_printf(out, "if [ \"${1-}\" = clean-keys ]; then\n");
    for (size_t i = 0; i < ROUND_CLEANING; i++)
        for (size_t j = 0; j < r->cleaning[i].n; j++) {
            text_printf(out, "    ");
            put_command(out, &r->cleaning[i].steps[j]);
            text_printf(out, " || exit\n");
        }
    text_printf(out, "    : >\"$home/out/closed\"\n"
                     "    exit\n"
                     "elif [ $# != 0 ]; then\n"
                     "    echo \"$me: the only argument is clean-keys, not '$1'\" >&2\n"
                     "    exit 2\n"
                     "fi\n");
}

int emit_sh(const struct round *r, struct text *out, struct hagg_err *err)
{
    (void)err;
    put_head(out, r);
    put_command(out, &r->folder.steps[0]);
    text_printf(out, " || exit\n");
    put_command(out, &r->layers[0].steps[0]);
    text_printf(out, " || exit\n\n%s", beginning);
    put_cleaning(out, r);
    text_printf(out, "%s", middle);
    put_steps(out, r);
    text_printf(out, "%s", ending);
    return 0;
}
