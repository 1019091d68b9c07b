/* In a file of its own, so that a command that only reads topologies is not linked with libcrypto.
 */
#include "topology/topology.h"

#include <assert.h>

#include "base/text.h"
#include "crypto/sha256.h"

static_assert(HEADER_PLAN_BYTES == SHA256_BYTES, "a header has room for the digest of a plan");

int topology_digest(const struct topology *t, uint8_t digest[HEADER_PLAN_BYTES],
                    struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    topology_print(t, &text);
    if (text_ok(&text))
        status = sha256_bytes(digest, text.bytes, text.len, err);
    else
        status = err_errno(err, "no memory for the digest of a plan");
    text_free(&text);
    return status;
}
