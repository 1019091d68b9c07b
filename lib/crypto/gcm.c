#include "crypto/gcm.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdatomic.h>

#include "hagg/cpu.h"

extern const struct gcm gcm_avx2, gcm_avx512;

/* __builtin_cpu_supports of clang 14 does not know all of these. That the system saves the wide
 * registers follows from hagg_isa. */
static bool ask_processor(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AES) && (c & bit_PCLMUL) &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & bit_VAES) && (c & bit_VPCLMULQDQ);
}

/* Asks once, because in a virtual machine every question takes microseconds. If two threads ask at
 * the same time, both get the same answer. */
static bool has_instructions(void)
{
    static atomic_int answer; /* 0: not asked yet, 1: no, 2: yes */

    if (atomic_load(&answer) == 0)
        atomic_store(&answer, ask_processor() ? 2 : 1);
    return atomic_load(&answer) == 2;
}

const struct gcm *gcm_build(void)
{
    enum hagg_isa isa = hagg_isa();

    if (isa == HAGG_ISA_PORTABLE || !has_instructions())
        return NULL;
    return isa == HAGG_ISA_AVX512 ? &gcm_avx512 : &gcm_avx2;
}

#else

const struct gcm *gcm_build(void)
{
    return NULL;
}

#endif
