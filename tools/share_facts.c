#include "share_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "cli_facts.h"
#include "records/describe.h"

/* The stations that records are addressed to, and those that get the files: couriers instead of
 * stations that a client does not reach. */
struct stations {
    struct rangeset to, files;
};

static int add_list(struct stations *s, const struct share_args *args,
                    const struct topology_group *g, const struct topology_list *list,
                    struct hagg_err *err)
{
    for (size_t i = 0; list && i < list->n; i++) {
        uint32_t to = list->numbers[i], courier = topology_courier(g, to, args->client.missing);
        uint32_t file = courier > 0 ? courier : to;

        if (rangeset_add(&s->to, to, to, err) || rangeset_add(&s->files, file, file, err))
            return -1;
    }
    return 0;
}

/* Adds the stations that get records from a client. */
static int add_stations(struct stations *s, const struct share_args *args, uint32_t number,
                        struct hagg_err *err)
{
    const struct topology *t = &args->client.plan->topology;
    const struct topology_group *g;
    struct topology_list key;
    struct plan_client c;

    if (plan_client(args->client.plan, number, &c, err))
        return -1;
    g = &t->groups[c.group];
    key = (struct topology_list){ &c.key_station, 1 };
    return add_list(s, args, g, c.shares.lists[0], err) ||
                   (!t->aligned && add_list(s, args, g, t->full ? c.keys.lists[0] : &key, err))
               ? -1
               : 0;
}

static int find_stations(struct stations *s, const struct share_args *args, struct hagg_err *err)
{
    if (!args->client.plan)
        return rangeset_add(&s->to, 1, args->client.n, err) ||
                       rangeset_add(&s->files, 1, args->client.n, err)
                   ? -1
                   : 0;
    if (args->common.client > 0)
        return add_stations(s, args, args->common.client, err);
    for (size_t i = 0; i < args->clients.n; i++)
        if (add_stations(s, args, args->clients.numbers[i], err))
            return -1;
    return 0;
}

/* One file; number is 0 if the records of all addressees are in it. */
static int add_file(struct json *j, const char *template, uint32_t number, struct hagg_err *err)
{
    char *path = number > 0 ? outfiles_path(template, number) : strdup(template);
    struct stat st;

    if (!path)
        return err_errno(err, "%s", template);
    json_open(j, NULL, '{');
    json_string(j, "name", path);
    if (number > 0)
        json_uint(j, "to", number);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        json_uint(j, "bytes", (uint64_t)st.st_size);
    json_close(j, '}');
    free(path);
    return 0;
}

/* The files of one client, or the files that all clients share. */
static int add_files(struct json *j, const struct share_args *args, const struct rangeset *to,
                     struct hagg_err *err)
{
    const char *given = args->common.output;
    char *template;
    int status = 0;

    if (!given || strcmp(given, "-") == 0 ||
        (args->common.client == 0 && args->client.plan && strstr(given, CLIENTS_MARK)))
        return 0;
    template = args->common.client > 0 ? outfiles_replace(given, CLIENTS_MARK, args->common.client)
                                       : strdup(given);
    if (!template)
        return err_errno(err, "%s", given);
    json_open(j, "files", '[');
    if (!strstr(template, "{}"))
        status = add_file(j, template, 0, err);
    else
        for (size_t i = 0; i < to->n && status == 0; i++)
            for (uint64_t n = to->ranges[i].first; n <= to->ranges[i].last && status == 0; n++)
                status = add_file(j, template, (uint32_t)n, err);
    json_close(j, ']');
    free(template);
    return status;
}

void share_facts(const struct share_args *args, const struct clients_report *report)
{
    struct json *j = cli_json();
    struct rangeset clients = { 0 };
    struct stations stations = { 0 };
    struct hagg_err err;
    int status = 0;

    if (!j)
        return;
    for (size_t i = 0; i < args->clients.n && status == 0; i++)
        status = rangeset_add(&clients, args->clients.numbers[i], args->clients.numbers[i], &err);
    if (status == 0)
        status = find_stations(&stations, args, &err);
    if (status == 0) {
        if (clients.n > 0)
            cli_facts_set("clients", &clients);
        json_uint(j, "length", report->length);
        if (!args->quiet)
            json_uint(j, "clipped", report->all.n_clipped);
        if (report->all.n_computational > 0)
            json_uint(j, "computational", report->all.n_computational);
        cli_facts_set("to", &stations.to);
        cli_facts_output(&args->common);
        status = add_files(j, args, &stations.files, &err);
    }
    if (status)
        j->text->failed = true;
    rangeset_free(&clients);
    rangeset_free(&stations.to);
    rangeset_free(&stations.files);
}
