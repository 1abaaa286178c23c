// A server and a client in one program, over TCP on this machine: accept and read wait for the
// other thread.
// heddle: check
// expect: verdict=clean complete=true executions=2 rewind=checkpoint
// heddle: check --rewind fork
// expect: verdict=clean complete=true executions=2 rewind=fork
// Graphs: all uses of descriptors conflict, and each waits for the one before it, but for the accept and the client's
// first send: 2.
// graphs: 2
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run_threads.h"

static struct sockaddr_in address;
static int sent;

static void *Client(void *arg) {
  (void)arg;
  int client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(client, (struct sockaddr *)&address, sizeof address) == 0);
  sent = 1;
  assert(send(client, "?", 1, 0) == 1);
  char answer;
  assert(read(client, &answer, 1) == 1 && answer == '!');
  close(client);
  return 0;
}

int main() {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
  assert(getsockname(server, (struct sockaddr *)&address, &length) == 0);
  assert(listen(server, 5) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Client, 0);
  int client = accept(server, 0, 0);
  char question;
  assert(recv(client, &question, 1, 0) == 1 && question == '?' && sent == 1);
  assert(write(client, "!", 1) == 1);
  pthread_join(thread, 0);
  assert(read(client, &question, 1) == 0);
}
