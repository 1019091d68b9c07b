#include "certificate/certificate.h"

#include "alloc.h"
#include "audit/model_build.h"
#include "certificate/html.h"
#include "check.h"
#include "feed.h"

static void escapes_text(void)
{
    struct text text = { 0 };

    html_string(&text, "a<b>&\"'\x1b\xff\xc3\xa9");
    CHECK_STR(text.bytes, "a&#60;b&#62;&#38;&#34;&#39;&#xfffd;&#xfffd;\xc3\xa9");
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

/* Audits the plan and writes its page, with each allocation for the page refused in turn. */
static void check_page(const char *plan, enum audit_verdict verdict, const char *words)
{
    struct audit_options options = { .max_leaks = 5, .max_columns = LEARNT_COLUMNS };
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;
    struct certificate c = { .plan = &p, .model = &m, .result = &r, .version = "1.2.3" };

    if (!CHECK(plan_load(&p, feed_keys(plan), &err) == 0) ||
        !CHECK(model_build(&m, &p, 0, &err) == 0))
        return;
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &options, &err) == 0);
    CHECK(audit_alone(&r, &m, &bounds, &options, &err) == 0);
    CHECK(certificate_verdict(&c) == verdict);
    for (unsigned long at = 0;; at++) {
        struct text text = { 0 };
        int status;

        alloc_refuse(at);
        status = certificate_print(&c, &text, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        if (status == 0)
            CHECK(strstr(text.bytes, words) && strstr(text.bytes, "hagg 1.2.3"));
        text_free(&text);
        if (!alloc_refused())
            break;
        CHECK(err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    c.objection = "because";
    CHECK(certificate_verdict(&c) == AUDIT_NOT_PRIVATE);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

int main(void)
{
    escapes_text();
    check_page("collude partial clients=1 stations=1\nstations 3\nclient 1-4 via 1-3\n",
               AUDIT_PRIVATE, "Privacy certificate");
    check_page("collude full stations=1\nstations 3\nclient 1 2 via 1-3\nclient 3 via 1 2\n",
               AUDIT_NOT_PRIVATE, "client 3: its whole vector");
    check_page("collude partial stations=1\nstations 20\nclient 1-40 via 1-20\n"
               "client 41-50 via 1-10\n",
               AUDIT_PRIVATE, "50 clients");
    return check_end();
}
