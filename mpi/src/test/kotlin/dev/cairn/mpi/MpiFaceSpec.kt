package dev.cairn.mpi

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.publicFaceContract
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import java.io.File
import java.net.URL
import java.net.URLClassLoader
import java.nio.file.Path

/** The face names types of mpi.jar, which specs have not on their class path; the stub has them on every machine. */
@Tags(JDK_DEPENDENT)
class MpiFaceSpec :
    FunSpec({
        include(publicFaceContract("mpi", URLClassLoader(classPath() + url("stub/target/classes"), null)))
    })

private fun classPath(): Array<URL> =
    System
        .getProperty("java.class.path")
        .split(File.pathSeparator)
        .map(::url)
        .toTypedArray()

private fun url(path: String): URL = Path.of(path).toUri().toURL()
