package dev.cairn.ranks

import kotlinx.serialization.serializer

// Messages of arrays of primitive types, which are sent as they are, and of values of `@Serializable` types. A received value belongs to
// the receiver. A receiver that names another type than the sender, or other type arguments, gets a CallsDifferException.

@PublishedApi
internal inline fun <reified T : Any> messageType(): MessageType<T> = messageTypeOf(T::class.java, serializer<T>())

/** Sends [value] to [target] without waiting for the receiver. Messages of a pair and a tag keep their order. */
public suspend inline fun <reified T : Any> Communicator.send(target: Int, tag: Int, value: T): Unit =
    send(target, tag, messageType<T>().encode(value))

/** Waits for the next message of rank [source] that bears [tag], which holds a [T]: `receive<DoubleArray>(0, 7)`. */
public suspend inline fun <reified T : Any> Communicator.receive(source: Int, tag: Int): T =
    messageType<T>().decode(receive(source, tag), source)

/** Collective: returns on all ranks the value that [value] makes on [root]; it is called on no other rank. */
public suspend inline fun <reified T : Any> Communicator.broadcastValue(root: Int, value: () -> T): T {
    val type = messageType<T>()
    return type.decode(broadcast(root, if (rank == root) type.encode(value()) else null), root)
}

/** Collective: gives [root] one value of each rank, in their order, and an empty list to the others. */
public suspend inline fun <reified T : Any> Communicator.gather(root: Int, value: T): List<T> {
    val type = messageType<T>()
    return gather(root, type.encode(value)).mapIndexed { sender, message -> type.decode(message, sender) }
}

/** Collective: returns one value of each rank, in their order, on all ranks. */
public suspend inline fun <reified T : Any> Communicator.allGather(value: T): List<T> {
    val type = messageType<T>()
    return allGather(type.encode(value)).mapIndexed { sender, message -> type.decode(message, sender) }
}

/** Collective: gives each rank its element of the list that [root] passes. The other ranks may pass null. */
public suspend inline fun <reified T : Any> Communicator.scatter(root: Int, values: List<T>?): T {
    val type = messageType<T>()
    return type.decode(scatter(root, values?.map(type::encode)), root)
}

/** Collective: element i of [values] goes to rank i; element i of the result came from rank i. */
public suspend inline fun <reified T : Any> Communicator.allToAll(values: List<T>): List<T> {
    val type = messageType<T>()
    return allToAll(values.map(type::encode)).mapIndexed { sender, message -> type.decode(message, sender) }
}
