/* A file of its own, so that commands that digest nothing do not load libcrypto. */
#include "state/state_store.h"

struct mac *state_mac(struct state *s, struct hagg_err *err)
{
    if (!s->has_secret) {
        if (state_lock(s, true, err))
            return NULL;
        /* long vectors are digested without the lock */
        state_unlock(s);
    }
    return mac_new(s->secret, err);
}
