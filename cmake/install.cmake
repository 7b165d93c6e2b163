# Where things go: tools, libraries, headers, the emulator's headers, and what
# CMake and pkg-config need to find them.

set(TW_EMULATOR_INCLUDE ${CMAKE_INSTALL_DATADIR}/tilewright/emulator/include)

install(TARGETS tt-opt tt-translate tt-run tt-lsp-server RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS tools/tt-tilelang.py DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME tt-tilelang)
install(DIRECTORY python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tilewright/python PATTERN __pycache__ EXCLUDE)
install(TARGETS tilewright ttemu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/tilewright DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/lib/generated/tilewright/dialects.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilewright)
install(DIRECTORY emulator/include/ DESTINATION ${TW_EMULATOR_INCLUDE})

configure_file(cmake/TilewrightConfig.cmake.in TilewrightConfig.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/TilewrightConfig.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tilewright)
foreach(name tilewright ttemu)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
