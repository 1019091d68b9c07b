# cmake -DSCRATCH=DIR -DNPM=PROGRAM -P install.cmake: installs the HPKE packages of npm in SCRATCH only. They
# share the ciphers of the system with hagg at most, not HPKE.
include(${CMAKE_CURRENT_LIST_DIR}/../npm.cmake)
npm_install(${SCRATCH} ${NPM} "{ \"private\": true }" @hpke/core@1.7.5 @hpke/dhkem-x25519@1.6.4)
