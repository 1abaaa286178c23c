# gdb: shows the stack of a thread of the program that does not run now. `source tools/fiber.gdb`, then `fiber 1` for T1
# (docs/debugging_heddle.md). The registers are where heddle_switch_context has pushed them (src/runtime/prim/context.cpp).
define fiber
  set $s = (unsigned long *)heddle::runtime::g_fibers[$arg0].stack_pointer
  set $old_sp = $sp
  set $old_pc = $pc
  set $old_bp = $rbp
  set $old_bx = $rbx
  set $old_12 = $r12
  set $old_13 = $r13
  set $old_14 = $r14
  set $old_15 = $r15
  set $r15 = $s[1]
  set $r14 = $s[2]
  set $r13 = $s[3]
  set $r12 = $s[4]
  set $rbx = $s[5]
  set $rbp = $s[6]
  set $pc = $s[7]
  set $sp = $s + 8
  backtrace
  set $r15 = $old_15
  set $r14 = $old_14
  set $r13 = $old_13
  set $r12 = $old_12
  set $rbx = $old_bx
  set $rbp = $old_bp
  set $pc = $old_pc
  set $sp = $old_sp
end
document fiber
fiber N: the stack of thread N, which does not run now.
end
