package dev.cairn.house.planted.circle.tree.leaf

import dev.cairn.house.planted.circle.tree.Tree

class Leaf(val tree: Tree)
