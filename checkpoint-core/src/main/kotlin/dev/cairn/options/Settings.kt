package dev.cairn.options

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.MOST_BYTES_OF_EVENTS
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Grouping
import dev.cairn.state.LostOutputs
import java.nio.file.Path
import kotlin.properties.PropertyDelegateProvider
import kotlin.time.Duration.Companion.days

/** All settings. Keys, variables, options, lists and error messages are derived from this table. */
internal object Settings {
    private val simulations = mutableListOf<Setting<*>>()
    private val loops = mutableListOf<Setting<*>>()
    private val checkpoints = mutableListOf<Setting<*>>()

    val DIR by simulation(directories(), "the directory of the checkpoints")

    val RANKS by simulation(counts(), 1, "the number of ranks, as coroutines of this process")

    val DEDICATED by simulation(
        dedicatedRanks().or("none"),
        "which ranks are given up: they write what the others save",
    )

    val EVERY by loop(intervals(), Every.Never, "save after every N-th step; auto: as often as it costs least")

    val EVERY_SECONDS by loop(seconds().or("never"), "save after this many seconds since the last save")

    val MTBF by loop(seconds(), 365.days, "for every = auto: the mean time between failures of one host")

    val OVERHEAD by loop(shares().or("none"), "for every = auto: the largest share of the time that saves may take")

    val FRESH by loop(switches(), false, "begin at step 0, and ignore existing checkpoints")

    val FROM by loop(counts().or("newest"), "the save to restore; later ones stay as another branch")

    val PROGRESS by loop(switches(), false, "show a line about the steps and saves, on a terminal")

    val SIGNALS by
        loop(
            words("caught" to true, "left" to false),
            true,
            "whether USR1, TERM and INT ask for saves and stops, or are left to the program",
        )

    val GO_ON by loop(switches(), false, "continue a loop that the program ended early")

    val HOLD_AT by loop(stepCounts().or("never"), "for trials: save after this step, and then wait to be killed")

    val HOLD_HEAP by loop(paths("DIR").or("none"), "for trials: the directory where held processes write their heaps")

    val FILES by save(dataFiles(), DataFiles.auto(), "the number of physical files of a checkpoint")

    val BLOCK_SIZE by save(blockSizes().or("auto"), "the alignment of chunks in bytes")

    val CHUNK_SIZE by save(byteSizes(1, LARGEST_CHUNK).or("exact"), "the size of a rank's chunks")

    val GROUPING by save(groupings(), Grouping.whereSmall(), "groups of ranks that share blocks, with one writer each")

    val CONCENTRATE by save(concentrators().or("none"), "which ranks write the fields for all ranks")

    val DURABILITY by
        save(
            words("power-loss" to ForcePolicy.ON_CLOSE, "kill" to ForcePolicy.NEVER),
            ForcePolicy.ON_CLOSE,
            "the failure that a checkpoint survives: loss of power, or only of the process",
        )

    val VERIFY_SNAPSHOT by save(switches(), false, "read the state again after it is written, and refuse changes")

    val CHECK_RESTART by save(switches(), false, "restore the first two saves into the running program, and compare")

    val KEEP_LAST by save(keptCounts(), 2, "the number of newest good checkpoints that are kept")

    val KEEP_EVERY by save(counts().or("never"), "every N-th save is kept permanently")

    val TAKE_OVER by save(switches(), false, "take the directory from an owner that may be alive")

    val MEMORY by
        save(
            byteSizes(FRAME_SIZE.toLong()),
            DEFAULT_MEMORY,
            "the maximum size of a process's buffers for saves and restores",
        )

    val LIMIT_SECONDS by save(seconds().or("auto"), "the time that a save or restore waits for a rank")

    val LOST_OUTPUTS by
        save(constants(), LostOutputs.REFUSE, "the action of a restart for an output that is missing or replaced")

    val EVENTS by save(paths("FILE").or("none"), "the file to which each event is appended as a line of JSON")

    val KEEP_EVENTS by
        save(
            eventSizes(),
            1L shl 20,
            "the size at which the store's file of events is begun anew; 0: the store keeps no events",
        )

    val WAIT by
        save(
            constants<Wait>().or("auto"),
            "how long a save blocks the program; auto: until copied in saveAsync and with dedicated ranks, " +
                "otherwise until committed",
        )

