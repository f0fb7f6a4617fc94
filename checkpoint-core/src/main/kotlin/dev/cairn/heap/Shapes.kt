package dev.cairn.heap

/** How objects of a class are compared, beside its [fields] that the program or a library has there. */
internal class ClassShape(val form: Form, val fields: List<HeapField>) {
    sealed interface Form {
        data object Plain : Form

        /** No state of a simulation, such as a lock, or not to be seen in a dump, such as a file. */
        data object LeftOut : Form

        class AsText(val read: HeapDump.(Int) -> String) : Form

        /** A constant of an enum. */
        data object Constant : Form

        class Holding(val content: Content) : Form

        data object OfThread : Form

        /** Local variables of a suspended function, and what it captured. */
        data object Suspended : Form
    }

    val isLeftOut: Boolean = form == Form.LeftOut && fields.isEmpty()

    val isConstant: Boolean get() = form == Form.Constant

    val content: Content? get() = (form as? Form.Holding)?.content
}

/** The shape of each class of one dump. */
internal class Shapes(classCount: Int, private val program: Set<HeapClass>, private val ignored: Ignored) {
    private val shapes = arrayOfNulls<ClassShape>(classCount)

    fun of(type: HeapClass): ClassShape = shapes[type.number] ?: newShape(type).also { shapes[type.number] = it }

    private fun newShape(type: HeapClass) =
        if (leavesOut(type)) ClassShape(ClassShape.Form.LeftOut, emptyList()) else shapeOf(type)

    fun isProgram(type: HeapClass): Boolean = type in program

    fun leavesOut(type: HeapClass): Boolean = ignored.leavesOut(type)

    fun leavesOut(owner: HeapClass, field: String): Boolean = ignored.leavesOut(owner, field)

    private fun shapeOf(type: HeapClass): ClassShape {
        val known = type.lineage.firstNotNullOfOrNull { base -> formOf(base)?.let { base to it } }
        val innards =
            known
                ?.first
                ?.lineage
                .orEmpty()
                .toSet()
        val fields =
            type.fields.filter { field ->
                checkNotNull(field.owner).let {
                    it !in innards &&
                        isCompared(it, field.name)
                }
            }
        val form = known?.second ?: ClassShape.Form.Plain
        return ClassShape(
            form,
            if (form ==
                ClassShape.Form.LeftOut
            ) {
                fields.filter { isProgram(checkNotNull(it.owner)) }
            } else {
                fields
            },
        )
    }

    private fun isCompared(owner: HeapClass, field: String) =
        !leavesOut(owner, field) && (isProgram(owner) || (field !in CACHES && formOf(owner) != ClassShape.Form.LeftOut))

    private fun formOf(type: HeapClass): ClassShape.Form? {
        val name = type.name
        Texts.readerOf(name)?.let { return ClassShape.Form.AsText(it) }
        Content.ofClass(name)?.let { return ClassShape.Form.Holding(it) }
        return when {
            name == "java.lang.Enum" -> ClassShape.Form.Constant
            name == "java.lang.ThreadLocal" -> ClassShape.Form.OfThread
            name in SUSPENDED -> ClassShape.Form.Suspended
            name in LEFT_OUT || LEFT_OUT_BELOW.any(name::startsWith) || isCairns(type) -> ClassShape.Form.LeftOut
            else -> null
        }
    }

    /** But for the objects that only hold a value of the program. */
    private fun isCairns(type: HeapClass) =
        ProgramClasses.isCairn(type.name) && !isProgram(type) && type.name !in HOLDERS

    companion object {
        /** What Cairn keeps for the program. */
        val HOLDERS = setOf("dev.cairn.Variable", "dev.cairn.Constant")

        private val SUSPENDED =
            setOf(
                "BaseContinuationImpl",
                "ContinuationImpl",
                "SuspendLambda",
                "RestrictedContinuationImpl",
                "RestrictedSuspendLambda",
            ).map { "kotlin.coroutines.jvm.internal.$it" }
                .toSet()

        /** Fields of the JDK and of Kotlin that can be computed from others, or count changes. */
        private val CACHES =
            setOf(
                "hash",
                "hashIsZero",
                "hashCode",
                "modCount",
                "stringCache",
                "precision",
                "threadLocalHashCode",
                "reflected",
            ) +
                setOf("bitCountPlusOne", "bitLengthPlusOne", "lowestSetBitPlusTwo", "firstNonzeroIntNumPlusTwo")

        /** Of the objects of classes only those of primitive types are instances in a dump, and lead to the modules of the JDK. */
        private val LEFT_OUT =
            setOf(
                "Thread",
                "ThreadGroup",
                "ClassLoader",
                "Class",
                "Module",
                "Process",
                "Runtime",
                "ref.Reference",
            ).map { "java.lang.$it" }.toSet() +
                setOf(
                    "AbstractExecutorService",
                    "Executors\$DelegatedExecutorService",
                    "CyclicBarrier",
                    "Phaser",
                ).map { "java.util.concurrent.$it" } +
                setOf(
                    "InputStream",
                    "OutputStream",
                    "Reader",
                    "Writer",
                    "RandomAccessFile",
                    "FileDescriptor",
                ).map { "java.io.$it" } +
                setOf("Timer", "TimerTask", "Scanner", "Formatter", "Locale", "WeakHashMap").map { "java.util.$it" } +
                setOf("java.nio.MappedByteBuffer", "java.nio.DirectByteBuffer")

        private val LEFT_OUT_BELOW =
            listOf(
                "java.lang.invoke.",
                "java.lang.reflect.",
                "java.lang.module.",
                "java.net.",
                "java.nio.channels.",
                "java.nio.charset.",
            ) +
                listOf(
                    "java.nio.file.",
                    "java.security.",
                    "java.text.",
                    "java.time.format.",
                    "java.util.concurrent.locks.",
                ) +
                listOf(
                    "java.util.jar.",
                    "java.util.logging.",
                    "java.util.regex.",
                    "java.util.stream.",
                    "java.util.zip.",
                ) +
                listOf(
                    "javax.",
                    "jdk.",
                    "sun.",
                    "com.sun.",
                    "kotlin.coroutines.",
                    "kotlin.reflect.",
                    "kotlinx.coroutines.",
                ) +
                listOf(
                    "kotlinx.serialization.",
                    "org.slf4j.",
                    "ch.qos.logback.",
                    "org.apache.logging.",
                    "org.apache.log4j.",
                ) +
                listOf("org.apache.commons.logging.", "io.github.oshai.kotlinlogging.", "mu.", "mpi.")
    }
}
