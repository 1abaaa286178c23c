// The nodes of std::map, std::set and std::list, whose links the C++ library follows and changes in
// code of libstdc++.so. It is done here, so that each access is seen: iterating over a map while
// another thread inserts is a data race, to go on from an erased element a use after free.
//
// The layout of nodes is part of the library's ABI. A tree is a red-black tree (Cormen, Leiserson,
// Rivest, Stein: Introduction to Algorithms) with a header that is no element: its parent is the
// root, its children are the first and the last element; it is red, and the parent of the root.
//
// heddle's own maps come here, too, where nothing is seen.

#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"

using namespace heddle::runtime;  // NOLINT: this file defines the C++ library's names

namespace {

enum class Colour : unsigned { kRed, kBlack };

struct TreeNode {
  Colour colour;
  TreeNode* parent;
  TreeNode* child[2];
};

constexpr int kLeft = 0;
constexpr int kRight = 1;

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

// The accesses of one call of the library's, which returns to `pc`.
class Links {
 public:
  explicit Links(uintptr_t pc) : pc_(pc) {}

  template <typename T>
  T Load(const T& field) const {
    if (!IsSeen(pc_)) return field;
    SeeRead(&field, pc_);
    const T value = field;
    HoldArguments(reinterpret_cast<uintptr_t>(&field), Bits(value));
    return value;
  }
  template <typename T>
  void Store(T& field, T value) const {
    if (IsSeen(pc_)) {
      HoldArguments(Bits(value));
      SeeWrite(&field, pc_);
    }
    field = value;
  }

 private:
  static uint64_t Bits(Colour colour) { return static_cast<uint64_t>(colour); }
  static uint64_t Bits(const void* node) { return reinterpret_cast<uintptr_t>(node); }

  uintptr_t pc_;
};

// ---- trees ----

class Tree : public Links {
 public:
  using Links::Links;

  // The last one towards `side`.
  TreeNode* Outermost(TreeNode* node, int side) const {
    while (TreeNode* const next = Load(node->child[side])) node = next;
    return node;
  }

  // The element behind `node` towards `side`. Behind the last one it is the header.
  TreeNode* Neighbour(TreeNode* node, int side) const {
    if (TreeNode* const below = Load(node->child[side])) return Outermost(below, 1 - side);
    TreeNode* above = Load(node->parent);
    while (node == Load(above->child[side])) {
      node = above;
      above = Load(above->parent);
    }
    // From a root without a child there, the climb goes to the header and back to the root.
    return side == kRight && Load(node->child[kRight]) == above ? node : above;
  }

  TreeNode* Before(TreeNode* node) const {
    if (Load(node->colour) == Colour::kRed && Load(Load(node->parent)->parent) == node)
      return Load(node->child[kRight]);  // of the header: the last element
    return Neighbour(node, kLeft);
  }

  void Insert(int side, TreeNode* node, TreeNode* parent, TreeNode& header) const {
    Store(node->parent, parent);
    Store(node->child[kLeft], kNone);
    Store(node->child[kRight], kNone);
    Store(node->colour, Colour::kRed);
    Store(parent->child[side], node);
    if (parent == &header) {
      Store(header.parent, node);
      Store(header.child[1 - side], node);
    } else if (parent == Load(header.child[side])) {
      Store(header.child[side], node);
    }
    RepairRed(node, header.parent);
  }

  // Takes `node` out, and puts the one behind it into its place where it has two children.
  void Erase(TreeNode* node, TreeNode& header) const {
    TreeNode* const left = Load(node->child[kLeft]);
    TreeNode* const right = Load(node->child[kRight]);
    const Place lost = left != nullptr && right != nullptr
                           ? ReplaceBySuccessor(node, left, right, header.parent)
                           : ReplaceByChild(node, left != nullptr ? left : right, header);
    if (lost.colour == Colour::kBlack) RepairBlack(lost.node, lost.parent, header.parent);
  }

 private:
  static constexpr TreeNode* kNone = nullptr;

  // Where a node of that colour was taken away; `node` (or null) is there in its place.
  struct Place {
    TreeNode* node;
    TreeNode* parent;
    Colour colour;
  };

  bool IsBlack(const TreeNode* node) const {
    return node == nullptr || Load(node->colour) == Colour::kBlack;
  }
  int SideOf(const TreeNode* node, const TreeNode* parent) const {
    return node == Load(parent->child[kLeft]) ? kLeft : kRight;
  }

