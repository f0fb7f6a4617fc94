package dev.cairn.heap

import java.nio.file.Path

/**
 * Reads a dump once, from its beginning to its end: what is where. Each record must lie in the file, and each part of it in the record,
 * before anything is allocated for it.
 */
internal class DumpReading(private val path: Path, private val bytes: DumpBytes) {
    private var found = LongArray(FIRST_COUNT)
    private var foundCount = 0
    private val names = HashMap<Long, Name>()
    private val classNames = HashMap<Long, Long>()
    private val classIds = HashMap<Int, Long>()
    private val classRecords = LinkedHashMap<Long, ClassRecord>()
    private val frames = HashMap<Long, FrameRecord>()
    private val traces = HashMap<Int, List<Long>>()
    private val threadTraces = LinkedHashMap<Int, ThreadRecord>()
    private val locals = HashMap<Pair<Int, Int>, MutableList<Long>>()
    private var position = 0L
    private var end = 0L
    private var hasEnd = false

    /** Where the record of each object begins. */
    val positions: LongArray by lazy { found.copyOf(foundCount) }

    private class Name(val position: Long, val length: Int)

    private class ClassRecord(
        val superclass: Long,
        val domain: Long,
        val statics: List<FieldRecord>,
        val fields: List<FieldRecord>,
    )

    private class FieldRecord(val name: Long, val type: ValueType, val position: Long)

    private class FrameRecord(val method: Long, val classSerial: Int, val line: Int)

    private class ThreadRecord(val id: Long, val trace: Int)

    fun read() {
        end = bytes.size
        readHead()
        while (position < bytes.size) {
            end = bytes.size
            val tag = u1()
            u4()
            val length = u4().toLong() and 0xffff_ffffL
            if (length >
                bytes.size - position
            ) {
                throw flaw("a record of $length bytes, but the file ends after ${bytes.size - position}")
            }
            end = position + length
            readRecord(tag)
            position = end
        }
        if (!hasEnd) throw flaw("the file ends before the dump does, as if the disk had been full")
    }

    private fun readHead() {
        val head = HEAD.toByteArray()
        need(head.size + 13L)
        if (!bytes.bytes(0, head.size).contentEquals(head)) throw flaw("it does not begin with '$HEAD'")
        position = head.size + 1L
        val idBytes = u4()
        if (idBytes !=
            Long.SIZE_BYTES
        ) {
            throw flaw("its ids have $idBytes bytes, and only those of a 64-bit virtual machine are read")
        }
        u8()
    }

    private fun readRecord(tag: Int) {
        when (tag) {
            0x01 -> names[u8()] = Name(position, (end - position).coerceAtMost(MOST_NAME).toInt())
            0x02 -> readLoadedClass()
            0x04 -> readFrame()
            0x05 -> readTrace()
            0x0c, 0x1c -> while (position < end) readPart()
            0x2c -> hasEnd = true
        }
    }

    private fun readLoadedClass() {
        val serial = u4()
        val id = u8()
        u4()
        classIds[serial] = id
        classNames[id] = u8()
    }

    private fun readFrame() {
        val id = u8()
        val method = u8()
        skip(16)
        frames[id] = FrameRecord(method, u4(), u4())
    }

    private fun readTrace() {
        val serial = u4()
        u4()
        val count = u4()
        need(count * 8L)
        traces[serial] = List(count) { u8() }
    }

    /** A root, a class or an object. */
    private fun readPart() {
        val start = position
        when (val tag = u1()) {
            0xff, 0x05, 0x07 -> skip(8)
            0x01, 0x02 -> skip(16)
            0x03 -> readLocal()
            0x04, 0x06 -> skip(12)
            0x08 -> readThread()
            0x20 -> readClass()
            0x21 -> add(start, headSize = 20) { 1 }
            0x22 -> add(start, headSize = 12) { 8 }
            0x23 -> add(start, headSize = 12, ::elementSize)
            else -> throw flaw("a part of the unknown kind $tag")
        }
    }

    private fun elementSize(): Int {
        need(5)
        return type(bytes.byte(position + 4)).size
    }

