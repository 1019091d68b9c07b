#include "base/shell.h"

#include "check.h"

static void quoted(const char *text, const char *want)
{
    struct text out = { 0 };

    shell_quote(&out, text);
    CHECK_STR(out.bytes, want);
    text_free(&out);
}

int main(void)
{
    quoted("work/a-b_c.npy", "work/a-b_c.npy");
    quoted("1-3,5", "1-3,5");
    quoted("", "''");
    quoted("a b", "'a b'");
    quoted("a;touch b", "'a;touch b'");
    quoted("it's", "'it'\\''s'");
    quoted("''", "''\\'''\\'''");
    quoted("$(x)`y`\"z\\", "'$(x)`y`\"z\\'");
    quoted("client-{}/key", "'client-{}/key'");
    quoted("~x", "'~x'");
    quoted("*", "'*'");
    return check_end();
}