  // `by`, in place of `node`, hangs from `parent`.
  void Hang(TreeNode* by, const TreeNode* node, TreeNode* parent, TreeNode*& root) const {
    if (node == Load(root))
      Store(root, by);
    else
      Store(parent->child[SideOf(node, parent)], by);
  }

  // `node` goes down towards `side`, and its other child comes up.
  void Rotate(TreeNode* node, int side, TreeNode*& root) const {
    TreeNode* const up = Load(node->child[1 - side]);
    TreeNode* const inner = Load(up->child[side]);
    Store(node->child[1 - side], inner);
    if (inner != nullptr) Store(inner->parent, node);
    TreeNode* const parent = Load(node->parent);
    Store(up->parent, parent);
    Hang(up, node, parent, root);
    Store(up->child[side], node);
    Store(node->parent, up);
  }

  // `node` is red, and perhaps its parent, too.
  void RepairRed(TreeNode* node, TreeNode*& root) const {
    while (node != Load(root)) {
      TreeNode* parent = Load(node->parent);
      if (IsBlack(parent)) break;
      TreeNode* const above = Load(parent->parent);
      const int side = SideOf(parent, above);
      TreeNode* const uncle = Load(above->child[1 - side]);
      if (!IsBlack(uncle)) {
        Store(parent->colour, Colour::kBlack);
        Store(uncle->colour, Colour::kBlack);
        Store(above->colour, Colour::kRed);
        node = above;
        continue;
      }
      if (node == Load(parent->child[1 - side])) {
        node = parent;
        Rotate(node, side, root);
        parent = Load(node->parent);
      }
      Store(parent->colour, Colour::kBlack);
      Store(above->colour, Colour::kRed);
      Rotate(above, 1 - side, root);
    }
    Store(Load(root)->colour, Colour::kBlack);
  }

  // Below `parent`, on the side of `node` (which may be null), a black node is missing.
  void RepairBlack(TreeNode* node, TreeNode* parent, TreeNode*& root) const {
    while (node != Load(root) && IsBlack(node)) {
      const int side = SideOf(node, parent);
      TreeNode* sibling = Load(parent->child[1 - side]);
      if (!IsBlack(sibling)) {
        Store(sibling->colour, Colour::kBlack);
        Store(parent->colour, Colour::kRed);
        Rotate(parent, side, root);
        sibling = Load(parent->child[1 - side]);
      }
      TreeNode* const near = Load(sibling->child[side]);
      if (IsBlack(near) && IsBlack(Load(sibling->child[1 - side]))) {
        Store(sibling->colour, Colour::kRed);
        node = parent;
        parent = Load(parent->parent);
        continue;
      }
      if (IsBlack(Load(sibling->child[1 - side]))) {
        Store(near->colour, Colour::kBlack);
        Store(sibling->colour, Colour::kRed);
        Rotate(sibling, 1 - side, root);
        sibling = near;
      }
      Store(sibling->colour, Load(parent->colour));
      Store(parent->colour, Colour::kBlack);
      Store(Load(sibling->child[1 - side])->colour, Colour::kBlack);
      Rotate(parent, side, root);
      break;
    }
    if (node != nullptr) Store(node->colour, Colour::kBlack);
  }

  Place ReplaceByChild(TreeNode* node, TreeNode* child, TreeNode& header) const {
    TreeNode* const parent = Load(node->parent);
    if (child != nullptr) Store(child->parent, parent);
    Hang(child, node, parent, header.parent);
    for (const int side : {kLeft, kRight})
      if (Load(header.child[side]) == node)
        Store(header.child[side], child != nullptr ? Outermost(child, side) : parent);
    return {child, parent, Load(node->colour)};
  }

  Place ReplaceBySuccessor(TreeNode* node, TreeNode* left, TreeNode* right, TreeNode*& root) const {
    TreeNode* const next = Outermost(right, kLeft);
    TreeNode* const child = Load(next->child[kRight]);
    TreeNode* parent = next;
    Store(left->parent, next);
    Store(next->child[kLeft], left);
    if (next != right) {
      parent = Load(next->parent);
      if (child != nullptr) Store(child->parent, parent);
      Store(parent->child[kLeft], child);
      Store(next->child[kRight], right);
      Store(right->parent, next);
    }
    TreeNode* const above = Load(node->parent);
    Hang(next, node, above, root);
    Store(next->parent, above);
    const Colour lost = Load(next->colour);
    Store(next->colour, Load(node->colour));
    Store(node->colour, lost);
    return {child, parent, lost};
  }
};

// ---- lists ----

class List : public Links {
 public:
  using Links::Links;

