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
# manual pages are in another place, so links to them are rewritten. layers.md describes the source:
# neither the page nor its line in the index is installed.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} docs/*.md)
list(REMOVE_ITEM pages docs/layers.md)
foreach(page README.md ${pages})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  cmake_path(GET page PARENT_PATH folder)
  file(RELATIVE_PATH manual ${CMAKE_INSTALL_FULL_DOCDIR}/${folder} ${CMAKE_INSTALL_FULL_MANDIR})
  file(READ ${page} text)
  string(REGEX REPLACE "\\]\\((\\.\\./)*man/([^)]*\\.([0-9]))\\)" "](${manual}/man\\3/\\2)" text "${text}")
  string(REGEX REPLACE "\n- \\[layers[.]md\\][^\n]*" "" text "${text}")
  file(WRITE ${PROJECT_BINARY_DIR}/doc/${page} "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/doc/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(FILES CHANGELOG.md LICENSE SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES share-format/FORMAT.md share-format/hagg.cddl DESTINATION ${CMAKE_INSTALL_DOCDIR}/share-format)
install(DIRECTORY share-format/vectors DESTINATION ${CMAKE_INSTALL_DOCDIR}/share-format)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.svg PATTERN *.tsv)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
