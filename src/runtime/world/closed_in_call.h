// A descriptor that is closed, or replaced, while another thread waits in a call for it. On Linux
// the call goes on to wait for what the number stood for. That is not explored (explored is the
// call that comes too late), so a search in which it may happen is no proof:
// Incomplete::kClosedInCall.
#pragma once

namespace heddle::runtime {

void InitClosedInCall();

// The running thread is about to close or replace `descriptor`. A transfer (read, accept ...)
// that another thread had begun for `transfers` might be waiting, and a poll (or select,
// epoll_wait) for `polls`: POLLIN, POLLOUT or both.
void RememberClose(int descriptor, short transfers, short polls);

// The running thread is in a transfer or a poll of `descriptor` for `events`, which it might have
// begun before another thread closed that number.
void NoteTransferOf(int descriptor, short events);
void NotePollOf(int descriptor, short events);

}  // namespace heddle::runtime
