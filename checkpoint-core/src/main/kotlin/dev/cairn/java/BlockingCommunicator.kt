package dev.cairn.java

import dev.cairn.DoubleField
import dev.cairn.Field
import dev.cairn.HaloExchange
import dev.cairn.NetcdfOutput
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.Role
import dev.cairn.concentrate.takeRole
import dev.cairn.event.RankFailedException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.haloExchange
import dev.cairn.multifile.MappedTask
import dev.cairn.multifile.ReadMode
import dev.cairn.multifile.filePerGroup
import dev.cairn.multifile.filePerHost
import dev.cairn.output.OwnedArrays
import dev.cairn.output.readArrays
import dev.cairn.output.writeArrays
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Communicator.Checks
import dev.cairn.ranks.MessageType
import dev.cairn.ranks.ProgramCode
import dev.cairn.ranks.Transport
import dev.cairn.ranks.TransportCommunicator
import dev.cairn.ranks.allGather
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.allToAll
import dev.cairn.ranks.broadcast
import dev.cairn.ranks.collectively
import dev.cairn.ranks.encode
import dev.cairn.ranks.exScan
import dev.cairn.ranks.gather
import dev.cairn.ranks.messageTypeOf
import dev.cairn.ranks.receive
import dev.cairn.ranks.scatter
import dev.cairn.ranks.send
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ThrowingBiConsumer
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.ThrowingFunction
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.Callable
import java.util.function.BinaryOperator
import java.util.function.Consumer
import java.util.function.LongBinaryOperator
import kotlin.time.toKotlinDuration

/**
 * A [Communicator] for Java, and for other blocking programs: each call blocks its thread. It belongs to the thread of
 * one rank and owns nothing that must be closed. Code of the program that Cairn runs in the middle of a call, such as
 * the lambda that gets a value, must not call it: such a call throws an [IllegalStateException].
 */
