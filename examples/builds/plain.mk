# make -f plain.mk check CXX=heddle-c++
CXXFLAGS = -std=c++17 -O1 -g
CHECK = heddle check --color=never --time 60s --require-complete --

queue_test: queue_test.cpp queue.h
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -pthread -o $@ queue_test.cpp

check: queue_test
	$(CHECK) ./queue_test

.PHONY: check
