#include "cost/report/align.h"

#include "check.h"

static void aligns(const char *lines, const char *want)
{
    struct text out = { 0 };

    align_columns(&out, lines);
    CHECK_STR(out.bytes ? out.bytes : "", want);
    text_free(&out);
}

int main(void)
{
    aligns("", "");
    aligns("a\n", "a\n");
    aligns("a", "a\n");
    aligns("NAME\tTIMES\tOF\nx\t7\tclient 3\nlonger\t1000\ty\n", "NAME    TIMES  OF\n"
                                                                 "x           7  client 3\n"
                                                                 "longer   1000  y\n");
    /* no trailing blanks, however many cells at the end of a line are empty */
    aligns("a\tb\tc\nd\t\t\n\t5\t\n\t\t6\n", "a  b  c\nd\n   5\n      6\n");
    /* the first column is left-aligned, even if it has numbers */
    aligns("v\tc1\n1\t5\n25\t2.13\n", "v     c1\n1      5\n25  2.13\n");
    /* a missing number is right-aligned, too */
    aligns("v\tc1\n1\t50\n2\t-\n", "v  c1\n1  50\n2   -\n");
    aligns("a\n\nb\n", "a\n\nb\n");
    return check_end();
}
