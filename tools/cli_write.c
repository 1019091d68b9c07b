#include "cli_write.h"

#include "fd.h"
#include "records/outfile.h"

int cli_write(const char *path, const struct text *t, struct hagg_err *err)
{
    struct outfile out = { 0 };
    int status =
        text_ok(t) ? outfile_open(&out, path, 0666, true, err) : err_errno(err, "%s", path);

    if (status == 0)
        status = fd_write(out.fd, out.path, t->bytes, t->len, err);
    if (status == 0)
        status = outfile_finish(&out, err);
    outfile_discard(&out);
    return status;
}
