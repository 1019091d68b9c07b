/*
 * err.h - how every function of share-format and lib reports a failure.
 *
 * A function that can fail takes a struct hagg_err. On failure it returns -1 or NULL and has set
 * the error exactly once, where the cause was detected. Only the tools print it.
 */
#ifndef HAGG_ERR_H
#define HAGG_ERR_H

/* Exit statuses, the same for every command. */
enum hagg_status {
    HAGG_OK = 0,
    HAGG_E_SYSTEM = 1,    /* input/output or the system */
    HAGG_E_USAGE = 2,     /* the command line */
    HAGG_E_MALFORMED = 3, /* malformed or damaged input */
    HAGG_E_MISMATCH = 4,  /* inputs that do not belong together */
    HAGG_E_TOO_FEW = 5,   /* not enough shares, clients or time */
    HAGG_E_PRIVACY = 6,   /* refused to protect privacy */
};

struct hagg_err {
    enum hagg_status status;
    char text[512]; /* one line, lower case, no full stop; truncated if longer */
};

/* Sets the error and returns -1, so that a caller can write: return err_set(err, ...). Control
 * characters, for instance in a file name, are replaced by '?'. */
int err_set(struct hagg_err *err, enum hagg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with HAGG_E_SYSTEM and ": strerror(errno)" at the end; for EISDIR, advice instead of
 * strerror. */
int err_errno(struct hagg_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
