#include "records/stream.h"

#include <string.h>
#include <sys/stat.h>

/* A user who gives a directory probably means all files in it, so suggest that. */
static int check_file(const char *path, struct hagg_err *err)
{
    struct stat st;
    size_t n = strlen(path);

    if (strcmp(path, "-") == 0 || stat(path, &st) || !S_ISDIR(st.st_mode))
        return 0;
    while (n > 0 && path[n - 1] == '/')
        n--;
    return err_set(err, HAGG_E_SYSTEM,
                   "%s: is a directory: name the files in it, for instance %.*s/*.cbor", path,
                   (int)n, path);
}

/* Checks that the record has a vector to be processed. */
static int check_kind(const struct reader *r, struct hagg_err *err)
{
    if (reader_header(r)->kind == HEADER_ROSTER)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a roster, which contains no vector: remove it from the input files");
    if (reader_header(r)->kind == HEADER_DATA)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is part of a file, not of a vector: open it with hagg-open");
    return 0;
}

int stream_each(const char *path, unsigned accept, struct opener *opener,
                int (*visit)(void *arg, struct reader *r, struct hagg_err *err), void *arg,
                struct hagg_err *err)
{
    struct reader *r = check_file(path, err) ? NULL : reader_open(path, opener, err);
    int got = -1;

    while (r && (got = reader_next(r, err)) > 0)
        if (((accept & STREAM_ANY_KIND) == 0 && check_kind(r, err)) || visit(arg, r, err)) {
            got = -1;
            break;
        }
    if (got == 0 && reader_record(r) == 0 && (accept & STREAM_EMPTY) == 0)
        got = err_set(err, HAGG_E_MALFORMED, "%s: is empty: it contains no record", reader_name(r));
    reader_free(r);
    return got;
}
