#include "certificate/certificate.h"

#include "alloc.h"
#include "audit/model_build.h"
#include "certificate/html.h"
#include "check.h"
#include "feed.h"

static void escapes_text(void)
{
    static const char *const controls[] = { "\x01",   "\x1f",   "\x7f",   "\xc2\x80", "\xc2\x9f",
                                            "\u061c", "\u200e", "\u200f", "\u2028",   "\u202a",
                                            "\u202e", "\u2066", "\u2069" };
    struct text text = { 0 };

    html_string(&text, "a<b>&\"'\x1b\xff\xc3\xa9");
    CHECK_STR(text.bytes, "a&#60;b&#62;&#38;&#34;&#39;&#xfffd;&#xfffd;\xc3\xa9");
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        text_reset(&text);
        html_string(&text, controls[i]);
        CHECK_STR(text.bytes, "&#xfffd;");
    }
    /* the characters next to them, and a longer one */
    text_reset(&text);
    html_string(&text, "~\u00a0\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a\U0001f600");
    CHECK_STR(text.bytes, "~\u00a0\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a\U0001f600");
    text_reset(&text);
    html_counted(&text, 1, "client");
    CHECK_STR(text.bytes, "1 client");
    text_reset(&text);
    html_counted(&text, 1234567, "client");
    CHECK_STR(text.bytes, "1,234,567 clients");
    text_reset(&text);
    html_count(&text, 999);
    CHECK_STR(text.bytes, "999");
    text_reset(&text);
    html_count(&text, UINT64_MAX);
    CHECK_STR(text.bytes, "more than 10<sup>19</sup>");
    text_free(&text);
}

struct audited {
    struct plan plan;
    struct model model;
    struct audit_result result;
    struct certificate c;
};

static bool audit(struct audited *a, const char *path)
{
    struct audit_options options = { .max_leaks = 5, .max_columns = LEARNT_COLUMNS };
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;

    a->c = (struct certificate){
        .plan = &a->plan, .model = &a->model, .result = &a->result, .version = "1.2.3"
    };
    if (!CHECK(plan_load(&a->plan, path, &err) == 0) ||
        !CHECK(model_build(&a->model, &a->plan, 0, &err) == 0))
        return false;
    bounds = audit_bounds_of(&a->plan);
    CHECK(audit_run(&a->result, &a->model, &bounds, &options, &err) == 0);
    CHECK(audit_alone(&a->result, &a->model, &bounds, &options, &err) == 0);
    return true;
}

static void audited_free(struct audited *a)
{
    audit_result_free(&a->result);
    model_free(&a->model);
    plan_free(&a->plan);
}

