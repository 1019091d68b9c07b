#include "secrets/keygen.h"

#include "records/batch.h"

static int make_key(const struct keygen *k, uint32_t client, struct random *random,
                    struct outfiles *out, struct hagg_err *err)
{
    struct keyfile_need need = {
        .plan = k->plan,
        .client = client,
        .round = k->round,
        .length = k->length,
    };
    struct writer *w = outfiles_writer(out, client, err);

    return w ? keyfile_write(&need, random, w, err) : -1;
}

static int make(void *keygen, size_t i, void *node, struct outfiles *out, struct hagg_err *err)
{
    const struct keygen *k = keygen;
    struct dealing dealing = {
        .plan = k->plan,
        .station = k->dealers ? k->dealers[i] : 0,
        .round = k->round,
        .length = k->length,
        .state = k->state,
    };
    struct random *random = k->dealers ? dealing_random(&dealing, err) : random_new(err);
    int status = -1;

    (void)node;
    if (random)
        status = k->dealers ? dealing_write(&dealing, random, out, err)
                            : make_key(k, k->clients[i], random, out, err);
    random_free(random);
    return status;
}

int keygen_write(const struct keygen *k, bool *readable, struct hagg_err *err)
{
    struct keygen copy = *k;
    const struct batch_job job = {
        .tier = k->dealers ? "station" : "client",
        .numbers = k->dealers ? k->dealers : k->clients,
        .n = k->n,
        .mark = k->dealers ? KEYGEN_DEALER : "{}",
        .output = k->output,
        .allow_terminal = k->allow_terminal,
        .exclusive = true,
        .sealer = k->sealer,
        .make = make,
        .arg = &copy,
        .pool = k->pool,
        .progress = k->progress,
    };

    /* reads the secret before there are threads */
    if (k->dealers && k->n > 0 && state_remembers(k->state)) {
        struct mac *mac = state_mac(k->state, err);

        if (!mac)
            return -1;
        mac_free(mac);
    }
    return batch_run(&job, readable, err);
}
