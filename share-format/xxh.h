/*
 * xxh.h - XXH3 from libxxhash, for the processor in use. On x86-64 these are its dispatching
 * variants, if installed, which are twice as fast as the portable ones.
 */
#ifndef HAGG_XXH_H
#define HAGG_XXH_H

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#endif
