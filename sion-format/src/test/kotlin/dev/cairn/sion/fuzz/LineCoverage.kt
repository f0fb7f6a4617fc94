package dev.cairn.sion.fuzz

import org.jacoco.core.analysis.Analyzer
import org.jacoco.core.analysis.CoverageBuilder
import org.jacoco.core.analysis.IClassCoverage
import org.jacoco.core.analysis.ICounter
import org.jacoco.core.data.ExecutionDataStore
import org.jacoco.core.data.SessionInfoStore
import org.jacoco.core.instr.Instrumenter
import org.jacoco.core.runtime.LoggerRuntime
import org.jacoco.core.runtime.RuntimeData
import kotlin.reflect.KClass

/**
 * Which lines of the readers some inputs reach. The fuzzer's own count of lines leaves out classes that are loaded
 * late, so this one loads the readers once more, with JaCoCo's probes.
 */
class LineCoverage(inputs: Collection<ByteArray>, private val target: KClass<*> = ReaderTarget::class) {
    private val runtime = LoggerRuntime()
    private val readers = Readers()
    private val classes = analyzed(inputs)

    private fun analyzed(inputs: Collection<ByteArray>): Collection<IClassCoverage> {
        val data = RuntimeData()
        runtime.startup(data)
        val loaded = readers.loadClass(target.java.name)
        val run = loaded.getMethod("fuzzerTestOneInput", ByteArray::class.java)
        inputs.forEach { run.invoke(null, it) }
        val executed = ExecutionDataStore()
        data.collect(executed, SessionInfoStore(), false)
        runtime.shutdown()
        return readers.analyzed(executed)
    }

    /** All lines of the classes that [isChosen], by whether they were reached. */
    fun lines(isChosen: (String) -> Boolean): Lines {
        val chosen = classes.filter { isChosen(it.name.replace('/', '.')) }
        val missed =
            chosen.flatMap { found ->
                (found.firstLine..found.lastLine)
                    .filter { it >= 0 && found.getLine(it).status == ICounter.NOT_COVERED }
                    .map { "${found.sourceFileName}:$it" }
            }
        return Lines(chosen.sumOf { it.lineCounter.totalCount }, missed.distinct().sorted())
    }

    /** Loads what lies below `dev.cairn.sion` itself, and puts probes into it. */
    private inner class Readers : ClassLoader(LineCoverage::class.java.classLoader) {
        private val instrumenter = Instrumenter(runtime)
        private val bytes = HashMap<String, ByteArray>()

        override fun loadClass(name: String, resolve: Boolean): Class<*> =
            synchronized(getClassLoadingLock(name)) {
                if (name.startsWith(
                        "dev.cairn.sion.",
                    )
                ) {
                    findLoadedClass(name) ?: define(name)
                } else {
                    super.loadClass(name, resolve)
                }
            }

        private fun define(name: String): Class<*> {
            val resource =
                parent.getResourceAsStream("${name.replace('.', '/')}.class") ?: throw ClassNotFoundException(name)
            val original = resource.use { it.readBytes() }
            bytes[name] = original
            val probed = instrumenter.instrument(original, name)
            return defineClass(name, probed, 0, probed.size)
        }

        fun analyzed(executed: ExecutionDataStore): Collection<IClassCoverage> {
            val builder = CoverageBuilder()
            val analyzer = Analyzer(executed, builder)
            CompiledReaders.names().forEach { loadClass(it, false) }
            bytes.forEach { (name, original) -> analyzer.analyzeClass(original, name) }
            return builder.classes
        }
    }
}

/** The number of lines, and those that were not reached. */
class Lines(private val count: Int, val missed: List<String>) {
    val percent: Double = 100.0 * (count - missed.size) / count

    override fun toString(): String = "%d of %d lines, %.1f %%".format(count - missed.size, count, percent)
}
