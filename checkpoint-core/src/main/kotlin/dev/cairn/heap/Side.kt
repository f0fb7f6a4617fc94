package dev.cairn.heap

/** One of two dumps that are compared, and what its objects mean. */
internal class Side(val dump: HeapDump, programClasses: ProgramClasses, ignored: Ignored) {
    val program: Set<HeapClass> = programClasses.of(dump)
    val shapes = Shapes(dump.classes.size, program, ignored)
    private val classFiles = ClassFiles(programClasses.loader)
    val suspended = SuspendedNames(classFiles)
    private val localNames = LocalNames(classFiles)
    val threadNames: Map<Long, String> = dump.threads.associate { it.id to threadName(it.id) }
    private val threadValues by lazy(::findThreadValues)

    private fun threadName(thread: Long): String {
        val name = dump.numberOf(thread).takeIf { it != HeapDump.NONE }?.let { dump.follow(it, "name") }
        return if (name == null || name == HeapDump.NONE) "?" else with(Texts) { dump.string(name) }
    }

    /** What the thread-local variable holds, by the names of threads. */
    fun threadValues(variable: Int): Map<String, Long> = threadValues[variable].orEmpty()

    private fun findThreadValues(): Map<Int, Map<String, Long>> {
        val found = HashMap<Int, MutableMap<String, Long>>()
        for ((thread, name) in threadNames) {
            val number = dump.numberOf(thread)
            if (number == HeapDump.NONE) continue
            for (map in listOf("threadLocals", "inheritableThreadLocals").map { dump.follow(number, it) }.filter {
                it !=
                    HeapDump.NONE
            }) {
                for (entry in dump.references(dump.follow(map, "table")).map(dump::numberOf).filter {
                    it !=
                        HeapDump.NONE
                }) {
                    found.getOrPut(dump.follow(entry, "referent"), ::HashMap)[name] = dump.bits(entry, "value")
                }
            }
        }
        return found
    }

    fun shapeOf(instance: Int): ClassShape = shapes.of(dump.classOf(instance))

    fun contentOf(number: Int): Content? = shapeOf(number).content

    /** The value as a text, if it is one; null for other objects. */
    fun textOf(number: Int): String? =
        when (val form = shapeOf(number).form) {
            is ClassShape.Form.AsText -> form.read(dump, number)
            ClassShape.Form.Constant -> with(Texts) { dump.string(dump.follow(number, "name")) }
            else -> null
        }

    /** Whether nothing of it is compared. */
    fun leavesOut(number: Int): Boolean = shapeOf(number).isLeftOut

    /** What the source calls the local variables of [frame] that hold these objects of the [same] type, or else that type. */
    fun namesOf(frame: HeapFrame, same: List<Long>): List<String> {
        val type = dump.classOf(dump.numberOf(same.first()))
        val word = type.shortName
        return localNames.namesOf(frame, type.name, same.size)
            ?: same.indices.map { if (same.size == 1) word else "$word ${it + 1}" }
    }

    /** A reference in words. */
    fun describe(id: Long): String {
        if (id == 0L) return "null"
        dump.classObject(id)?.let { return "class ${it.shortName}" }
        val number = dump.numberOf(id)
        return if (number == HeapDump.NONE) "an unknown object" else describe(number)
    }

    fun describe(number: Int): String {
        val type = dump.classOf(number)
        if (type.kind != ObjectKind.INSTANCE) return type.shortName.replaceFirst("[]", "[${dump.length(number)}]")
        textOf(number)?.let { return Texts.quoted(type.name, it) }
        val content = contentOf(number) ?: return instance(number, type)
        val size = content.of(dump, number).size / if (content.family == Content.Family.MAP) 2 else 1
        return "${type.shortName} of $size"
    }

    /** With its values, if these are few, and no objects. */
    private fun instance(number: Int, type: HeapClass): String {
        val fields = shapes.of(type).fields
        val isShort = fields.size in 1..MOST_FIELDS && fields.all { it.type != ValueType.REFERENCE }
        return if (isShort) {
            fields.joinToString(prefix = "${type.shortName}(", postfix = ")") {
                "${it.name} = ${it.type.text(dump.bits(number, it))}"
            }
        } else {
            "object of ${type.shortName}"
        }
    }

    private companion object {
        const val MOST_FIELDS = 4
    }
}
