#include "certificate/certificate_sections.h"
#include "certificate/html.h"

static void put_condition(const struct require_condition *c, struct text *text)
{
    struct text condition = { 0 }, has = { 0 };

    require_put_condition(c, &condition);
    require_put_has(c, &has);
    text->failed = text->failed || condition.failed || has.failed;
    if (!text->failed) {
        text_printf(text, "<tr><th scope=\"row\"><code>");
        html_string(text, condition.bytes);
        text_printf(text, "</code></th><td>");
        html_string(text, has.bytes);
        text_printf(text, "</td><td>%s</td></tr>\n", c->met ? "yes" : "<strong>no</strong>");
    }
    text_free(&condition);
    text_free(&has);
}

void certificate_required(const struct certificate *c, struct text *text)
{
    const struct require *required = c->result->required;

    if (!required)
        return;
    text_printf(text,
                "<h2>What was required</h2>\n<p>%s</p>\n<div class=\"scroll\">\n"
                "<table class=\"wide\">\n<thead><tr><th scope=\"col\">Condition</th>"
                "<th scope=\"col\">The plan has</th><th scope=\"col\">Met</th></tr></thead>\n"
                "<tbody>\n",
                require_is_met(required)
                    ? "The plan was checked against these conditions, and meets all of them."
                    : "<strong>The plan is weaker than required.</strong>");
    for (size_t i = 0; i < required->n; i++)
        put_condition(&required->conditions[i], text);
    text_printf(text, "</tbody>\n</table>\n</div>\n"
                      "<p>Conditions on clients, stations, relays and collusion are met only by "
                      "what was proved; hagg-audit(1) explains all of them.</p>\n");
}
