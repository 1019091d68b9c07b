# What belongs to no single folder. The pkg-config file is written when installing, because
# `cmake --install --prefix` may choose another place than the one configured.
install(CODE "
  set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
  set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  set(HAGG_PLUGIN_SUBDIR \"${HAGG_PLUGIN_SUBDIR}\")
  set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(CMAKE_INSTALL_LIBEXECDIR \"${CMAKE_INSTALL_LIBEXECDIR}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/hagg.pc.in\" \"${PROJECT_BINARY_DIR}/hagg.pc\" @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/hagg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES README.md CHANGELOG.md LICENSE share-format/FORMAT.md share-format/hagg.cddl
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
