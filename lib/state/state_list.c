#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state/state_store.h"

/* Splits "station-2.shares.0" into the node and what it did. For vectors, each line names the node.
 * Modifies name. */
static bool split_name(char *name, const char **node, const char **what)
{
    char *dot = strchr(name, '.'), *end = dot ? strchr(dot + 1, '.') : NULL;

    if (!end)
        return false;
    *dot = *end = 0;
    *node = name;
    *what = dot + 1;
    return true;
}

typedef int visit_fn(void *arg, const struct state_entry *entry, struct hagg_err *err);

static int visit_line(const char *line, struct state_entry *entry, visit_fn *visit, void *arg,
                      struct hagg_err *err)
{
    char *copy = strdup(line), *rest = copy, *node = NULL, *number;
    int status = copy ? 0 : err_errno(err, "no memory for an entry");

    if (status == 0) {
        entry->round = strsep(&rest, " ");
        number = rest ? strsep(&rest, " ") : NULL;
        if (strcmp(entry->what, STATE_VECTOR))
            entry->clients = number;
        else if (asprintf(&node, "client-%s", number ? number : "") < 0) {
            node = NULL;
            status = err_errno(err, "no memory for an entry");
        } else
            entry->node = node;
    }
    if (status == 0)
        status = visit(arg, entry, err);
    free(node);
    free(copy);
    return status;
}

/* Orders the lines about vectors by client. */
static int compare_lines(const void *x, const void *y)
{
    const char *const *lines[] = { x, y };
    unsigned long long round[2] = { 0 }, client[2] = { 0 };

    for (size_t i = 0; i < 2; i++)
        sscanf(*lines[i], "%llu %llu", &round[i], &client[i]);
    return client[0] != client[1] ? (client[0] > client[1]) - (client[0] < client[1])
                                  : (round[0] > round[1]) - (round[0] < round[1]);
}

static int visit_plan(struct state *s, const struct state_plan *plan, visit_fn *visit, void *arg,
                      struct hagg_err *err)
{
    struct sheet *files = state_files(s, plan->digest, err);
    int status = files ? 0 : -1;

    for (size_t i = 0; files && i < files->n && status == 0; i++) {
        struct state_entry entry = { .plan = plan->digest };
        char *name = strdup(files->lines[i]);
        struct sheet sheet = { 0 };

        status = name ? state_load_listed(s, plan->digest, name, &sheet, err)
                      : err_errno(err, "%s", s->directory);
        if (status == 0 && !split_name(name, &entry.node, &entry.what))
            status = err_set(err, HAGG_E_MALFORMED, "%s: is not a file of the state", sheet.path);
        if (status == 0 && strcmp(entry.what, STATE_VECTOR) == 0)
            qsort(sheet.lines, sheet.n, sizeof *sheet.lines, compare_lines);
        for (size_t l = 0; l < sheet.n && status == 0; l++)
            status = visit_line(sheet.lines[l], &entry, visit, arg, err);
        sheet_free(&sheet);
        free(name);
    }
    return status;
}

/* Returns true if this line of the index is about a plan whose digest begins with the digits. */
static bool is_plan(const char *line, const char *digits, struct state_plan *plan)
{
    return state_read_plan(line, plan) && strncmp(plan->digest, digits, strlen(digits)) == 0;
}

static int refuse_digits(const struct state *s, const char *digits, size_t n_found,
                         struct hagg_err *err)
{
    return err_set(err, HAGG_E_MISMATCH, "%s: the digests of %zu plans begin with '%s': use the %s",
                   s->directory, n_found, digits,
                   n_found > 1 ? "whole digest" : "digest of one that is listed");
}

int state_each(struct state *s, const char *digits, visit_fn *visit, void *arg,
               struct hagg_err *err)
{
    struct sheet *index;
    size_t n_found = 0;
    int status = 0;

    if (state_lock(s, false, err) || !(index = state_index(s, err)))
        return -1;
    for (size_t i = 0; i < index->n && status == 0; i++) {
        struct state_plan plan;

        if (!is_plan(index->lines[i], digits, &plan))
            continue;
        n_found++;
        status = visit_plan(s, &plan, visit, arg, err);
    }
    if (status == 0 && n_found == 0 && *digits)
        status = refuse_digits(s, digits, 0, err);
    state_unlock(s);
    return status;
}

/* Removes the lines of rounds before this one. */
static void prune_lines(struct sheet *sheet, uint64_t before, size_t *n_removed)
{
    for (size_t i = sheet->n; i > 0; i--)
        if (strtoull(sheet->lines[i - 1], NULL, 10) < before) {
            sheet_remove(sheet, i - 1);
            ++*n_removed;
        }
}

/* Prunes file i of the list. If nothing is left, the file is removed from the list, and its path is
 * added to the lines of empty. */
static int prune_file(struct state *s, const struct state_plan *plan, struct sheet *files, size_t i,
                      struct sheet *empty, size_t *n_removed, struct hagg_err *err)
{
    struct sheet sheet;
    int status = state_load_listed(s, plan->digest, files->lines[i], &sheet, err);

    if (status == 0) {
        prune_lines(&sheet, plan->first, n_removed);
        if (sheet.n == 0) {
            sheet_remove(files, i);
            status = sheet_set(empty, empty->n, sheet.path, err);
        } else if (sheet.changed)
            status = sheet_write(&sheet, err);
    }
    sheet_free(&sheet);
    return status;
}

static int prune_plan(struct state *s, const struct state_plan *plan, size_t *n_removed,
                      struct hagg_err *err)
{
    struct sheet *files = state_files(s, plan->digest, err), empty = { 0 };
    int status = files ? 0 : -1;

    for (size_t i = files ? files->n : 0; i > 0 && status == 0; i--)
        status = prune_file(s, plan, files, i - 1, &empty, n_removed, err);
    /* a file is removed after it is no longer listed, otherwise a crash would make it a lost one */
    if (status == 0)
        status = state_write(s, err);
    for (size_t i = 0; i < empty.n && status == 0; i++)
        if (unlink(empty.lines[i]))
            status = err_errno(err, "%s", empty.lines[i]);
    sheet_free(&empty);
    return status;
}

/* Finds the only plan whose digest begins with the digits. */
static int find_plan(struct state *s, const char *digits, struct state_plan *plan,
                     struct hagg_err *err)
{
    const struct sheet *index = state_index(s, err);
    size_t n_found = 0;

    if (!index)
        return -1;
    for (size_t i = 0; i < index->n; i++) {
        struct state_plan one;

        if (is_plan(index->lines[i], digits, &one)) {
            *plan = one;
            n_found++;
        }
    }
    return n_found == 1 && *digits ? 0 : refuse_digits(s, digits, n_found, err);
}

int state_prune(struct state *s, const char *digits, uint64_t before, size_t *n_removed,
                struct hagg_err *err)
{
    struct state_plan plan;
    int status = state_lock(s, false, err);

    *n_removed = 0;
    if (status == 0)
        status = find_plan(s, digits, &plan, err);
    /* first, so that a crash cannot leave rounds that are forgotten but allowed */
    if (status == 0 && before > plan.first) {
        plan.first = before;
        status = state_write_plan(s, &plan, err);
    }
    if (status == 0)
        status = prune_plan(s, &plan, n_removed, err);
    state_unlock(s);
    return status;
}
