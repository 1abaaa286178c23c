-- Two forks, taken in opposite orders: a deadlock.
thread(function()
  up(1)
  up(2)
  down(2)
  down(1)
end)

thread(function()
  up(2)
  up(1)
  down(1)
  down(2)
end)
