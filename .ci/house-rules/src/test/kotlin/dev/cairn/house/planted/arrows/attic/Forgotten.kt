package dev.cairn.house.planted.arrows.attic

class Forgotten
