package dev.cairn.java

import dev.cairn.concentrate.Concentrators
import dev.cairn.dedicated.DedicatedRanks
import dev.cairn.dedicated.Role
import dev.cairn.dedicated.takeRole
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

/** Dedicates ranks to writing, for Java. */
public object BlockingDedication {
    /** The program of the ranks that compute. May throw any exception. */
    public fun interface Body {
        @Throws(Exception::class)
        public fun run(
            ranks: BlockingCommunicator,
            dedicated: DedicatedRanks,
        )
    }

    /**
     * Collective: gives up the ranks that [rule] chooses; see [dev.cairn.dedicated.dedicate]. The others run [body], and all return
     * when these have ended.
     *
     * @param memory as there; null for half of the heap
     */
    @JvmStatic
    @JvmOverloads
    public fun dedicate(
        ranks: BlockingCommunicator,
        rule: Concentrators,
        files: BlockStore = FileBlockStore(),
        memory: Long? = null,
        body: Body,
    ) {
        when (val role = ranks.call { takeRole(rule, files, memory) }) {
            is Role.Computing -> ranks.play(role) { body.run(it, role.dedicated) }
            is Role.Dedicated -> ranks.call { role.rank.serve() }
        }
    }
}

/** Runs [body] on the ranks that compute; dedicated ranks learn the [resultOf] what it returns. */
internal fun <T> BlockingCommunicator.play(
    role: Role.Computing,
    resultOf: (T) -> Int = { 0 },
    body: (BlockingCommunicator) -> T,
): T {
    val outcome = runCatching { body(BlockingCommunicator(role.ranks, bridge)) }
    outcome.onFailure { failure -> call { role.giveUp(failure) } }
    return outcome.getOrThrow().also { call { role.dedicated.line.end(resultOf(it)) } }
}
