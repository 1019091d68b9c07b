/*
 * hagg/cpu.h - selects the instruction set of a plugin at run time.
 *
 * Optional: for plugins that contain several builds of their kernels. HAGG_ISA=portable, avx2 or
 * avx512 in the environment can lower the result but never raise it, so that every build can be
 * tested and measured on one machine.
 */
#ifndef HAGG_CPU_H
#define HAGG_CPU_H

#include <stdlib.h>
#include <string.h>

enum hagg_isa {
    HAGG_ISA_PORTABLE,
    HAGG_ISA_AVX2,   /* x86-64-v3 */
    HAGG_ISA_AVX512, /* x86-64-v4, IFMA, VNNI and VBMI2 */
};

/* Returns the best instruction set allowed. Call it once, from init, and store the result in the
 * context. */
static inline enum hagg_isa hagg_isa(void)
{
    enum hagg_isa isa = HAGG_ISA_PORTABLE;
#if defined(__x86_64__)
    const char *cap = getenv("HAGG_ISA");

    if (cap && strcmp(cap, "portable") == 0)
        return isa;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
        isa = HAGG_ISA_AVX2;
    if (cap && strcmp(cap, "avx2") == 0)
        return isa;
    if (isa == HAGG_ISA_AVX2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vnni") &&
        __builtin_cpu_supports("avx512vbmi2"))
        isa = HAGG_ISA_AVX512;
#endif
    return isa;
}

#endif
