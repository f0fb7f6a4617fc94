package dev.cairn.mpi

import dev.cairn.house.classVersions
import dev.cairn.house.finishedJar
import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import java.util.jar.JarFile

class MpiJarSpec :
    FunSpec({
        include(jarContract("dev.cairn.mpi", isAutomatic = true))

        test("no class of the stub is in it, and none is left out that calls mpi.jar") {
            val classes = classVersions(finishedJar).keys
            classes.filter { it.startsWith("mpi/") }.shouldBeEmpty()
            classes shouldContain "dev/cairn/mpi/Cairn.class"
            classes shouldContain "dev/cairn/mpi/BindingsProvider.class"
        }

        test("Java 22 takes other classes than Java 17, if the build has found a JDK for them") {
            JarFile(finishedJar.toFile()).use { it.isMultiRelease } shouldBe true
            val name = "dev/cairn/mpi/ForeignLibrary.class"
            val names = listOf(name, "META-INF/versions/22/$name")
            val there = if (foreignJava != null) names else listOf(name)
            names.filter { it in classVersions(finishedJar) } shouldBe there
        }
    })
