package dev.cairn.benchmarks.report

import kotlinx.serialization.Serializable
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isReadable
import kotlin.io.path.readLines

/** The machine of the measurements, so that the figures can be interpreted elsewhere. */
@Serializable
internal data class Machine(
    val processor: String,
    val coreCount: Int,
    val system: String,
    val jdk: String,
    val heapLimitMebibytes: Long,
    val fileSystem: String,
) {
    override fun toString(): String =
        "$processor, $coreCount cores; $system; JDK $jdk; heap up to $heapLimitMebibytes MiB; files on $fileSystem"

    companion object {
        private val cpuInfo: Path = Path.of("/proc/cpuinfo")

        fun holding(directory: Path): Machine =
            Machine(
                processor = processor(),
                coreCount = Runtime.getRuntime().availableProcessors(),
                system = "${System.getProperty("os.name")} ${System.getProperty("os.version")}",
                jdk = "${System.getProperty("java.runtime.version")} (${System.getProperty("java.vendor")})",
                heapLimitMebibytes = Runtime.getRuntime().maxMemory() shr 20,
                fileSystem = Files.getFileStore(directory).type(),
            )

        private fun processor(): String {
            val lines = if (cpuInfo.isReadable()) cpuInfo.readLines() else emptyList()
            val model = lines.firstOrNull { it.startsWith("model name") }
            return model?.substringAfter(":")?.trim() ?: System.getProperty("os.arch")
        }
    }
}
