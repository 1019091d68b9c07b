#include "gnuplot.h"

void gnuplot_begin(struct text *text)
{
    text_printf(text, "# hagg-cost ... --format gnuplot | gnuplot > costs.svg\n"
                      "# or save it as costs.gp: gnuplot -e 'png = 1' costs.gp > costs.png\n"
                      "if (exists('png')) {\n"
                      "    set terminal pngcairo size 900, 540\n"
                      "} else {\n"
                      "    set terminal svg size 900, 540 dynamic enhanced background '#ffffff'\n"
                      "}\n");
}
