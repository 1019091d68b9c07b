#include "round/sending.h"

#include <ctype.h>
#include <string.h>

#include "base/shell.h"
#include "base/marks.h"
#include "round/node_name.h"
#include "round/part.h"

/* Maximum number of files that a step carries, so that it fits in a command line. */
#define FILES_AT_ONCE 100

void sending_begin(struct commands *c, uint32_t node, const char *what)
{
    c->send = (struct commands_send){ .node = node, .what = node_name_of("%s", what) };
}

/* The file in which the node notes that it has sent the files of a step. Along the chain it names
 * the receiver, because a station may have to send to another one if that one is missing. */
static struct node_name sent_note(const struct commands *c, const char *receiver)
{
    const struct commands_send *s = &c->send;
    size_t part = (s->n_files - 1) / FILES_AT_ONCE;

    if (c->o->node || c->layer->run == STEP_IN_ORDER)
        return node_name_of("%s-%s.sent", s->what.text, receiver);
    return part > 0 ? node_name_of("%s-%zu.sent", s->what.text, part + 1)
                    : node_name_of("%s.sent", s->what.text);
}

void sending_end(struct commands *c)
{
    if (c->send.n_files > 0)
        step_option(c->layer, "touch", "%s/%s/out/%s", c->base,
                    node_name_home(c->layer->tier, c->send.node).text, c->send.note.text);
}

/* Adds the command that copies the file to its receiver. */
static void carry(struct commands *c, const char *file, const char *receiver, const char *as)
{
    step_word(c->layer, STEP_SETTING, "CARRY");
    step_word(c->layer, STEP_TEXT, "%s", file);
    step_word(c->layer, STEP_TEXT, "%s/%s/in/%s", c->base, receiver, as);
    step_output(c->layer, "%s/%s/in/%s", c->base, receiver, as);
}

/* Adds the command of the user, in a shell of its own, so that nothing in it affects the rest. */
static void transport(struct commands *c, const char *file, const char *receiver, const char *as)
{
    struct text word = { 0 }, command = { 0 };
    struct marks_value values[] = { { "{file}", "" }, { "{to}", receiver }, { "{name}", as } };

    shell_quote(&word, file);
    if (text_ok(&word)) {
        values[0].value = word.bytes;
        marks_replace(&command, c->o->send, values, 3);
    }
    c->layer->failed = c->layer->failed || !text_ok(&word) || !text_ok(&command);
    step_word(c->layer, STEP_TEXT, "sh");
    step_option(c->layer, "-c", "%s", c->layer->failed ? "" : command.bytes);
    if (!c->layer->failed) {
        struct step *s = &c->layer->steps[c->layer->n - 1];

        s->receiver = strdup(receiver);
        c->layer->failed = !s->receiver;
    }
    text_free(&word);
    text_free(&command);
}

void sending_file(struct commands *c, const char *from, enum step_tier tier, uint32_t to,
                  const char *as)
{
    struct node_name sender = node_name_home(c->layer->tier, c->send.node),
                     receiver = node_name_home(tier, to);
    size_t at_once = c->o->node ? 1 : FILES_AT_ONCE;
    struct text file = { 0 };

    if (c->send.n_files > 0 && c->send.n_files % at_once == 0)
        sending_end(c);
    if (c->send.n_files++ % at_once == 0) {
        c->send.note = sent_note(c, receiver.text);
        commands_add_step(c, c->send.node);
        step_output(c->layer, "%s/%s/out/%s", c->base, sender.text, c->send.note.text);
    }
    text_printf(&file, "%s/%s/out/%s", c->base, sender.text, from);
    c->layer->failed = c->layer->failed || !text_ok(&file);
    if (c->layer->failed) {
        text_free(&file);
        return;
    }
    step_input(c->layer, "%s", file.bytes);
    if (!c->o->node)
        step_settled(c->layer, "%s/%s/private", c->base, receiver.text);
    if (part_has(c->o, tier, to))
        carry(c, file.bytes, receiver.text, as);
    else
        transport(c, file.bytes, receiver.text, as);
    step_word(c->layer, STEP_AND, "%s", "");
    text_free(&file);
}

/* Returns true if the mark is inside quotes, where a quoted file name would be misread. */
static bool is_in_quotes(const char *command, const char *mark)
{
    char open = 0;

    for (const char *at = command; *at; at++) {
        if (open && strncmp(at, mark, strlen(mark)) == 0)
            return true;
        if (*at == '\\' && open != '\'' && at[1])
            at++;
        else if (*at == open)
            open = 0;
        else if (!open && (*at == '\'' || *at == '"'))
            open = *at;
    }
    return false;
}

int sending_check(const char *command, struct hagg_err *err)
{
    for (const char *at = command; *at; at++)
        if (iscntrl((unsigned char)*at))
            return err_set(err, HAGG_E_USAGE,
                           "--send: the command must not contain control characters");
    if (!strstr(command, "{file}") || !strstr(command, "{to}") || !strstr(command, "{name}"))
        return err_set(err, HAGG_E_USAGE,
                       "--send: '%s' must contain {file}, {to} and {name}: the file, its receiver, "
                       "and the name of the copy",
                       command);
    if (is_in_quotes(command, "{file}"))
        return err_set(err, HAGG_E_USAGE,
                       "--send: '%s' has {file} inside quotes: write it without them, because it "
                       "is replaced by a quoted name",
                       command);
    return 0;
}