public class BlockingCommunicator internal constructor(
    internal val communicator: Communicator,
    internal val bridge: Bridge,
) {
    @get:JvmName("rank")
    public val rank: Int get() = communicator.rank

    @get:JvmName("size")
    public val size: Int get() = communicator.size

    @get:JvmName("host")
    public val host: String get() = communicator.host

    @get:JvmName("name")
    public val name: String get() = communicator.name

    /** The same seat, whose calls carry the name [activity] and wait for at most [limit]. */
    public fun during(activity: String, limit: Duration): BlockingCommunicator =
        blocking(communicator.during(activity, limit.toKotlinDuration()))

    /** Notes where this rank is between two calls, for roll calls. */
    public fun note(place: String): Unit = communicator.note(place)

    public fun send(target: Int, tag: Int, payload: ByteBuffer): Unit =
        bridge.call { communicator.send(target, tag, payload) }

    public fun receive(source: Int, tag: Int): ByteBuffer = bridge.call { communicator.receive(source, tag) }

    /** The next message of rank [source] that bears [tag]; null if it has not arrived yet. Does not wait. */
    public fun poll(source: Int, tag: Int): ByteBuffer? = bridge.call { communicator.poll(source, tag) }

    /** Collective. */
    public fun barrier(): Unit = bridge.call { communicator.barrier() }

    /** Collective. */
    public fun broadcast(root: Int, payload: ByteBuffer?): ByteBuffer =
        bridge.call { communicator.broadcast(root, payload) }

    /** Collective. */
    public fun gather(root: Int, payload: ByteBuffer): List<ByteBuffer> =
        bridge.call { communicator.gather(root, payload) }

    /** Collective. */
    public fun scatter(root: Int, payloads: List<ByteBuffer>?): ByteBuffer =
        bridge.call { communicator.scatter(root, payloads) }

    /** Collective. */
    public fun allGather(payload: ByteBuffer): List<ByteBuffer> = bridge.call { communicator.allGather(payload) }

    /** Collective. */
    public fun allToAll(payloads: List<ByteBuffer>): List<ByteBuffer> = bridge.call { communicator.allToAll(payloads) }

    /** Collective. */
    public fun allReduce(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer =
        bridge.call { communicator.allReduce(payload, combination) }

    /** Collective. */
    public fun allReduce(value: Long, operator: LongBinaryOperator): Long =
        bridge.call { communicator.allReduce(value, operator) }

    /** Collective. */
    public fun exScan(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer? =
        bridge.call { communicator.exScan(payload, combination) }

    /** Collective. */
    public fun exScan(value: Long, neutral: Long, operator: LongBinaryOperator): Long =
        bridge.call { communicator.exScan(value, neutral, operator) }

    /** Collective. Null for a rank that passes [Communicator.NO_GROUP]. */
    public fun split(group: Int, key: Int): BlockingCommunicator? =
        bridge.call { communicator.split(group, key) }?.let(::blocking)

    /** Collective. */
    public fun hostGroup(): BlockingCommunicator = blocking(bridge.call { communicator.hostGroup() })

    /** Collective: as the function of the same name for coroutines. [work] must not call any communicator of this rank. */
    @Throws(RankFailedException::class)
    public fun <T> collectively(step: String, work: Callable<T>): T =
        bridge.call {
            communicator.collectively(step) { ProgramCode.run("the work of '$step'") { work.call() } }
        }

    /** Sends an array of a primitive type, or a String, without waiting for the receiver. */
    public fun <A : Any> send(target: Int, tag: Int, value: A): Unit =
        send(target, tag, messageTypeOf(value.javaClass).encode(value))

    /** Waits for the next message of rank [source] that bears [tag], which holds a [type], such as `double[].class`. */
    public fun <A : Any> receive(source: Int, tag: Int, type: Class<A>): A =
        messageTypeOf(type).decode(receive(source, tag), source)

    /** Collective: returns the array or String of [root] on all ranks. The arguments of the other ranks are ignored. */
    public fun <A : Any> broadcast(root: Int, type: Class<A>, value: A?): A =
        messageTypeOf(type).run { decode(broadcast(root, value?.let(::encode)), root) }

    /** Collective: gives [root] the arrays or Strings of all ranks, in their order, and an empty list to the others. */
    public fun <A : Any> gather(root: Int, value: A): List<A> =
        messageTypeOf(value.javaClass).all(gather(root, messageTypeOf(value.javaClass).encode(value)))

    /** Collective: gives each rank its element of the list that [root] passes. The other ranks may pass null. */
    public fun <A : Any> scatter(root: Int, type: Class<A>, values: List<A>?): A =
        messageTypeOf(type).run { decode(scatter(root, values?.map(::encode)), root) }

    /** Collective: returns the arrays or Strings of all ranks, in their order, on all ranks. */
    public fun <A : Any> allGather(value: A): List<A> =
        messageTypeOf(value.javaClass).all(allGather(messageTypeOf(value.javaClass).encode(value)))

    /** Collective: element i of [values] goes to rank i; element i of the result came from rank i. */
    public fun <A : Any> allToAll(type: Class<A>, values: List<A>): List<A> =
        messageTypeOf(type).run { all(allToAll(values.map(::encode))) }

    /** Collective: see [DoubleField.exchangeHalo]. */
    public fun exchangeHalo(field: DoubleField): Unit = bridge.call { field.exchangeHalo() }

    /** Collective: see [Field.exchangeHalo]. */
    public fun exchangeHalo(field: Field<*>): Unit = bridge.call { field.exchangeHalo() }

    /** The exchange for halos of [decomposition], which must have as many blocks as there are ranks. Sends no message. */
    public fun haloExchange(decomposition: Decomposition, halo: Halo): HaloExchange =
        communicator.haloExchange(decomposition, halo)

    /** Collective: fetches the cells of the halos of [arrays]; see [HaloExchange.exchange]. */
    public fun exchange(halos: HaloExchange, vararg arrays: Any): Unit = bridge.call { halos.exchange(*arrays) }

    /** Collective: appends a record to [output], and returns its number; see [NetcdfOutput.append]. */
    public fun append(output: NetcdfOutput): Long = bridge.call { output.append() }

    /** Collective: see [NetcdfOutput.flush]. */
    public fun flush(output: NetcdfOutput): Unit = bridge.call { output.flush() }

    /**
     * Collective: writes a file of the arrays that [declare] declares; see [writeArrays]. If anything fails on any rank, all throw the
     * same [RankFailedException].
     */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeArrays(
        file: Path,
        concentrators: Concentrators = Concentrators.perHost(1),
        store: BlockStore = FileBlockStore(),
        declare: Consumer<OwnedArrays>,
    ): Unit = call { writeArrays(file, concentrators, store, declare::accept) }

    /** Collective: reads a file into the arrays that [declare] declares; see [readArrays]. Fails as [writeArrays]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun readArrays(
        file: Path,
        concentrators: Concentrators = Concentrators.perHost(1),
        store: BlockStore = FileBlockStore(),
        declare: Consumer<OwnedArrays>,
    ): Unit = call { readArrays(file, concentrators, store, declare::accept) }

    /**
     * Collective: gives up the ranks that [rule] chooses; see [dev.cairn.concentrate.dedicate]. The others run [body], and all return
     * when these have ended.
     *
     * @param memory as there; null for half of the heap
     */
    @JvmOverloads
    public fun dedicate(
        rule: Concentrators,
        files: BlockStore = FileBlockStore(),
        memory: Long? = null,
        body: ThrowingBiConsumer<BlockingCommunicator, DedicatedRanks>,
    ) {
        when (val role = call { takeRole(rule, files, memory) }) {
            is Role.Computing -> play(role) { body.accept(it, role.dedicated) }
            is Role.Dedicated -> call { role.rank.serve() }
        }
    }

    /**
     * Collective: writes a multifile of plain bytes; see [dev.cairn.multifile.writeMultifile]. If anything fails on any rank, all throw the same
     * [RankFailedException]. What a rank does with its writer runs on its own thread, may call this communicator, and may
     * throw any exception; likewise with the functions that follow.
     */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeMultifile(
        spec: MultifileSpec,
        chunkSize: Long,
        store: BlockStore = FileBlockStore(),
        body: ThrowingConsumer<ChunkWriter>,
    ): Unit =
        writeTask(spec.withContent(Content.BYTES), chunkSize, store) { chunks ->
            body.accept(chunks)
            chunks.usage()
        }

    /** Collective: writes a multifile of records; see [dev.cairn.multifile.writeRecords]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeRecords(
        spec: MultifileSpec,
        chunkSize: Long,
        store: BlockStore = FileBlockStore(),
        body: ThrowingConsumer<RecordWriter>,
    ): Unit =
        writeTask(spec.withContent(Content.RECORDS), chunkSize, store) { chunks ->
            val records = RecordWriter.of(chunks)
            body.accept(records)
            records.usage()
        }

    /** Collective: writes any number of tasks of a mapped multifile of plain bytes; see [dev.cairn.multifile.writeMapped]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeMapped(
        spec: MultifileSpec,
        tasks: List<MappedTask>,
        store: BlockStore = FileBlockStore(),
        body: ThrowingConsumer<List<ChunkWriter>>,
    ): Unit =
        writeTasks(spec.withContent(Content.BYTES), tasks, store) { chunks ->
            body.accept(chunks)
            chunks.map { it.usage() }
        }

    /** Collective: writes any number of tasks of a mapped multifile of records; see [dev.cairn.multifile.writeMappedRecords]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun writeMappedRecords(
        spec: MultifileSpec,
        tasks: List<MappedTask>,
        store: BlockStore = FileBlockStore(),
        body: ThrowingConsumer<List<RecordWriter>>,
    ): Unit =
        writeTasks(spec.withContent(Content.RECORDS), tasks, store) { chunks ->
            val records = chunks.map(RecordWriter::of)
            body.accept(records)
            records.map { it.usage() }
        }

    /** Collective: reads any tasks; see [dev.cairn.multifile.readMultifile]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun <T> readMultifile(
        path: Path,
        store: BlockStore = FileBlockStore(),
        body: ThrowingFunction<GlobalView, T>,
    ): T = readTasks(path, store, ReadMode.ANY_TASKS) { body.apply(it.open()) }

    /** Collective: reads the task that bears the rank's number; see [dev.cairn.multifile.readTask]. */
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun <T> readTask(path: Path, store: BlockStore = FileBlockStore(), body: ThrowingFunction<TaskView, T>): T =
        readTasks(path, store, ReadMode.OWN_TASK) { body.apply(it.openTask()) }

    /** Collective: one physical file for the ranks of each group; see the function of this name for coroutines. */
    public fun filePerGroup(group: Int): FileMapping = call { filePerGroup(group) }

    /** Collective: one physical file for the ranks of each host. */
    public fun filePerHost(): FileMapping = call { filePerHost() }

    private fun <A : Any> MessageType<A>.all(messages: List<ByteBuffer>): List<A> =
        messages.mapIndexed { sender, message -> decode(message, sender) }

    /** Runs suspending functions on the rank's coroutine. */
    internal fun <R> call(operation: suspend Communicator.() -> R): R = bridge.call { communicator.operation() }

    private fun blocking(communicator: Communicator) = BlockingCommunicator(communicator, bridge)

    public companion object {
        private val LIMIT = Duration.ofMinutes(10)

        /**
         * Collective over [transport]: the ranks learn each other's hosts. Every call uses the transport on the thread
         * that calls. The caller that opened the transport closes it.
         */
        @JvmStatic
        @JvmOverloads
        public fun connect(
            transport: Transport,
            checks: Checks = Checks.LOCAL,
            limit: Duration = LIMIT,
        ): BlockingCommunicator {
            val bridge = ThreadBridge()
            val world = bridge.call { TransportCommunicator.connect(transport, checks, limit.toKotlinDuration()) }
            return BlockingCommunicator(world, bridge)
        }
    }
}

/** Runs a suspending operation for a thread that must not suspend. */
internal interface Bridge {
    fun <R> call(operation: suspend () -> R): R
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
