/*
 * vector_type.h - the types of a vector's elements, for a switch over them.
 */
#ifndef HAGG_VECTOR_TYPE_H
#define HAGG_VECTOR_TYPE_H

#include <string.h>

#include "vector/vector.h"

/* In the order of vector_types. */
enum vector_type {
    VECTOR_NO_TYPE,
    VECTOR_F4,
    VECTOR_F8,
    VECTOR_I1,
    VECTOR_I2,
    VECTOR_I4,
    VECTOR_I8,
    VECTOR_U1,
    VECTOR_U2,
    VECTOR_U4,
    VECTOR_U8,
};

static inline enum vector_type vector_type(const char *name)
{
    for (int i = 0; vector_types[i]; i++)
        if (strcmp(vector_types[i], name) == 0)
            return (enum vector_type)(VECTOR_F4 + i);
    return VECTOR_NO_TYPE;
}

#endif
