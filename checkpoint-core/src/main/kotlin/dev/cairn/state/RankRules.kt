package dev.cairn.state

import java.io.InputStream

/**
 * The rule for private values when the number of ranks changes.
 * All ranks declare the same; its functions run on the thread of their rank.
 */
public sealed interface PerRankRule<T> {
    /** The restart is refused. */
    public class Refuse<T> : PerRankRule<T>

    /** Every rank keeps its initial value, and the stored values are not read. */
    public class Drop<T> : PerRankRule<T>

    /**
     * The old ranks are dealt to the new ones in order, in nearly equal shares, and each new rank makes its value from
     * those of its share: rank r of n gets the values of the old ranks from r·m/n up to (r+1)·m/n, without that one, where m is the
     * number of old ranks and the quotients are rounded down. Where there are more new ranks than old ones, each value goes to one of
     * them, not always to the rank of the same number, and the others get an empty list: from 1 rank to 2, rank 0 gets none.
     */
    public class Merge<T>(internal val merge: ThrowingFunction<List<T>, T>) : PerRankRule<T>
}

/**
 * The rule for streams of bytes when the number of ranks changes.
 * All ranks declare the same; its functions run on the thread of their rank.
 */
public sealed interface StreamRule {
    /** The restart is refused. */
    public data object Refuse : StreamRule

    /** The stored streams are not read. */
    public data object Drop : StreamRule

    /**
     * The streams of the old ranks are dealt to the new ones in order, in nearly equal shares; [reading] gets those of this
     * rank's share, which may be none. They are open until it returns, and it reads each of them to its end: unread bytes are refused.
     */
    public class Deal(internal val reading: ThrowingConsumer<List<InputStream>>) : StreamRule
}

/** The old ranks whose share falls to [rank], if [oldCount] of them are dealt to [newCount] in order. */
internal fun dealt(oldCount: Int, rank: Int, newCount: Int): IntRange {
    val from = oldCount.toLong() * rank / newCount
    val until = oldCount.toLong() * (rank + 1) / newCount
    return from.toInt() until until.toInt()
}
