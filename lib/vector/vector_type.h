/*
 * vector_type.h - the types of a vector's elements, for a switch over them.
 */
#ifndef HAGG_VECTOR_TYPE_H
#define HAGG_VECTOR_TYPE_H

#include <string.h>

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
    static const char names[][3] = {
        [VECTOR_F4] = "f4", [VECTOR_F8] = "f8", [VECTOR_I1] = "i1", [VECTOR_I2] = "i2",
        [VECTOR_I4] = "i4", [VECTOR_I8] = "i8", [VECTOR_U1] = "u1", [VECTOR_U2] = "u2",
        [VECTOR_U4] = "u4", [VECTOR_U8] = "u8",
    };

    for (int type = VECTOR_F4; type <= VECTOR_U8; type++)
        if (strcmp(names[type], name) == 0)
            return (enum vector_type)type;
    return VECTOR_NO_TYPE;
}

#endif
