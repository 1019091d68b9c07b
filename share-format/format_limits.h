/*
 * format_limits.h - the limits of a record. A reader checks them before it allocates memory.
 */
#ifndef HAGG_FORMAT_LIMITS_H
#define HAGG_FORMAT_LIMITS_H

#define LIMIT_HEADER     (1u << 20)         /* bytes of an encoded header */
#define LIMIT_LENGTH     (1ull << 48)       /* elements of a vector */
#define LIMIT_PAYLOAD    (1ull << 52)       /* bytes of a payload */
#define LIMIT_PART       (1ull << 48)       /* of a file that is sent as data */
#define LIMIT_ROUND      ((1ull << 53) - 1) /* every JSON reader represents it exactly */
#define LIMIT_NUMBER     UINT32_MAX         /* of a client, station, relay; from 1 */
#define LIMIT_HOLDERS    65535u             /* n of a sharing */
#define LIMIT_TIERS      8                  /* of a route */
#define LIMIT_CUTS       8                  /* of a layout */
#define LIMIT_BLOCKS     (1u << 20)         /* into which a layout cuts a vector */
#define LIMIT_SEGMENTS   65535u             /* of a vector in an aligned sharing */
#define LIMIT_COUNTS     256                /* different part counts of an aligned sharing */
#define LIMIT_DIMENSIONS 32                 /* of a shape, as NumPy 1 */
#define LIMIT_BITS       62                 /* of a quantised value */
#define LIMIT_LEVELS     (1ull << 53)       /* that a double tells apart */
#define LIMIT_EXTENSIONS 16
#define LIMIT_EXTENSION  1024 /* bytes of an extension's string */
#define LIMIT_NAME       64
#define LIMIT_TIER       16
#define LIMIT_TYPE       2
#define LIMIT_SPEC       255 /* bytes of the name of a field or scheme, with parameters */

#endif
