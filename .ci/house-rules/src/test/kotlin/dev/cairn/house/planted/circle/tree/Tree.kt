package dev.cairn.house.planted.circle.tree

import dev.cairn.house.planted.circle.tree.leaf.Leaf

class Tree(val leaf: Leaf)
