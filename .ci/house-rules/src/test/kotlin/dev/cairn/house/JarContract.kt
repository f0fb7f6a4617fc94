package dev.cairn.house

import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.shouldBe
import java.lang.module.ModuleFinder
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.jar.JarFile

/** Surefire hands over where this module's finished jar lies; see the parent's pom.xml. */
val finishedJar: Path by lazy { Path.of(System.getProperty("cairn.jar")) }

/** Whether this build makes javadoc jars, too: the profile `release`. */
val isDocumented: Boolean = System.getProperty("cairn.docs") == "package"

/** What the finished jar of every module owes: it is the module [name], and runs on Java 17. Users get most of them. */
fun jarContract(name: String, isAutomatic: Boolean = false, isForUsers: Boolean = true) =
    funSpec {
        test("the jar is the module $name") {
            val descriptor =
                ModuleFinder
                    .of(finishedJar)
                    .findAll()
                    .single()
                    .descriptor()

            descriptor.name() shouldBe name
            descriptor.isAutomatic shouldBe isAutomatic
        }

        test("every class in the jar runs on Java 17, or on the version in whose folder it is") {
            val versions = classVersions(finishedJar)

            versions.shouldNotBeEmpty()
            versions.filter { (name, version) -> version != versionFor(name) }.shouldBeEmpty()
        }

        if (!isForUsers) return@funSpec

        test("sources lie beside the jar") { beside("sources").shouldExist() }

        test("javadoc lies beside the jar as soon as there is a class to document").config(
            enabledOrReasonIf = needs { Need.JAVADOC.given(isDocumented) },
        ) {
            if (classVersions(finishedJar).keys.any { !it.endsWith("-info.class") }) {
                beside("javadoc").shouldExist()
            }
        }
    }

/** The jar with [classifier] that was built together with the finished jar. */
fun beside(classifier: String): Path =
    finishedJar.resolveSibling(finishedJar.fileName.toString().removeSuffix(".jar") + "-$classifier.jar")

/** The major class-file version of each class in [jar], by entry name. */
fun classVersions(jar: Path): Map<String, Int> =
    JarFile(jar.toFile()).use { file ->
        file
            .stream()
            .filter { it.name.endsWith(".class") }
            .toList()
            .associate { it.name to majorVersion(file.getInputStream(it).use { bytes -> bytes.readNBytes(8) }) }
    }

private fun majorVersion(classFileHead: ByteArray): Int = ByteBuffer.wrap(classFileHead).getShort(6).toInt()

/** The class-file version of a class at this place of a jar: releases of Java count from 44 on. */
private fun versionFor(name: String): Int =
    LATER_RELEASE.find(name)?.let { it.groupValues[1].toInt() + BEFORE_RELEASES } ?: JAVA_17

private val LATER_RELEASE = Regex("^META-INF/versions/([0-9]+)/")
private const val BEFORE_RELEASES = 44

const val JAVA_17 = 61
