# Installs files that belong to no single folder. The pkg-config file is written during installation,
# because `cmake --install --prefix` may set another prefix than the configured one.
install(CODE "
  set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
  set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  set(HAGG_PLUGIN_SUBDIR \"${HAGG_PLUGIN_SUBDIR}\")
  set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(CMAKE_INSTALL_LIBEXECDIR \"${CMAKE_INSTALL_LIBEXECDIR}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/hagg.pc.in\" \"${PROJECT_BINARY_DIR}/hagg.pc\" @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/hagg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The installed documentation has the same folders as the source, so its links work in both. Only the
# manual pages are in another place, so the links to them in README.md are rewritten.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(RELATIVE_PATH manual ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_MANDIR})
file(READ README.md text)
string(REGEX REPLACE "\\]\\(man/([^)]*\\.([0-9]))\\)" "](${manual}/man\\2/\\1)" text "${text}")
file(WRITE ${PROJECT_BINARY_DIR}/README.md "${text}")
install(FILES ${PROJECT_BINARY_DIR}/README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES share-format/FORMAT.md share-format/hagg.cddl DESTINATION ${CMAKE_INSTALL_DOCDIR}/share-format)
install(DIRECTORY share-format/vectors DESTINATION ${CMAKE_INSTALL_DOCDIR}/share-format)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        USE_SOURCE_PERMISSIONS PATTERN layers.md EXCLUDE PATTERN __pycache__ EXCLUDE)
