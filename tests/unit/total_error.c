#include "decode/total_error.h"

#include <math.h>

#include "check.h"

static void describes(double worst, double deviation, double up_to, const char *want)
{
    struct total_report report = { .error = { .worst = worst, .deviation = deviation },
                                   .up_to = up_to };
    struct text t = { 0 };

    total_error_describe(&t, &report);
    CHECK_STR(t.bytes ? t.bytes : "", want);
    text_free(&t);
}

/* Three digits are enough if they are exact, and are rounded up otherwise. */
static void rounds_up(void)
{
    describes(0, 0, 0, "");
    describes(0.5, 0, 0, "the quantisation error is at most 0.5");
    describes(1.0 / 3, 0, 0, "the quantisation error is at most 0.334");
    describes(2.0 / 3, 0, 0, "the quantisation error is at most 0.667");
    describes(9.991, 0, 0, "the quantisation error is at most 10");
    describes(123.01, 0, 0, "the quantisation error is at most 124");
    describes(1234, 0, 0, "the quantisation error is at most 1.24e+03");
    describes(0x1p-20, 0, 0, "the quantisation error is at most 9.54e-07");
    describes(3, 0, 1.5,
              "the quantisation error is at most 3 if no absolute value exceeds 1.5, and not 0 on "
              "average");
    describes(3, 1.0 / 3, 0,
              "the quantisation error is at most 3; it is 0 on average, with a standard deviation "
              "of at most 0.334");
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* By hand: four steps of 1 from -2 to 2. */
static void sets_errors(void)
{
    struct header_quant q = { .levels = 5, .clip = 2, .rounding = HEADER_STOCHASTIC };
    struct total_report report = { .n_clients = 16 };

    total_error_set(&report, &(struct header_quant){ 0 }, 2);
    CHECK(report.error.worst == 0);
    total_error_set(&report, &q, 0);
    CHECK(is_near(report.error.worst, 16) && report.error.deviation == 2 && report.up_to == 0);
    total_error_set(&report, &q, 32);
    CHECK(is_near(report.error.worst, 0.5) && report.error.deviation == 1.0 / 16);
    q.rounding = HEADER_NEAREST;
    total_error_set(&report, &q, 32);
    CHECK(is_near(report.error.bias, 0.25) && report.error.deviation == 0);
    report.n_clients = 0; /* unknown: of one */
    total_error_set(&report, &q, 0);
    CHECK(is_near(report.error.worst, 0.5));
    q = (struct header_quant){ .levels = 2, .clip = 1.5, .rounding = HEADER_SIGN };
    total_error_set(&report, &q, 0);
    CHECK(report.up_to == 3);
}

int main(void)
{
    rounds_up();
    sets_errors();
    return check_end();
}
