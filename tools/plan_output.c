#include "plan_output.h"

#include <string.h>

#include "cli.h"
#include "cli_write.h"
#include "dot/dot.h"
#include "dot/dot_patterns.h"
#include "plan/plan_json.h"
#include "planner/summary.h"
#include "records/describe.h"

int plan_output_write(const struct plan_output *o, const struct plan *plan, const char *file,
                      struct hagg_err *err)
{
    const char *output = file ? file : "-";
    char digest[DESCRIBE_DIGEST_ROOM(HEADER_PLAN_BYTES)];
    struct text text = { 0 };
    int status = 0;

    if (o->digest) {
        describe_digest(digest, plan->digest, sizeof plan->digest);
        text_printf(&text, "%s\n", digest);
    } else if (o->json) {
        plan_json(plan, &text);
        text_printf(&text, "\n");
    } else if (o->dot)
        status =
            o->patterns ? dot_patterns_print(plan, &text, err) : dot_print(plan, NULL, &text, err);
    else
        topology_print(&plan->topology, &text);
    if (status == 0)
        status = cli_write(output, &text, err);
    text_free(&text);
    return status;
}

int plan_output_summary(const struct plan *plan, const struct planner_result *result,
                        enum collusion_condition condition, struct hagg_err *err)
{
    struct text text = { 0 };
    int status = summary_print(plan, result, condition, &text, err);
    char *lines = text.bytes, *line;

    if (status == 0 && !text_ok(&text))
        status = err_errno(err, "%s", plan->name);
    while (status == 0 && (line = strsep(&lines, "\n")))
        cli_note("%s", line);
    text_free(&text);
    return status;
}
