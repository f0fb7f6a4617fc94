package dev.cairn.house.planted.arrows.sion.layout

class Extent
