package dev.cairn.house.planted.sion.layout

class Extent
