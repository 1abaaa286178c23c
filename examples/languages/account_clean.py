"""The same with a semaphore around what belongs together."""

import ctypes
import threading

import heddle_threads


class Account(heddle_threads.Shared):
    _fields_ = [("balance", ctypes.c_int64)]


account = Account(100)


def withdraw(amount):
    heddle_threads.up(1)
    left = account.balance - amount
    account.balance = left
    heddle_threads.down(1)


heddle_threads.watch()
threads = [threading.Thread(target=withdraw, args=(30,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert account.balance == 40, "money was made"
