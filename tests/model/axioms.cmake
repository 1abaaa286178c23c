# The memory models by brute force, from the axioms: an oracle that shares nothing with src/model.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/model/*.cpp)
list(FILTER sources EXCLUDE REGEX "_test[.]cpp$")
add_library(heddle_axioms STATIC ${sources})
heddle_options(heddle_axioms OFF)
heddle_sanitize(heddle_axioms)
target_include_directories(heddle_axioms PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/model)

add_executable(heddle_litmus_by_axioms model/litmus_by_axioms_test.cpp)
heddle_options(heddle_litmus_by_axioms OFF)
heddle_sanitize(heddle_litmus_by_axioms)
target_link_libraries(heddle_litmus_by_axioms PRIVATE heddle_axioms GTest::gtest GTest::gtest_main)
target_compile_definitions(heddle_litmus_by_axioms PRIVATE
                           HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
add_test(NAME model/litmus_by_axioms COMMAND heddle_litmus_by_axioms)
set_tests_properties(model/litmus_by_axioms PROPERTIES LABELS agree TIMEOUT 600 COST 20)
add_test(NAME model/litmus_by_axioms_5000 COMMAND heddle_litmus_by_axioms)
set_tests_properties(model/litmus_by_axioms_5000 PROPERTIES LABELS "agree;long" TIMEOUT 3600 ENVIRONMENT HEDDLE_AGREE_PROGRAMS=5000)
