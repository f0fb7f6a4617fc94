package dev.cairn.house.planted.attic

class Forgotten
