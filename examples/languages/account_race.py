"""Two threads take money out of one account. Each line is atomic, the two of withdraw are not: what one of them takes out
may be lost."""

import ctypes
import threading

import heddle_threads


class Account(heddle_threads.Shared):
    _fields_ = [("balance", ctypes.c_int64)]


account = Account(100)


def withdraw(amount):
    left = account.balance - amount
    account.balance = left


heddle_threads.watch()
threads = [threading.Thread(target=withdraw, args=(30,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert account.balance == 40, "money was made"
