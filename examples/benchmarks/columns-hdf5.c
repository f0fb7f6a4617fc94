/*
 * The array of `examples/bench --mpi 4 columns`, written by HDF5: the processes own blocks of columns, and write them together into one
 * contiguous data set, with MPI-IO's collective buffering ("two-phase"), or each for itself. Prints medians of seconds.
 *
 *   h5pcc -O2 -o columns-hdf5 examples/columns-hdf5.c
 *   mpirun -np 4 ./columns-hdf5 /dev/shm/columns.h5 256 9          the file, MiB, rounds
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void require(int is_met, const char *what) {
  if (is_met) return;
  fprintf(stderr, "rank %d: %s failed\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* One file: created, written, and closed by all. */
static void write_columns(const char *path, const double *cells, hsize_t rows, hsize_t run_cells, H5FD_mpio_xfer_t transfer) {
  hsize_t shape[2] = {rows, run_cells * size}, box[2] = {rows, run_cells}, start[2] = {0, run_cells * rank};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), how = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(how, transfer);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  require(file >= 0, "H5Fcreate");
  hid_t in_file = H5Screate_simple(2, shape, NULL), in_memory = H5Screate_simple(2, box, NULL);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, box, NULL);
  hid_t columns = H5Dcreate2(file, "columns", H5T_NATIVE_DOUBLE, in_file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  require(columns >= 0, "H5Dcreate2");
  require(H5Dwrite(columns, H5T_NATIVE_DOUBLE, in_memory, in_file, how, cells) >= 0, "H5Dwrite");
  H5Dclose(columns);
  H5Sclose(in_memory);
  H5Sclose(in_file);
  require(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush");
  require(H5Fclose(file) >= 0, "H5Fclose");
  H5Pclose(how);
  H5Pclose(access);
}

static void measure(const char *path, hsize_t byte_count, hsize_t run_bytes, int rounds, H5FD_mpio_xfer_t transfer, const char *name) {
  hsize_t run_cells = run_bytes / sizeof(double), rows = byte_count / (run_bytes * size);
  double *cells = malloc(rows * run_bytes), *seconds = malloc(rounds * sizeof(double));
  require(cells != NULL && seconds != NULL, "malloc");
  for (hsize_t row = 0; row < rows; row++)
    for (hsize_t cell = 0; cell < run_cells; cell++)
      cells[row * run_cells + cell] = (double)((row * size + rank) * run_cells + cell);
  for (int round = 0; round < rounds; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    write_columns(path, cells, rows, run_cells, transfer);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds[round] = MPI_Wtime() - begin;
    if (rank == 0) remove(path);
  }
  qsort(seconds, rounds, sizeof(double), ascending);
  if (rank == 0) printf("runs of %llu bytes, %s: %.3f s\n", (unsigned long long)run_bytes, name, seconds[rounds / 2]);
  free(seconds);
  free(cells);
}

int main(int argument_count, char **arguments) {
  MPI_Init(&argument_count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  require(argument_count == 4, "this needs three arguments, the file, MiB and rounds, or it");
  hsize_t byte_count = (hsize_t)atoll(arguments[2]) << 20;
  int rounds = atoi(arguments[3]);
  require(byte_count > 0 && rounds > 0, "MiB and rounds must be above 0, or it");
  for (hsize_t run_bytes = 16 << 10; run_bytes >= 1 << 10; run_bytes >>= 4) {
    measure(arguments[1], byte_count, run_bytes, rounds, H5FD_MPIO_COLLECTIVE, "collective");
    measure(arguments[1], byte_count, run_bytes, rounds, H5FD_MPIO_INDEPENDENT, "each for itself");
  }
  MPI_Finalize();
  return 0;
}
