package dev.cairn.cli

/** A job script to start from, for each job system. */
internal enum class JobScript(private val head: String, private val end: String) {
    SLURM(
        """
        #!/bin/bash
        #SBATCH --job-name=heat
        #SBATCH --nodes=4
        #SBATCH --ntasks-per-node=8
        #SBATCH --time=12:00:00
        #SBATCH --requeue              # the job may be started again, by Slurm or below
        #SBATCH --open-mode=append     # the output of all starts is in one file
        #SBATCH --signal=B:USR1@300    # asks this script for a save 5 minutes before the end

        restarts=${'$'}{SLURM_RESTART_COUNT:-0}
        # Any number of ranks goes on from the last save, such as ${'$'}((SLURM_NTASKS >> restarts)).
        ranks=${'$'}SLURM_NTASKS
        """,
        """
        # 75: saved and ended before the job does, and steps are left. 205: Open MPI's mpirun has lost a node.
        case ${'$'}code in
          75 | 205)
            if [ "${'$'}restarts" -lt 100 ]; then
              scontrol requeue "${'$'}SLURM_JOB_ID"
            else
              echo "heat: not requeued after ${'$'}restarts restarts. Submit this script again to continue." >&2
            fi ;;
        esac
        exit ${'$'}code
        """,
    ),
    PBS(
        """
        #!/bin/bash
        # Untested: Cairn was never run under PBS.
        #PBS -N heat
        #PBS -l select=4:ncpus=8:mpiprocs=8
        #PBS -l walltime=12:00:00
        #PBS -r y

        cd "${'$'}PBS_O_WORKDIR"
        # PBS does not tell when the job ends: 12 hours from now, as in walltime above.
        export CAIRN_ENDS_AT=${'$'}((${'$'}(date +%s) + 12 * 3600))
        ranks=32
        """,
        """
        # 75: saved and ended before the job does, and steps are left. heat.job is the name of this script.
        [ ${'$'}code -eq 75 ] && qsub -W depend=afterany:"${'$'}PBS_JOBID" heat.job
        exit ${'$'}code
        """,
    ),
    LSF(
        """
        #!/bin/bash
        # Untested: Cairn was never run under LSF.
        #BSUB -J heat
        #BSUB -n 32
        #BSUB -W 12:00
        #BSUB -r                       # LSF starts the job again when a host has failed
        #BSUB -Q "75"                  # and when it has saved and ended before its time is over

        # LSF does not tell when the job ends: 12 hours from now, as in -W above.
        export CAIRN_ENDS_AT=${'$'}((${'$'}(date +%s) + 12 * 3600))
        ranks=32
        """,
        """
        exit ${'$'}code
        """,
    ),
    ;

    /**
     * USR1 asks for a save by a file, since it would end a launcher and ranks that have just been started. It interrupts the shell's wait,
     * after which it waits again.
     */
    fun text(): String = listOf(head, RUN, end).joinToString("\n\n") { it.trimIndent() }
}

private const val RUN =
    """
    trap 'touch heat.cairn.save' USR1
    mpirun -np "${'$'}ranks" env UCX_ERROR_SIGNALS= java --enable-native-access=ALL-UNNAMED \
      -cp heat.jar HeatKt --dir heat.cairn --every auto &
    run=${'$'}!
    wait ${'$'}run
    while kill -0 ${'$'}run 2> /dev/null; do wait ${'$'}run; done
    wait ${'$'}run
    code=${'$'}?
    """
