package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Output
import java.nio.file.Path
import java.util.stream.IntStream
import kotlin.io.path.outputStream

/** Each list into a file of its own, object by object. */
internal fun writeKryoParticles(files: List<Path>, particles: List<List<ParticleRecord>>) =
    IntStream.range(0, files.size).parallel().forEach { index ->
        val kryo = Kryo().apply { register(ParticleRecord::class.java) }
        Output(files[index].outputStream(), 1 shl 16).use { output ->
            output.writeInt(particles[index].size)
            particles[index].forEach { kryo.writeObject(output, it) }
        }
    }