    /** The object whose record began at [start], and goes on behind its head with the number of its parts of [partSize] bytes. */
    private inline fun add(start: Long, headSize: Long, partSize: () -> Int) {
        skip(headSize)
        val size = partSize()
        val count = u4()
        if (count < 0) throw flaw("an object with $count elements")
        val tag = bytes.byte(start)
        if (tag == ObjectKind.REFERENCES.tag) skip(8)
        if (tag == ObjectKind.PRIMITIVES.tag) skip(1)
        skip(count.toLong() * size)
        if (foundCount == found.size) {
            if (foundCount > MOST_OBJECTS) throw flaw("more than $MOST_OBJECTS objects")
            found = found.copyOf(foundCount + (foundCount shr 1))
        }
        found[foundCount++] = start
    }

    private fun readLocal() {
        val id = u8()
        locals.getOrPut(u4() to u4(), ::mutableListOf) += id
    }

    private fun readThread() {
        val id = u8()
        threadTraces[u4()] = ThreadRecord(id, u4())
    }

    private fun readClass() {
        val id = u8()
        u4()
        val superclass = u8()
        skip(16)
        val domain = u8()
        skip(20)
        repeat(u2()) {
            u2()
            skip(type(u1()).size.toLong())
        }
        val statics = List(u2()) { FieldRecord(u8(), type(u1()), position).also { skip(it.type.size.toLong()) } }
        val fields = List(u2()) { FieldRecord(u8(), type(u1()), 0) }
        classRecords[id] = ClassRecord(superclass, domain, statics, fields)
    }

    /** The classes by their ids, and each with the one above it. */
    fun linkedClasses(): Map<Long, HeapClass> {
        val linked = HashMap<Long, HeapClass>()
        for (id in classRecords.keys) {
            val missing =
                generateSequence(id) {
                    classRecords[it]?.superclass
                }.takeWhile { it != 0L && it !in linked }.take(MOST_LINEAGE).toList()
            if (missing.size ==
                MOST_LINEAGE
            ) {
                throw flaw("the class ${className(id)} has more than $MOST_LINEAGE classes above it")
            }
            for (next in missing.asReversed()) {
                val record = classRecords[next] ?: throw flaw("a class above ${className(id)} is missing")
                linked[next] =
                    HeapClass(
                        linked.size,
                        className(next),
                        record.domain,
                        linked[record.superclass],
                        named(record.statics),
                        named(record.fields),
                    )
            }
        }
        return linked
    }

    private fun named(fields: List<FieldRecord>) = fields.map { HeapField(null, text(it.name), it.type, it.position) }

    fun threads(): List<HeapThread> =
        threadTraces.map { (serial, thread) ->
            val calls = traces[thread.trace].orEmpty().map(frames::get)

            fun frameAt(depth: Int) = calls[depth]?.let { frame(it, locals[serial to depth].orEmpty()) }
            HeapThread(thread.id, calls.indices.mapNotNull(::frameAt))
        }

    private fun frame(call: FrameRecord, locals: List<Long>) =
        HeapFrame(classIds[call.classSerial]?.let(::className) ?: "", text(call.method), call.line, locals)

    private fun className(id: Long): String = classNames[id]?.let(::text)?.replace('/', '.') ?: "class $id"

    private fun text(name: Long): String =
        names[name]?.let { bytes.bytes(it.position, it.length).decodeToString() } ?: "name $name"

    private fun type(code: Int): ValueType = ValueType.of(code) ?: throw flaw("a value of the unknown type $code")

    private fun u1(): Int {
        need(1)
        return bytes.byte(position++)
    }

    private fun u2(): Int {
        need(2)
        return bytes.short(position).also { position += 2 }
    }

    private fun u4(): Int {
        need(4)
        return bytes.int(position).also { position += 4 }
    }

    private fun u8(): Long {
        need(8)
        return bytes.long(position).also { position += 8 }
    }

    private fun skip(count: Long) {
        need(count)
        position += count
    }

    private fun need(count: Long) {
        if (count < 0 ||
            count > end - position
        ) {
            throw flaw("$count more bytes are expected, but a record ends after ${end - position}")
        }
    }

    private fun flaw(flaw: String) = UnreadableDump(path, position, flaw)

    private companion object {
        const val HEAD = "JAVA PROFILE 1.0.2"
        const val FIRST_COUNT = 1 shl 12
        const val MOST_OBJECTS = 600_000_000
        const val MOST_LINEAGE = 1_000

        /** As in class files. */
        const val MOST_NAME = 65_535L
    }
}
