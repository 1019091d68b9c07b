#include "round/sending.h"

#include "round/node_name.h"

/* Maximum number of files that a step carries, so that it fits in a command line. */
#define FILES_AT_ONCE 100

void sending_begin(struct commands *c, uint32_t node, const char *what)
{
    c->send = (struct commands_send){ .node = node, .what = what };
}

/* The file in which the node notes that it has sent the files of a step. */
static struct node_name sent_note(const struct commands_send *s)
{
    size_t part = (s->n_files - 1) / FILES_AT_ONCE;

    return part > 0 ? node_name_of("%s-%zu.sent", s->what, part + 1)
                    : node_name_of("%s.sent", s->what);
}

void sending_end(struct commands *c)
{
    if (c->send.n_files == 0)
        return;
    step_option(c->layer, "touch", "%s/%s/out/%s", c->base,
                node_name_home(c->layer->tier, c->send.node).text, sent_note(&c->send).text);
}

void sending_file(struct commands *c, const char *from, enum step_tier tier, uint32_t to,
                  const char *as)
{
    struct node_name sender = node_name_home(c->layer->tier, c->send.node),
                     receiver = node_name_home(tier, to);

    if (c->send.n_files > 0 && c->send.n_files % FILES_AT_ONCE == 0)
        sending_end(c);
    if (c->send.n_files++ % FILES_AT_ONCE == 0) {
        commands_add_step(c, c->send.node);
        step_output(c->layer, "%s/%s/out/%s", c->base, sender.text, sent_note(&c->send).text);
    }
    step_word(c->layer, STEP_SETTING, "CARRY");
    step_input(c->layer, "%s/%s/out/%s", c->base, sender.text, from);
    step_word(c->layer, STEP_TEXT, "%s/%s/out/%s", c->base, sender.text, from);
    step_word(c->layer, STEP_TEXT, "%s/%s/in/%s", c->base, receiver.text, as);
    step_word(c->layer, STEP_AND, "%s", "");
    step_settled(c->layer, "%s/%s/private", c->base, receiver.text);
    step_output(c->layer, "%s/%s/in/%s", c->base, receiver.text, as);
}
