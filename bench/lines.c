#include "lines.h"

#include "child.h"
#include "report.h"

/* A child that runs a shell command line. */
struct line {
    const char *argv[4];
    struct child child;
};

static void set_line(struct line *l, const char *text)
{
    *l = (struct line){ .argv = { "sh", "-c", text, NULL } };
    l->child.argv = l->argv;
}

void lines_compare(const struct lines *l, size_t n_rounds)
{
    struct line lines[2];
    struct rounds_side sides[2];

    set_line(&lines[0], l->ours);
    set_line(&lines[1], l->peer);
    for (int i = 0; i < 2; i++)
        sides[i] = (struct rounds_side){ .run = child_run, .arg = &lines[i].child, .n_calls = 1 };
    rounds_run(sides, 2, n_rounds);
    report_time(l->what, &sides[0], &sides[1], l->clock, l->target);
    if (l->max_megabytes > 0)
        report_amount("  peak memory", "MB", (double)lines[0].child.max_rss_kb * 1024e-6,
                      (double)lines[1].child.max_rss_kb * 1024e-6, l->max_megabytes);
}
