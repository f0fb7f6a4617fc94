package dev.cairn.save

/** Whether a save is sealed: complete on the disks of its hosts, from where a restart can commit it. */
internal enum class Seal {
    NONE,

    /** The rank that owns the store writes the seal, or has written it. */
    POSSIBLE,

    /** All ranks know of the seal. */
    KNOWN,
}
