# hagg_options: the compiler and linker options of all targets. Nothing is set globally.
#
# -ffp-contract=off: on machines that have it, compilers replace a * b + c by one operation that rounds once. The
# same vector would then be quantised to other integers.

add_library(hagg_options INTERFACE)
target_compile_features(hagg_options INTERFACE c_std_17)
target_compile_definitions(hagg_options INTERFACE _GNU_SOURCE)
target_compile_options(hagg_options INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual
  -Wwrite-strings -Wundef -Wvla -Wformat=2 -fno-common -fvisibility=hidden -ffp-contract=off
  $<$<BOOL:${HAGG_WERROR}>:-Werror>)

if(HAGG_SANITIZE)
  target_compile_options(hagg_options INTERFACE
    -fsanitize=${HAGG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hagg_options INTERFACE -fsanitize=${HAGG_SANITIZE})
else()
  target_compile_options(hagg_options INTERFACE -fstack-protector-strong -fstack-clash-protection)
  # _FORTIFY_SOURCE needs optimisation, so Debug builds do not use it. A level in the user's flags, such as
  # those of dpkg-buildflags, is kept.
  if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
    target_compile_options(hagg_options INTERFACE
      $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
  endif()
  target_link_options(hagg_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()
target_link_options(hagg_options INTERFACE -Wl,--as-needed)
if(HAGG_FUZZ)
  target_compile_options(hagg_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
