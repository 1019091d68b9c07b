#include <stdbool.h>

#include "certificate/certificate_histogram.h"
#include "certificate/html.h"

#define WIDTH     640
#define HEIGHT    170
#define LEFT      70 /* room for the largest number */
#define TOP       14
#define BOTTOM    44 /* room for the axis */
#define MOST_BARS 120

static uint64_t bar_of(const uint64_t *values, size_t from, size_t to, bool sum)
{
    uint64_t value = 0;

    for (size_t i = from; i < to; i++)
        value = sum ? value + values[i] : values[i] > value ? values[i] : value;
    return value;
}

void histogram_draw(const uint64_t *values, size_t first, size_t last, bool sum, const char *id,
                    const char *title, const char *axis, struct text *text)
{
    size_t n = last - first + 1, step = (n + MOST_BARS - 1) / MOST_BARS;
    size_t n_bars = (n + step - 1) / step;
    double slot = (double)(WIDTH - LEFT - 10) / (double)n_bars, width = slot > 60 ? 60 : slot;
    uint64_t most = 1;

    for (size_t i = first; i <= last; i += step) {
        uint64_t value = bar_of(values, i, i + step > last ? last + 1 : i + step, sum);

        most = value > most ? value : most;
    }
    text_printf(text,
                "<figure>\n<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" role=\"img\" "
                "aria-labelledby=\"%s\">\n<title id=\"%s\">%s</title>\n",
                WIDTH, HEIGHT, WIDTH, id, id, title);
    for (size_t i = 0; i < n_bars; i++) {
        size_t from = first + i * step, to = from + step > last ? last + 1 : from + step;
        double height =
            (HEIGHT - TOP - BOTTOM) * (double)bar_of(values, from, to, sum) / (double)most;

        if (height > 0)
            text_printf(text,
                        "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
                        "\n",
                        LEFT + slot * ((double)i + .5) - width * .4, HEIGHT - BOTTOM - height,
                        width * .8, height);
    }
    text_printf(text,
                "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
                LEFT, HEIGHT - BOTTOM, WIDTH - 10, HEIGHT - BOTTOM, LEFT - 8, TOP + 9);
    html_count(text, most);
    text_printf(text,
                "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n",
                LEFT - 8, HEIGHT - BOTTOM + 4, LEFT + slot / 2, HEIGHT - BOTTOM + 17, first);
    if (n_bars > 1)
        text_printf(text, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n",
                    LEFT + slot * ((double)n_bars - .5), HEIGHT - BOTTOM + 17, last);
    text_printf(text,
                "<text class=\"tier\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n</svg>\n"
                "<figcaption>%s%s</figcaption>\n</figure>\n",
                (LEFT + WIDTH - 10) / 2, HEIGHT - 6, axis, title,
                step > 1 ? ", several numbers to a bar" : "");
}
