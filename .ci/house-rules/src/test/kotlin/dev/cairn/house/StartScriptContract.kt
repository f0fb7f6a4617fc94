package dev.cairn.house

import io.kotest.core.spec.style.funSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.createTempDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.getLastModifiedTime
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.setLastModifiedTime
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.writeText
import java.nio.file.attribute.PosixFilePermissions.fromString as permissions

/** What the script that starts this module's command [name] does, when it and the jar are copied into a folder. */
fun startScriptContract(name: String) =
    funSpec {
        val scripts = Scripts(name, tempdir().toPath())

        test("arguments and exit codes pass through, whatever characters they have") {
            val command = scripts.install()
            val missing = command.start("verify", "a file * \$x 'that' is not there")

            val direct =
                listOf("$JAVA_HOME/bin/java", "-jar", "${beside("cli")}", "verify", "a file * \$x 'that' is not there")
            missing shouldBe run(direct)
        }

        test("what is missing is said in a sentence, with the code of a command that is not there") {
            val command = scripts.install()
            command.start("--version", environment = mapOf("JAVA_HOME" to "/none")) shouldBe
                Ended(127, "", "$name: there is no /none/bin/java: install a JDK, and name it in JAVA_HOME or PATH.\n")
            command.jar().deleteExisting()
            command.start("--version").exitCode shouldBe 127
            Installed(command.script.copyTo(command.script.resolveSibling("other"))).start() shouldBe
                Ended(
                    127,
                    "",
                    "other: this script starts the command by whose name it is called: call it sion or cairn.\n",
                )
        }
    }

/** The script is the same for each command, and so is what it does with archives of classes. */
fun classArchiveContract(name: String) =
    funSpec {
        val parent = tempdir().toPath()
        val scripts = Scripts(name, parent)

        test("the first start makes an archive of classes, and later ones use it") {
            val command = scripts.install()
            command.start("--version") shouldBe Ended(0, scripts.version, "")
            val archive = command.archives().single()
            archive.fileSize() shouldBeGreaterThan 0
            val time = archive.getLastModifiedTime()

            // With this option a java that cannot use the archive ends at once.
            command.start("--version", environment = mapOf("JDK_JAVA_OPTIONS" to "-Xshare:on")).exitCode shouldBe 0
            command.archives().single().getLastModifiedTime() shouldBe time
        }

        test("another jar has another archive, and the old one goes") {
            val command = scripts.install()
            command.start("--version")
            val before = command.archives().single()
            before.setLastModifiedTime(FileTime.fromMillis(0))
            command.jar().setLastModifiedTime(FileTime.fromMillis(1000))

            command.start("--version").out shouldBe scripts.version
            command.archives() shouldHaveSize 1
            (command.archives().single() == before) shouldBe false
        }

        test("a JDK that makes no archive is asked once, and the command runs without one") {
            val command = scripts.install()
            val jdk = createTempDirectory(parent, "jdk")
            val asked = jdk.resolve("asked")
            jdk.resolve("bin").createDirectory().resolve("java").executable(
                """
                case " $* " in *" -Xshare:dump "*) echo >>'$asked'; exit 1 ;; esac
                exec '$JAVA_HOME/bin/java' "$@"
                """,
            )
            jdk
                .resolve("lib")
                .createDirectory()
                .resolve("modules")
                .writeText("")

            repeat(2) {
                command.start("--version", environment = mapOf("JAVA_HOME" to "$jdk")) shouldBe
                    Ended(0, scripts.version, "")
            }
            asked.readText() shouldBe "\n"
            command.archives().single().fileSize() shouldBe 0
        }

        test("it may be called through a link") {
            val command = scripts.install()
            val link = createTempDirectory(parent, "bin").resolve(name).createSymbolicLinkPointingTo(command.script)

            Installed(link).start("--version").out shouldBe scripts.version
            command.archives() shouldHaveSize 1
        }
    }

/** Folders in [parent] with the script and the jar of command [name]. */
private class Scripts(private val name: String, private val parent: Path) {
    val version: String by lazy { run(listOf("$JAVA_HOME/bin/java", "-jar", "${beside("cli")}", "--version")).out }

    fun install(): Installed {
        val folder = createTempDirectory(parent, "install")
        beside("cli").copyTo(folder.resolve(beside("cli").name), overwrite = true)
        return Installed(Path.of(name).copyTo(folder.resolve(name)))
    }
}

private class Installed(val script: Path) {
    fun start(vararg arguments: String, environment: Map<String, String> = emptyMap()): Ended =
        run(listOf("$script", *arguments), environment)

    fun jar(): Path = script.parent.listDirectoryEntries("*-cli.jar").single()

    fun archives(): List<Path> = script.toRealPath().parent.listDirectoryEntries("*.jsa*")
}

private data class Ended(val exitCode: Int, val out: String, val err: String)

private fun run(command: List<String>, environment: Map<String, String> = emptyMap()): Ended {
    val builder = ProcessBuilder(command)
    builder.environment()["JAVA_HOME"] = JAVA_HOME
    builder.environment() += environment
    val process = builder.start()
    // A few lines at most, so that neither pipe fills while the other one is read.
    val out = process.inputReader().readText()
    val err = process.errorReader().readText()
    return Ended(process.waitFor(), out, err)
}

private fun Path.executable(text: String) {
    writeText("#!/bin/sh\n${text.trimIndent()}\n")
    setPosixFilePermissions(permissions("rwxr-xr-x"))
}

private val JAVA_HOME: String = System.getProperty("java.home")
