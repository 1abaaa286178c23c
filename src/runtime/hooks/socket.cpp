// Sockets: making them, and what goes through them as messages. One line a symbol; world/transfer.h
// has what a thread waits for in the scheduler. The plain read() and write() are in io.cpp.

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/hooks/vectors.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

int FollowNew(int descriptor) {
  FollowSocket(NoteOpened(descriptor));
  return descriptor;
}

// The other side's address, which the kernel writes as far as there is room.
class AddressAnswer {
 public:
  AddressAnswer(sockaddr* address, socklen_t* length)
      : address_(length != nullptr ? address : nullptr), length_(length) {
    if (address_ == nullptr) return;
    room_ = *length;
    MakeWritable(address, room_);
    MakeWritable(length, sizeof *length);
  }
  // The call has answered `result`.
  template <typename Result>
  Result Note(Result result, uintptr_t pc) const {
    if (result < 0 || address_ == nullptr) return result;
    PlainRange(address_, *length_ < room_ ? *length_ : room_, true, pc);
    PlainRange(length_, sizeof *length_, true, pc);
    return result;
  }

 private:
  sockaddr* address_;
  socklen_t* length_;
  socklen_t room_ = 0;
};

// What of it the kernel looks at: its head, and where the buffers are.
void SeeMessage(const msghdr& message, uintptr_t pc) {
  SeeRead(&message, pc);
  SeeVector(message.msg_iov, static_cast<int>(message.msg_iovlen), pc);
}

void MakeMessageWritable(msghdr* message) {
  MakeWritable(message, sizeof *message);
  for (size_t i = 0; i < message->msg_iovlen; ++i)
    MakeWritable(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
  if (message->msg_name != nullptr) MakeWritable(message->msg_name, message->msg_namelen);
  if (message->msg_control != nullptr) MakeWritable(message->msg_control, message->msg_controllen);
}

// With MSG_TRUNC the answer counts what did not fit, too.
ssize_t NoteReceived(ssize_t count, void* buffer, size_t bytes, uintptr_t pc) {
  const size_t written = count < 0 ? 0 : static_cast<size_t>(count);
  PlainRange(buffer, written < bytes ? written : bytes, true, pc);
  return count;
}

// Calls with MSG_DONTWAIT never wait.
short Waiting(short events, int flags) { return (flags & MSG_DONTWAIT) != 0 ? 0 : events; }

}  // namespace

extern "C" {

HEDDLE_EXPORT int socket(int domain, int type, int protocol) noexcept {
  if (!InExecution()) return Real<&socket>("socket")(domain, type, protocol);
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, HEDDLE_CALLER);
  return FollowNew(change.Opens(Real<&socket>("socket")(domain, type, protocol)));
}

HEDDLE_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  if (!InExecution()) return Real<&connect>("connect")(descriptor, address, length);
  SeeBytesRead(address, length, HEDDLE_ACCESS_CALLER);
  Transfer transfer(descriptor, 0, HEDDLE_CALLER);
  return Real<&connect>("connect")(descriptor, address, length);
}

