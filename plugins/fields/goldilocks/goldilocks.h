/*
 * goldilocks.h - the order of the field goldilocks.
 */
#ifndef GOLDILOCKS_H
#define GOLDILOCKS_H

#include <stdint.h>

#define GOLDILOCKS_P     UINT64_C(0xffffffff00000001) /* 2^64 - 2^32 + 1 */
#define GOLDILOCKS_BYTES sizeof(uint64_t)

#endif
