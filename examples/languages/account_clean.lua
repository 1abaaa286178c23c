-- The same with a semaphore around what belongs together: at every moment the balance follows from
-- how far each thread has come.
shared("balance")
balance = 100

function withdraw(amount)
  up(1)
  local left = balance - amount
  balance = left
  down(1)
end

thread(function() withdraw(30) end)
thread(function() withdraw(30) end)

function finally()
  assert(balance == 40, "money was made")
end
