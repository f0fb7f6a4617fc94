package dev.cairn.sion.fuzz

/** What is done with hostile files beside reading them through. The input chooses one, or all would be slow. */
enum class Further {
    TEXT,
    JSON,
    PICTURE,
    SENT_META,
    CURSORS,
    WRITE_AGAIN,
    SALVAGE,
    COPIES,
}
