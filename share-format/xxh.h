/*
 * xxh.h - XXH3 from libxxhash, for the processor that is there: on x86-64 its dispatching variants,
 * where they are installed, twice as fast as the ones for any processor.
 */
#ifndef HAGG_XXH_H
#define HAGG_XXH_H

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#endif
