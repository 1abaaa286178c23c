-- Two threads take money out of one account. Each line is atomic, the two of withdraw are not: what
-- one of them takes out may be lost.
shared("balance")
balance = 100

function withdraw(amount)
  local left = balance - amount
  balance = left
end

thread(function() withdraw(30) end)
thread(function() withdraw(30) end)

function finally()
  assert(balance == 40, "money was made")
end