    val WHEN_BUSY by
        save(constants(), WhenBusy.WAIT, "what to do with a save while the one before is still being written")

    val SNAPSHOT_MEMORY by save(byteSizes(0).or("auto"), "the maximum size of a process's copies of its state")

    val LOCAL by save(paths("DIR").or("none"), "the directory of each host that takes saves before the shared one does")

    val LOST_LOCAL by
        save(constants(), LostLocal.REFUSE, "the action of a restart for a save whose hosts cannot all be reached")

    val LOCAL_COPIES by save(localCopies(), LocalCopies.none(), "the copies of each host's file on other hosts")

    val FAILURE_GROUPS by
        save(
            failureGroups(),
            FailureGroups.hosts(),
            "the part of a host's name that is the same for hosts that fail together",
        )

    val LOCAL_KEEP by save(counts(), 2, "the number of saves that hosts keep, besides the one that is being written")

    val LOCAL_LIMIT by save(byteSizes(1).or("none"), "the bytes that saves may take on a host")

    val ON_FULL by save(constants(), OnFull.WAIT, "what to do with a save that has no room on the hosts")

    val DRAIN by
        save(drainRules(), DrainRule.newest(), "which saves on the disks of the hosts are drained and committed")

    val DRAIN_RATE by save(byteSizes(1).or("unlimited"), "the bytes that each host drains in a second")

    val STAGE by
        save(
            stages().or("declared"),
            "where NetCDF outputs wait: a directory of each host, or the memory of the ranks",
        )

    val STAGE_ROOM by
        save(
            byteSizes(1).or("declared"),
            "the bytes that a rank keeps in logs of an output before an append writes them",
        )

    val ENDS_AT by
        save(
            endsOfJobs(),
            EndsAt.Auto,
            "when the job ends: before that the program saves and stops; auto: as the job system says",
        )

    val TIME_LIMIT by save(seconds().or("none"), "the time from the start of the job to its end")

    val OF_CHECKPOINTS: List<Setting<*>> = loops + checkpoints

    /** Those of a program of one process, whose directory a setting may move. */
    val OF_SOLO: List<Setting<*>> = listOf<Setting<*>>(DIR) + OF_CHECKPOINTS

    val ALL: List<Setting<*>> = simulations + OF_CHECKPOINTS

    /** A setting of a simulation, which begins before there are checkpoints. */
    private fun <T> simulation(kind: ValueKind<T>, default: T, meaning: String) =
        named(simulations, kind, default, meaning)

    private fun <T> simulation(kind: ValueKind<T?>, meaning: String) = simulation(kind, null, meaning)

    /** A setting of a loop. */
    private fun <T> loop(kind: ValueKind<T>, default: T, meaning: String) = named(loops, kind, default, meaning)

    private fun <T> loop(kind: ValueKind<T?>, meaning: String) = loop(kind, null, meaning)

    /** A setting of checkpoints. */
    private fun <T> save(kind: ValueKind<T>, default: T, meaning: String) = named(checkpoints, kind, default, meaning)

    private fun <T> save(kind: ValueKind<T?>, meaning: String) = save(kind, null, meaning)

    /** A setting that is named after its property, in [group]. */
    private fun <T> named(group: MutableList<Setting<*>>, kind: ValueKind<T>, default: T, meaning: String) =
        PropertyDelegateProvider<Settings, Setting<T>> { _, property ->
            Setting(property.name.lowercase().replace('_', '-'), kind, default, meaning).also(group::add)
        }
}

/** More in a file than file systems take, already with a few ranks. */
private const val LARGEST_CHUNK = 1L shl 40

/** Null stands for the default, which contains the program's name. */
private fun directories(): ValueKind<Path?> =
    ValueKind("a path", "DIR", print = { it?.toString() ?: "NAME.cairn" }, read = ::pathOf)

private fun paths(placeholder: String): ValueKind<Path> = ValueKind("a path", placeholder, read = ::pathOf)

/** A function cannot be written down, so only a program can set one. */
private fun intervals(): ValueKind<Every> =
    ValueKind("a whole number of at least 1, auto, or never", "N|auto", { it !is Every.Steps || it.count >= 1 }) {
        listOf(Every.Never, Every.Auto).find { named -> "$named" == it } ?: Every.Steps(it.toLong())
    }

