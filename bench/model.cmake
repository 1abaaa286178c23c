heddle_bench(model ${CMAKE_CURRENT_LIST_DIR}/model_bench.cpp)
target_link_libraries(heddle_model_bench PRIVATE heddle_model)
