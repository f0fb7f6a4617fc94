package dev.cairn.store

import java.nio.file.Path
import java.util.UUID

/**
 * The names inside a store of checkpoints. Names are made from numbers and compared with these, never followed from what
 * a file says, so none of them can lead elsewhere.
 */
internal object SaveNames {
    const val LOCK = "lock"
    const val OWNER = "owner.json"
    const val REQUESTS = "requests"
    const val DISPLACED = "displaced"

    /** The files of outputs that are kept for saves which a restart has passed over. */
    const val KEPT_OUTPUTS = "kept-outputs.json"
    const val NEW_KEPT_OUTPUTS = "kept-outputs.json.new"

    /** The identity of the store on the disks of hosts. It stays when the store is moved. */
    const val IDENTITY = "identity"
    const val NEW_IDENTITY = "identity.new"

    /** The events of all programs that wrote into the store, and those before them. */
    const val EVENTS = "events.jsonl"
    const val OLDER_EVENTS = "events.1.jsonl"
    const val MANIFEST = "manifest.json"

    /**
     * Exists from the beginning of a save until its commit, which renames it, and again during a deletion, which
     * renames it back. So data with neither manifest have lost theirs.
     */
    const val NEW_MANIFEST = "manifest.json.new"

    /** A replacement for a present or former manifest. */
    const val REBOUND_MANIFEST = "manifest.json.rebound"
    const val DATA = "data.sion"

    /** The manifest of a save whose data are complete and forced on its hosts; a commit makes it obsolete. */
    const val SEAL = "sealed.json"
    const val NEW_SEAL = "sealed.json.new"

    /** Where each host keeps its part of a sealed save, and the checksum of its meta data; a restart needs it. */
    const val HOSTS = "hosts"
    const val PIN = "pinned"
    const val FAILURE = "failed"
    private const val DIGITS = 6

    private val ofStore =
        setOf(LOCK, OWNER, REQUESTS, DISPLACED, KEPT_OUTPUTS, NEW_KEPT_OUTPUTS, IDENTITY, NEW_IDENTITY) +
            setOf(EVENTS, OLDER_EVENTS)
    private val prepared = Regex("(owner\\.json|lock)\\.[0-9a-f-]+\\.new")
    private val dataFile = Regex("data\\.sion(_BUDDY_[0-9]{2,})?(\\.[0-9]{6,})?")
    private val part = Regex("data\\.sion(\\.[0-9]{6,})?\\.[0-9a-f-]{36}\\.part")
    private val original = Regex("data\\.sion(\\.[0-9]{6,})?")
    private val notes = setOf(MANIFEST, NEW_MANIFEST, REBOUND_MANIFEST, SEAL, NEW_SEAL, HOSTS, PIN, FAILURE)

    fun directory(number: Int): String = "$number".padStart(DIGITS, '0')

    /** The multifile of the save [number] in [store]. */
    fun data(store: Path, number: Int): Path = store.resolve(directory(number)).resolve(DATA)

    /** The save number of a directory of this name, or null if it is not a save's name. */
    fun numberOf(name: String): Int? = name.toIntOrNull()?.takeIf { it > 0 && directory(it) == name }

    /** Each owner prepares its text under a name of its own, so that two of them never write into one file. */
    fun newOwner(identity: String): String = "$OWNER.$identity.new"

    /** A lock that takes the place of one that is held is made under a name of its own, too. */
    fun newLock(identity: String): String = "$LOCK.$identity.new"

    /** Whether a file of this name was to become the owner's note or lock. */
    fun isPrepared(name: String): Boolean = prepared.matches(name)

    /** Whether a file of this name belongs to the store itself. */
    fun isOfStore(name: String): Boolean = name in ofStore || isPrepared(name)

    /** Each program that drains [file] makes a copy of its own, which gets the name when it is whole. */
    fun part(file: Path, copy: UUID): String = "${file.fileName}.$copy.part"

    /** Whether a file of this name is a copy that never became whole, or not yet. */
    fun isPart(name: String): Boolean = part.matches(name)

    /** Whether a file of this name inside a save's directory is part of the save, and is deleted with it. */
    fun isOfSave(name: String): Boolean = name in notes || isData(name) || isPart(name)

    /** Whether a file of this name is one of the multifile that holds a save's data. */
    fun isData(name: String): Boolean = dataFile.matches(name)

    /** As [isData], but a buddy's copy is none. */
    fun isOriginal(name: String): Boolean = original.matches(name)
}

/** The last part of a path, as text. */
internal val Path.name: String get() = fileName.toString()
