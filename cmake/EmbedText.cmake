# heddle_embed_text(TARGET NAME FILE HEADER NAMESPACE): adds to TARGET the function `std::string_view NAMESPACE::NAME()`, which
# HEADER declares; its answer is the text of FILE. Called with -P, this file is the step of the build that makes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${FILE} text)
  file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n"
       "std::string_view ${NAME}() { return R\"embedded(${text})embedded\"; }\n\n}  // namespace ${NAMESPACE}\n")
  return()
endif()

function(heddle_embed_text target name file header namespace)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${file}.cpp)
  add_custom_command(OUTPUT ${output} DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
                     COMMAND ${CMAKE_COMMAND} -DFILE=${source} -DOUTPUT=${output} -DNAME=${name} -DHEADER=${header}
                             -DNAMESPACE=${namespace} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