private fun stages(): ValueKind<OutputStage> =
    ValueKind("a path, or ${OutputStage.Memory}", "DIR|${OutputStage.Memory}") {
        if (it == "${OutputStage.Memory}") OutputStage.Memory else OutputStage.Logs(pathOf(it))
    }

private fun dataFiles(): ValueKind<DataFiles> =
    ValueKind(
        "a whole number of at least 1, ${FILES_BY_NAME[0]}, or ${FILES_BY_NAME[1]}",
        "N|auto|per-host",
        { it !is DataFiles.Count || it.count >= 1 },
    ) { text -> FILES_BY_NAME.find { "$it" == text } ?: DataFiles.count(text.toInt()) }

private val FILES_BY_NAME = listOf(DataFiles.auto(), DataFiles.perHost())

private fun endsOfJobs(): ValueKind<EndsAt> =
    ValueKind(
        "a time such as 2027-01-31T18:00:00+01:00, seconds since 1970, auto, or none",
        "TIME",
        read = EndsAt::parse,
    )

private fun localCopies(): ValueKind<LocalCopies> =
    ValueKind("N or at-most-N, with a whole number", "N|at-most-N", read = LocalCopies::parse)

private const val RULES_OF_RANKS = "per-host:N, every:N, total:N or ranks:A+B, with whole numbers"

private fun concentrators(): ValueKind<Concentrators> =
    ValueKind(
        "$RULES_OF_RANKS; then perhaps :near",
        "RULE:N",
        print = Concentrators::setting,
        read = Concentrators::parse,
    )

private fun dedicatedRanks(): ValueKind<Concentrators> =
    ValueKind(RULES_OF_RANKS, "RULE:N", { !it.areNear }, Concentrators::setting, Concentrators::parse)

private fun drainRules(): ValueKind<DrainRule> =
    ValueKind("newest, every, a whole number of at least 2, or none", "newest|every|N|none", read = DrainRule::parse)

/** A function cannot be written down, so only a program can set one. */
private fun failureGroups(): ValueKind<FailureGroups> =
    ValueKind("a regular expression, or ${FailureGroups.hosts()}", "REGEX", read = FailureGroups::parse)

/** A larger file could not be read by a report. */
private fun eventSizes(): ValueKind<Long> {
    val sizes = byteSizes(0)
    val most = MOST_BYTES_OF_EVENTS.toLong()
    val allowed = "a number of bytes from 0 to ${sizes.print(most)}"
    return ValueKind(allowed, sizes.placeholder, { it in 0..most }, sizes.print, sizes.read)
}

private fun blockSizes(): ValueKind<Int> {
    val sizes = byteSizes(1, Int.MAX_VALUE.toLong())
    return ValueKind(sizes.allowed, sizes.placeholder, { it >= 1 }, { sizes.print(it.toLong()) }) {
        val size = sizes.read(it)
        require(sizes.isAllowed(size))
        size.toInt()
    }
}

/** An approximate group size, or a rule; merged groups cannot hold a checkpoint. */
private fun groupings(): ValueKind<Grouping> {
    val rules = listOf(Grouping.whereSmall(), Grouping.few(), Grouping.none())
    return ValueKind(
        rules.joinToString(postfix = " or a whole number of at least 1"),
        "RULE|N",
        { it in rules || ABOUT.matches("$it") },
        { "$it".removePrefix("about ") },
    ) { text -> rules.find { "$it" == text } ?: Grouping.ofAbout(text.toInt()) }
}

private val ABOUT = Regex("about [0-9]+")

/** A single checkpoint needs a word of its own, since then one damaged file ends the run. */
private fun keptCounts(): ValueKind<Int> =
    ValueKind(
        "a whole number of at least 2, or $ONLY_NEWEST",
        "N",
        { it >= 1 },
        { if (it == 1) ONLY_NEWEST else "$it" },
    ) { text -> if (text == ONLY_NEWEST) 1 else text.toInt().also { require(it >= 2) } }

private const val ONLY_NEWEST = "only-newest"

private const val DEFAULT_MEMORY = FramePool.DEFAULT_COUNT * FRAME_SIZE.toLong()
