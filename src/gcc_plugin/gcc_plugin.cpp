// A plugin of GCC, for heddle-cc. GCC's instrumentation for ThreadSanitizer looks at assignments
// only: of a structure that is passed by value from memory, or that a function returns into memory,
// it does not tell. So before it runs, each of these gets a variable of its own:
//
//   f(*p)       t = *p; f(t)
//   *p = f()    t = f(); *p = t
//
// Behind that pass GCC makes instructions of memcpy, strcpy, memcmp and their kin where it knows
// the length. So they become calls of functions that have the same names, and of which it knows
// nothing.
//
// A plugin is for the release of GCC whose headers it was built with; its file's name says which.
// Tested by tests/programs/wrong/struct_by_value.cpp.

// Each of these needs those before it.
// clang-format off
#include <gcc-plugin.h>
#include <context.h>
#include <tree.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-expr.h>
#include <gimplify.h>
#include <gimple-ssa.h>
#include <ssa.h>
#include <tree-into-ssa.h>
#include <tree-cfg.h>
#include <tree-pass.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>
#include <diagnostic-core.h>
#include <plugin-version.h>
// clang-format on

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace {

// May it be copied?
bool IsCopied(const_tree type) {
  return !TREE_ADDRESSABLE(type) && COMPLETE_TYPE_P(type) &&
         TREE_CODE(TYPE_SIZE(type)) == INTEGER_CST;
}

// In memory that other threads may know of?
bool IsShared(tree value) {
  const bool in_memory = TREE_CODE(value) == MEM_REF || TREE_CODE(value) == TARGET_MEM_REF ||
                         DECL_P(value) || handled_component_p(value);
  if (!in_memory || is_gimple_reg(value) || !IsCopied(TREE_TYPE(value))) return false;
  tree base = get_base_address(value);
  if (base == NULL_TREE) return false;
  return !DECL_P(base) || is_global_var(base) || TREE_ADDRESSABLE(base);
}

tree Temporary(tree value) { return create_tmp_var(TYPE_MAIN_VARIANT(TREE_TYPE(value)), "shared"); }

struct Expanded {
  built_in_function code;
  const char* name;
};
constexpr Expanded kExpanded[] = {{BUILT_IN_MEMCPY, "memcpy"},      {BUILT_IN_MEMMOVE, "memmove"},
                                  {BUILT_IN_MEMSET, "memset"},      {BUILT_IN_MEMPCPY, "mempcpy"},
                                  {BUILT_IN_BCOPY, "bcopy"},        {BUILT_IN_BZERO, "bzero"},
                                  {BUILT_IN_MEMCMP, "memcmp"},      {BUILT_IN_MEMCMP_EQ, "memcmp"},
                                  {BUILT_IN_BCMP, "bcmp"},          {BUILT_IN_STRCPY, "strcpy"},
                                  {BUILT_IN_STPCPY, "stpcpy"},      {BUILT_IN_STRNCPY, "strncpy"},
                                  {BUILT_IN_STPNCPY, "stpncpy"},    {BUILT_IN_STRCAT, "strcat"},
                                  {BUILT_IN_STRNCAT, "strncat"},    {BUILT_IN_STRCMP, "strcmp"},
                                  {BUILT_IN_STRCMP_EQ, "strcmp"},   {BUILT_IN_STRNCMP, "strncmp"},
                                  {BUILT_IN_STRNCMP_EQ, "strncmp"}, {BUILT_IN_SPRINTF, "sprintf"},
                                  {BUILT_IN_SNPRINTF, "snprintf"}};
tree plain[ARRAY_SIZE(kExpanded)];
const ggc_root_tab kRoots[] = {
    {plain, ARRAY_SIZE(plain), sizeof(tree), gt_ggc_mx_tree_node, gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB};

bool KeepCall(gcall* call) {
  const_tree callee = gimple_call_fndecl(call);
  if (callee == NULL_TREE || !fndecl_built_in_p(callee, BUILT_IN_NORMAL)) return false;
  for (size_t i = 0; i < ARRAY_SIZE(kExpanded); ++i) {
    if (kExpanded[i].code != DECL_FUNCTION_CODE(callee)) continue;
    if (plain[i] == NULL_TREE) plain[i] = build_fn_decl(kExpanded[i].name, TREE_TYPE(callee));
    gimple_call_set_fndecl(call, plain[i]);
    return true;
  }
  return false;
}

bool Divide(gimple_stmt_iterator* at) {
  gcall* call = dyn_cast<gcall*>(gsi_stmt(*at));
  if (call == nullptr || gimple_call_internal_p(call)) return false;
  bool changed = KeepCall(call);
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
    tree argument = gimple_call_arg(call, i);
    if (!IsShared(argument)) continue;
    tree copy = Temporary(argument);
    gassign* assign = gimple_build_assign(copy, unshare_expr(argument));
    gimple_set_location(assign, gimple_location(call));
    gsi_insert_before(at, assign, GSI_SAME_STMT);
    gimple_call_set_arg(call, i, copy);
    changed = true;
  }
  tree result = gimple_call_lhs(call);
  // One that may throw is the last statement of its block.
  const bool ends = stmt_ends_bb_p(call);
  const edge next = ends ? find_fallthru_edge(gimple_bb(call)->succs) : nullptr;
  if (result != NULL_TREE && IsShared(result) && (!ends || next != nullptr)) {
    tree copy = Temporary(result);
    gassign* assign = gimple_build_assign(unshare_expr(result), copy);
    gimple_set_location(assign, gimple_location(call));
    gimple_call_set_lhs(call, copy);
    if (ends)
      gsi_insert_on_edge(next, assign);
    else
      gsi_insert_after(at, assign, GSI_SAME_STMT);
    changed = true;
  }
  if (changed) update_stmt(call);
  return changed;
}

const pass_data kData = {GIMPLE_PASS, "heddle", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
                         0,           0};

class Pass : public gimple_opt_pass {
 public:
  explicit Pass(gcc::context* context) : gimple_opt_pass(kData, context) {}
  opt_pass* clone() override { return new Pass(m_ctxt); }
  // It stands before either of two passes, of which one runs.
  bool gate(function*) override { return sanitize_flags_p(SANITIZE_THREAD); }
  unsigned int execute(function* function) override {
    bool changed = false;
    basic_block block;
    FOR_EACH_BB_FN(block, function) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
        changed |= Divide(&at);
    }
    if (!changed) return 0;
    gsi_commit_edge_inserts();
    mark_virtual_operands_for_renaming(function);
    return TODO_update_ssa_only_virtuals;
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args* info,
                                                                  plugin_gcc_version* version) {
  // The same release, built of other sources: nobody knows what has changed.
  if (strcmp(version->basever, gcc_version.basever) != 0 ||
      strcmp(version->datestamp, gcc_version.datestamp) != 0) {
    inform(UNKNOWN_LOCATION,
           "heddle was built with GCC %s of %s: structures that are passed by "
           "value are not looked at",
           gcc_version.basever, gcc_version.datestamp);
    return 0;
  }
  register_callback(info->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab*>(kRoots));
  for (const char* name : {"tsan", "tsan0"}) {
    register_pass_info pass = {new Pass(g), name, 1, PASS_POS_INSERT_BEFORE};
    register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  }
  return 0;
}
