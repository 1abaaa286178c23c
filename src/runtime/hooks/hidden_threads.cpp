// Functions of libc that start a thread of libc's own: it would be a kernel thread that nobody
// controls. One line a symbol.

#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <signal.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT int aio_read(aiocb* request) noexcept {
  if (InExecution()) Unsupported("aio_read");
  return Real<&aio_read>("aio_read")(request);
}

HEDDLE_EXPORT int aio_write(aiocb* request) noexcept {
  if (InExecution()) Unsupported("aio_write");
  return Real<&aio_write>("aio_write")(request);
}

HEDDLE_EXPORT int aio_fsync(int operation, aiocb* request) noexcept {
  if (InExecution()) Unsupported("aio_fsync");
  return Real<&aio_fsync>("aio_fsync")(operation, request);
}

HEDDLE_EXPORT int lio_listio(int mode, aiocb* const* requests, int count,
                             sigevent* event) noexcept {
  if (InExecution()) Unsupported("lio_listio");
  return Real<&lio_listio>("lio_listio")(mode, requests, count, event);
}

HEDDLE_EXPORT int getaddrinfo_a(int mode, gaicb** requests, int count, sigevent* event) {
  if (InExecution()) Unsupported("getaddrinfo_a");
  return Real<&getaddrinfo_a>("getaddrinfo_a")(mode, requests, count, event);
}

HEDDLE_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  if (InExecution()) Unsupported("mq_notify");
  return Real<&mq_notify>("mq_notify")(queue, event);
}

}  // extern "C"