  void Link(ListNode* first, ListNode* second) const {
    Store(first->next, second);
    Store(second->previous, first);
  }

  void InsertBefore(ListNode* node, ListNode* place) const {
    ListNode* const before = Load(place->previous);
    Link(before, node);
    Link(node, place);
  }

  void TakeOut(ListNode* node) const {
    ListNode* const before = Load(node->previous);
    Link(before, Load(node->next));
  }

  // What lies from `first` up to `end`, before `place`.
  void Transfer(ListNode* place, ListNode* first, ListNode* end) const {
    if (place == end) return;
    ListNode* const last = Load(end->previous);
    ListNode* const before = Load(first->previous);
    ListNode* const ahead = Load(place->previous);
    Link(before, end);
    Link(ahead, first);
    Link(last, place);
  }

  void Reverse(ListNode* head) const {
    ListNode* node = head;
    do {
      ListNode* const next = Load(node->next);
      Store(node->next, Load(node->previous));
      Store(node->previous, next);
      node = next;
    } while (node != head);
  }

  void Swap(ListNode* a, ListNode* b) const {
    const Ends of_a = EndsOf(a), of_b = EndsOf(b);
    Take(a, of_b);
    Take(b, of_a);
  }

 private:
  struct Ends {
    ListNode* first;  // null: it is empty
    ListNode* last;
  };

  Ends EndsOf(ListNode* head) const {
    ListNode* const first = Load(head->next);
    if (first == head) return {nullptr, nullptr};
    return {first, Load(head->previous)};
  }
  void Take(ListNode* head, Ends ends) const {
    if (ends.first == nullptr) return Link(head, head);
    Link(head, ends.first);
    Link(ends.last, head);
  }
};

}  // namespace

// The C++ library's function of that name, as `call` does it.
#define HEDDLE_NODES(symbol, result, name, parameters, call)       \
  HEDDLE_EXPORT result name parameters HEDDLE_SYMBOL(symbol);      \
  HEDDLE_EXPORT __attribute__((noinline)) result name parameters { \
    const uintptr_t pc = HEDDLE_ACCESS_CALLER;                     \
    call;                                                          \
  }

extern "C" {

HEDDLE_NODES("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", TreeNode*, heddle_tree_next,
             (TreeNode * node), return Tree(pc).Neighbour(node, kRight))
HEDDLE_NODES("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", const TreeNode*,
             heddle_const_tree_next, (const TreeNode* node),
             return Tree(pc).Neighbour(const_cast<TreeNode*>(node), kRight))
HEDDLE_NODES("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", TreeNode*, heddle_tree_before,
             (TreeNode * node), return Tree(pc).Before(node))
HEDDLE_NODES("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", const TreeNode*,
             heddle_const_tree_before, (const TreeNode* node),
             return Tree(pc).Before(const_cast<TreeNode*>(node)))
HEDDLE_NODES("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", void,
             heddle_tree_insert, (bool left, TreeNode* node, TreeNode* parent, TreeNode& header),
             Tree(pc).Insert(left ? kLeft : kRight, node, parent, header))
HEDDLE_NODES("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", TreeNode*,
             heddle_tree_erase, (TreeNode * node, TreeNode& header), Tree(pc).Erase(node, header);
             return node)

HEDDLE_NODES("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", void, heddle_list_insert,
             (ListNode * node, ListNode* place), List(pc).InsertBefore(node, place))
HEDDLE_NODES("_ZNSt8__detail15_List_node_base9_M_unhookEv", void, heddle_list_take_out,
             (ListNode * node), List(pc).TakeOut(node))
HEDDLE_NODES("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", void, heddle_list_transfer,
             (ListNode * place, ListNode* first, ListNode* end),
             List(pc).Transfer(place, first, end))
HEDDLE_NODES("_ZNSt8__detail15_List_node_base10_M_reverseEv", void, heddle_list_reverse,
             (ListNode * head), List(pc).Reverse(head))
HEDDLE_NODES("_ZNSt8__detail15_List_node_base4swapERS0_S1_", void, heddle_list_swap,
             (ListNode & a, ListNode& b), List(pc).Swap(&a, &b))

}  // extern "C"
