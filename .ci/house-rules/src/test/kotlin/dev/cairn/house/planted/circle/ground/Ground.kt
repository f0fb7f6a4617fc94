package dev.cairn.house.planted.circle.ground

class Ground
