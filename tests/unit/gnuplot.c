#include "cost/report/gnuplot.h"

#include "check.h"

#define TEN   "abcdefghij"
#define SIXTY TEN TEN TEN TEN TEN TEN

static void sets_title(const char *title, const char *want)
{
    struct text out = { 0 };

    gnuplot_title(&out, title);
    CHECK_STR(out.bytes ? out.bytes : "", want);
    text_free(&out);
}

int main(void)
{
    sets_title("", "set title \"\" noenhanced\n");
    sets_title("6 clients, 5 stations", "set title \"6 clients, 5 stations\" noenhanced\n");
    /* 64 columns are one line, 65 are two */
    sets_title(SIXTY " bcd", "set title \"" SIXTY " bcd\" noenhanced\n");
    sets_title(SIXTY " bcde", "set title \"" SIXTY "\\nbcde\" noenhanced\n");
    sets_title(SIXTY "abcd efg", "set title \"" SIXTY "abcd\\nefg\" noenhanced\n");
    /* breaks after a comma rather than after the last word */
    sets_title(TEN ", " SIXTY " b c", "set title \"" TEN ",\\n" SIXTY " b c\" noenhanced\n");
    sets_title(TEN ", " TEN " " TEN ", " TEN " " SIXTY,
               "set title \"" TEN ", " TEN " " TEN ",\\n" TEN "\\n" SIXTY "\" noenhanced\n");
    /* a word that is longer than a line is cut */
    sets_title(SIXTY TEN, "set title \"" SIXTY "abcd\\nefghij\" noenhanced\n");
    return check_end();
}
