/*
 * The records of `examples/run bench --mpi 4 records`, written by PnetCDF: the processes own blocks of columns, and put them record by
 * record, collectively into the file, or into the logs of its burst buffers, which a flush takes into the file. Prints medians of seconds.
 *
 *   mpicc -O2 -o records-pnetcdf examples/records-pnetcdf.c -lpnetcdf
 *   mpirun -np 4 ./records-pnetcdf /dev/shm/records 64 9          a directory for the file and the logs, MiB, rounds
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { RECORDS = 8, RUN_CELLS = 2048 };

static int rank, size;

static void require(int status, const char *what) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "rank %d: %s failed: %s\n", rank, what, ncmpi_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* When all processes have come here. */
static double now(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static void write_records(const char *path, MPI_Info info, const double *cells, MPI_Offset rows, double *puts, double *flush) {
  int file, dimensions[3], variable;
  require(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &file), "ncmpi_create");
  require(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]), "ncmpi_def_dim");
  require(ncmpi_def_dim(file, "y", rows, &dimensions[1]), "ncmpi_def_dim");
  require(ncmpi_def_dim(file, "x", (MPI_Offset)RUN_CELLS * size, &dimensions[2]), "ncmpi_def_dim");
  require(ncmpi_def_var(file, "columns", NC_DOUBLE, 3, dimensions, &variable), "ncmpi_def_var");
  require(ncmpi_enddef(file), "ncmpi_enddef");
  double begin = now();
  for (int record = 0; record < RECORDS; record++) {
    MPI_Offset start[3] = {record, 0, (MPI_Offset)RUN_CELLS * rank}, count[3] = {1, rows, RUN_CELLS};
    require(ncmpi_put_vara_double_all(file, variable, start, count, cells), "ncmpi_put_vara_double_all");
  }
  double middle = now();
  require(ncmpi_flush(file), "ncmpi_flush");
  double end = now();
  require(ncmpi_close(file), "ncmpi_close");
  *puts = middle - begin;
  *flush = end - middle;
}

static void measure(const char *directory, MPI_Info info, MPI_Offset rows, int rounds, const char *name) {
  double *cells = malloc(rows * RUN_CELLS * sizeof(double)), *puts = malloc(rounds * sizeof(double)), *flushes = malloc(rounds * sizeof(double));
  char path[4096];
  snprintf(path, sizeof path, "%s/records.nc", directory);
  for (MPI_Offset cell = 0; cell < rows * RUN_CELLS; cell++) cells[cell] = (double)(cell + rank);
  for (int round = 0; round < rounds; round++) {
    write_records(path, info, cells, rows, &puts[round], &flushes[round]);
    if (rank == 0) remove(path);
  }
  qsort(puts, rounds, sizeof(double), ascending);
  qsort(flushes, rounds, sizeof(double), ascending);
  if (rank == 0) printf("%s: puts %.3f s, flush %.3f s\n", name, puts[rounds / 2], flushes[rounds / 2]);
  free(flushes);
  free(puts);
  free(cells);
}

int main(int argument_count, char **arguments) {
  MPI_Init(&argument_count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Offset rows = argument_count == 4 ? ((MPI_Offset)atoll(arguments[2]) << 20) / RECORDS / (RUN_CELLS * sizeof(double) * size) : 0;
  int rounds = argument_count == 4 ? atoi(arguments[3]) : 0;
  if (rows < 1 || rounds < 1) {
    fprintf(stderr, "this needs a directory, MiB and rounds\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (rank == 0) mkdir(arguments[1], 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  measure(arguments[1], MPI_INFO_NULL, rows, rounds, "collective");
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "nc_burst_buf", "enable");
  MPI_Info_set(info, "nc_burst_buf_dirname", arguments[1]);
  /* A library without burst buffers ignores the hints, and writes as above: `pnetcdf-config --burst-buffering` tells. */
  measure(arguments[1], info, rows, rounds, "through logs, if the library has burst buffers");
  MPI_Info_free(&info);
  if (rank == 0) remove(arguments[1]);
  MPI_Finalize();
  return 0;
}