HEDDLE_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* length) {
  if (!InExecution()) return Real<&accept>("accept")(descriptor, address, length);
  Transfer transfer(descriptor, POLLIN, HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  const AddressAnswer other(address, length);
  const int number = transfer.Opens(Real<&accept>("accept")(descriptor, address, length));
  return FollowNew(other.Note(number, HEDDLE_CALLER));
}

HEDDLE_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  if (!InExecution()) return Real<&accept4>("accept4")(descriptor, address, length, flags);
  Transfer transfer(descriptor, POLLIN, HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  const AddressAnswer other(address, length);
  const int number = transfer.Opens(Real<&accept4>("accept4")(descriptor, address, length, flags));
  return FollowNew(other.Note(number, HEDDLE_CALLER));
}

HEDDLE_EXPORT ssize_t send(int descriptor, const void* buffer, size_t bytes, int flags) {
  if (!InExecution()) return Real<&send>("send")(descriptor, buffer, bytes, flags);
  Transfer transfer(descriptor, Waiting(POLLOUT, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  PlainRange(buffer, bytes, false, HEDDLE_CALLER);
  return Real<&send>("send")(descriptor, buffer, bytes, flags);
}

HEDDLE_EXPORT ssize_t sendto(int descriptor, const void* buffer, size_t bytes, int flags,
                             const sockaddr* address, socklen_t length) {
  if (!InExecution())
    return Real<&sendto>("sendto")(descriptor, buffer, bytes, flags, address, length);
  Transfer transfer(descriptor, Waiting(POLLOUT, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  PlainRange(buffer, bytes, false, HEDDLE_CALLER);
  SeeBytesRead(address, length, HEDDLE_ACCESS_CALLER);
  return Real<&sendto>("sendto")(descriptor, buffer, bytes, flags, address, length);
}

HEDDLE_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!InExecution()) return Real<&sendmsg>("sendmsg")(descriptor, message, flags);
  Transfer transfer(descriptor, Waiting(POLLOUT, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  SeeMessage(*message, HEDDLE_ACCESS_CALLER);
  NoteOutput(message->msg_iov, static_cast<int>(message->msg_iovlen), HEDDLE_CALLER);
  return Real<&sendmsg>("sendmsg")(descriptor, message, flags);
}

HEDDLE_EXPORT ssize_t recv(int descriptor, void* buffer, size_t bytes, int flags) {
  if (!InExecution()) return Real<&recv>("recv")(descriptor, buffer, bytes, flags);
  Transfer transfer(descriptor, Waiting(POLLIN, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  MakeWritable(buffer, bytes);
  return NoteReceived(Real<&recv>("recv")(descriptor, buffer, bytes, flags), buffer, bytes,
                      HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t recvfrom(int descriptor, void* buffer, size_t bytes, int flags,
                               sockaddr* address, socklen_t* length) {
  if (!InExecution())
    return Real<&recvfrom>("recvfrom")(descriptor, buffer, bytes, flags, address, length);
  Transfer transfer(descriptor, Waiting(POLLIN, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  MakeWritable(buffer, bytes);
  const AddressAnswer other(address, length);
  const ssize_t count =
      Real<&recvfrom>("recvfrom")(descriptor, buffer, bytes, flags, address, length);
  return other.Note(NoteReceived(count, buffer, bytes, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!InExecution()) return Real<&recvmsg>("recvmsg")(descriptor, message, flags);
  Transfer transfer(descriptor, Waiting(POLLIN, flags), HEDDLE_CALLER);
  if (transfer.IsInterrupted()) return -1;
  SeeMessage(*message, HEDDLE_ACCESS_CALLER);
  MakeMessageWritable(message);
  const ssize_t count = Real<&recvmsg>("recvmsg")(descriptor, message, flags);
  NoteInput(message->msg_iov, static_cast<int>(message->msg_iovlen), count, HEDDLE_CALLER);
  // Descriptors that come with it take the lowest numbers that are free.
  if (count >= 0 && message->msg_controllen != 0)
    NoteUnseenCall(SYS_recvmsg, "recvmsg", HEDDLE_CALLER);
  return count;
}

HEDDLE_EXPORT int bind(int descriptor, const sockaddr* address, socklen_t length) noexcept {
  if (!InExecution()) return Real<&bind>("bind")(descriptor, address, length);
  SeeBytesRead(address, length, HEDDLE_ACCESS_CALLER);
  const Transfer transfer(descriptor, 0, HEDDLE_CALLER);
  return Real<&bind>("bind")(descriptor, address, length);
}

HEDDLE_EXPORT int listen(int descriptor, int most) noexcept {
  if (!InExecution()) return Real<&listen>("listen")(descriptor, most);
  const Transfer transfer(descriptor, 0, HEDDLE_CALLER);
  return Real<&listen>("listen")(descriptor, most);
}

HEDDLE_EXPORT int setsockopt(int descriptor, int level, int option, const void* value,
                             socklen_t length) noexcept {
  if (!InExecution())
    return Real<&setsockopt>("setsockopt")(descriptor, level, option, value, length);
  SeeBytesRead(value, length, HEDDLE_ACCESS_CALLER);
  if (IsInherited(descriptor)) {
    const long all[6] = {
        descriptor, level, option, reinterpret_cast<long>(value), static_cast<long>(length), 0};
    return static_cast<int>(
        LibcAnswer(MakeUnseenCall(SYS_setsockopt, all, "setsockopt", HEDDLE_CALLER)));
  }
  const Transfer transfer(descriptor, 0, HEDDLE_CALLER);
  return Real<&setsockopt>("setsockopt")(descriptor, level, option, value, length);
}

HEDDLE_EXPORT int shutdown(int descriptor, int how) noexcept {
  if (!InExecution()) return Real<&shutdown>("shutdown")(descriptor, how);
  Transfer transfer(descriptor, 0, HEDDLE_CALLER);
  return Real<&shutdown>("shutdown")(descriptor, how);
}

}  // extern "C"
