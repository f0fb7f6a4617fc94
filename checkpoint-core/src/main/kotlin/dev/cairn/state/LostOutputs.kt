package dev.cairn.state

/**
 * The action of a restart for an output whose file is missing, or differs from the checkpoint's.
 * An option, the same on all ranks.
 */
public enum class LostOutputs {
    /** It is refused, and the file stays as it is. */
    REFUSE,

    /**
     * The output begins anew, with the first bytes after the checkpoint: for files that were deleted or rotated on
     * purpose. An existing file is kept under another name.
     */
    BEGIN_ANEW,
}
