package dev.cairn.sion.fuzz

import com.code_intelligence.jazzer.api.HookType
import com.code_intelligence.jazzer.api.MethodHook
import dev.cairn.sion.layout.FileNames
import java.lang.invoke.MethodHandle
import java.nio.file.Path

/** The bound of every structure lets one byte too few pass. */
object OffByOne {
    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.field.FileReader",
        targetMethod = "require",
    )
    fun require(method: MethodHandle, reader: Any?, arguments: Array<Any?>, hook: Int) {
        method.invokeWithArguments(reader, arguments[0], arguments[1] as Long - 1)
    }
}

/** The size of the mapping is worked out in 32 bits. */
object OverflowingSize {
    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.format.MappingTable",
        targetMethod = "size",
        targetMethodDescriptor = "(I)J",
    )
    fun size(method: MethodHandle, nobody: Any?, arguments: Array<Any?>, hook: Int): Long =
        (8 * arguments[0] as Int).toLong()
}

/** Local ranks of the mapping are believed. */
object MissingBound {
    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.file.FileSet",
        targetMethod = "requireLocalRank",
    )
    fun requireLocalRank(method: MethodHandle, files: Any?, arguments: Array<Any?>, hook: Int) = Unit
}

/** The first byte of a block is looked for in the block before. */
object EndlessLoop {
    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.format.BlockTable",
        targetMethod = "blockAt",
    )
    fun blockAt(method: MethodHandle, blocks: Any?, arguments: Array<Any?>, hook: Int): Int {
        val (task, position) = arguments
        return method.invokeWithArguments(blocks, task, maxOf(0, position as Long - 1)) as Int
    }
}

/** The other physical files, but not those of copies, are looked for under the name that META1 has. */
object EscapingPath {
    private var prefix = ""

    @JvmStatic
    @MethodHook(
        type = HookType.AFTER,
        targetClassName = "dev.cairn.sion.format.FileHeader",
        targetMethod = "text",
    )
    fun text(method: MethodHandle, reader: Any?, arguments: Array<Any?>, hook: Int, found: String) {
        prefix = found
    }

    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.layout.FileNames",
        targetMethod = "physical",
    )
    fun physical(method: MethodHandle, nobody: Any?, arguments: Array<Any?>, hook: Int): Path {
        val (multifile, fileNumber) = arguments
        val believed =
            if (multifile ==
                HostileFiles.MULTIFILE
            ) {
                HostileFiles.MULTIFILE.resolveSibling(prefix)
            } else {
                multifile
            }
        return FileNames.physical(believed as Path, fileNumber as Int)
    }
}

/** The counts in heads of logs are believed. */
object MissingHeadBound {
    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.field.MemoryReader",
        targetMethod = "require",
    )
    fun require(method: MethodHandle, reader: Any?, arguments: Array<Any?>, hook: Int) = Unit

    @JvmStatic
    @MethodHook(
        type = HookType.REPLACE,
        targetClassName = "dev.cairn.sion.field.FieldIo",
        targetMethod = "require",
    )
    fun requireRow(method: MethodHandle, reader: Any?, arguments: Array<Any?>, hook: Int) = Unit
}