/* Audits the plan and writes its page, with each allocation for the page refused in turn. */
static void check_page(const char *plan, enum audit_verdict verdict, const char *words)
{
    struct hagg_err err = { 0 };
    struct text page = { 0 };
    struct audited a;

    if (!audit(&a, feed_keys(plan)))
        return;
    CHECK(audit_report_decide(a.c.result) == verdict);
    for (unsigned long at = 0;; at++) {
        struct text text = { 0 };
        int status;

        alloc_refuse(at);
        status = certificate_print(&a.c, &text, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        if (status == 0)
            CHECK(strstr(text.bytes, words) && strstr(text.bytes, "hagg 1.2.3"));
        text_free(&text);
        if (!alloc_refused())
            break;
        CHECK(err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    a.result.objection = "because <of> this";
    CHECK(certificate_print(&a.c, &page, &err) == 0);
    CHECK(strstr(page.bytes, "because &#60;of&#62; this") && !strstr(page.bytes, ">Private<"));
    text_free(&page);
    audited_free(&a);
}

/* The page of a plan says which colluders are too many, and which may not collude with each other:
 * those of one row, or of none if it is NULL. */
static void check_bounds(const char *plan, const char *too_many, const char *row)
{
    struct text text = { 0 }, want = { 0 };
    struct hagg_err err = { 0 };
    struct audited a;

    if (!audit(&a, feed_file(plan, strlen(plan))))
        return;
    CHECK(certificate_print(&a.c, &text, &err) == 0);
    text_printf(&want, "<p>If more than %s, nothing is promised.", too_many);
    CHECK(strstr(text.bytes, want.bytes));
    text_reset(&want);
    text_printf(&want, "<th scope=\"row\">%s</th><td><strong>not covered<", row ? row : "");
    CHECK(row ? strstr(text.bytes, want.bytes) != NULL : !strstr(text.bytes, "not covered"));
    if (a.plan.topology.n_relays > 0)
        CHECK(!strstr(text.bytes, "stations collude with the federator") &&
              !strstr(text.bytes, "a station and the federator together"));
    text_free(&text);
    text_free(&want);
    audited_free(&a);
}

#define RELAYS    "relays 3\nstation 1-3 via 1-3\n"
#define TOGETHER  "a station and the federator together"
#define OR_RELAY  "a station together with a relay or the federator"
#define ALIGNED   "stations 3\nclient 1-4 via 1-3\n"
#define KEYS      "protocol keys\n" ALIGNED
#define FORWARDED "protocol keys\nstations 3\n" RELAYS "client 1-4 via 1-3 shares 1 2 keys 1"

static void bounds(void)
{
    check_bounds("collude partial clients=1 stations=1\n" ALIGNED,
                 "1 client or more than 1 station collude, or stations collude with the federator",
                 TOGETHER);
    check_bounds("collude full clients=1 stations=1\n" ALIGNED,
                 "1 client or more than 1 station collude", NULL);
    check_bounds("collude partial clients=1 stations=1\n" KEYS,
                 "1 client or more than 1 station collude, or stations collude with the federator",
                 TOGETHER);
    check_bounds("collude full clients=1 stations=1\n" KEYS,
                 "1 client or more than 1 station collude", NULL);
    check_bounds("collude partial clients=1 stations=1\n" RELAYS ALIGNED,
                 "1 client or more than 1 station collude, or stations collude with relays or the "
                 "federator",
                 OR_RELAY);
    check_bounds("collude full clients=1 stations=1\n" RELAYS ALIGNED,
                 "1 client or more than 1 station collude", NULL);
    check_bounds("collude partial clients=1 stations=1 relays=1\n" FORWARDED " relays 1 2\n",
                 "1 client, more than 1 station or more than 1 relay collude, or stations collude "
                 "with relays or the federator",
                 OR_RELAY);
    check_bounds("collude partial clients=1 stations=1\n" FORWARDED " relays 1 2\n",
                 "1 client, more than 1 station or more than 0 relays collude, or stations collude "
                 "with relays or the federator",
                 OR_RELAY);
    check_bounds("collude full clients=1 stations=1 relays=1\nprotocol keys\nstations 3\n" RELAYS
                 "client 1-4 via 1-3 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n",
                 "1 client, more than 1 station or more than 1 relay collude", NULL);
    check_bounds("collude partial clients=1 stations=1 relays=2\ntransform direct\n" FORWARDED
                 " relays 1-3\n",
                 "1 client, more than 1 station or more than 2 relays collude, or stations collude "
                 "with relays or the federator",
                 OR_RELAY);
    check_bounds("collude full clients=1 stations=1 relays=1\ntransform direct\nprotocol keys\n"
                 "stations 3\n" RELAYS
                 "client 1-4 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n",
                 "1 client, more than 1 station or more than 1 relay collude", NULL);
}

int main(void)
{
    escapes_text();
    bounds();
    check_page("collude partial clients=1 stations=1\nstations 3\nclient 1-4 via 1-3\n",
               AUDIT_PRIVATE, "Privacy certificate");
    check_page("collude full stations=1\nstations 3\nclient 1 2 via 1-3\nclient 3 via 1 2\n",
               AUDIT_NOT_PRIVATE, "client 3: its whole vector");
    check_page("collude partial stations=1\nstations 20\nclient 1-40 via 1-20\n"
               "client 41-50 via 1-10\n",
               AUDIT_PRIVATE, "50 clients");
    return check_end();
}
