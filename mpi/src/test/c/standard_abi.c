/* The functions that Cairn calls, with the binary interface of MPI 5.0, on top of Debian's MPICH 4, which does not have it.
 * Each one translates handles, constants and MPI_Status, and calls MPICH by its second name. The numbers on the left are those
 * of the standard, chapter "Application Binary Interface"; those on the right are MPICH's.
 *
 *   cc -shared -fPIC -o libmpi_abi.so.1 standard_abi.c -l:libmpich.so.12
 */
#include <stdint.h>
#include <string.h>

/* The version of MPI that it says it is. */
#ifndef MPI
#define MPI 5
#endif

typedef uintptr_t handle;

typedef struct {
  int source, tag, error, reserved[5];
} standard_status;

typedef struct {
  int count[2], source, tag, error;
} mpich_status;

static int to_mpich(handle it) {
  switch (it) {
    case 0x101: return 0x44000000; /* MPI_COMM_WORLD */
    case 0x247: return 0x4c00010d; /* MPI_BYTE */
    case 0x143: return 0x54000001; /* MPI_ERRORS_RETURN */
    case 0x180: return 0x2c000000; /* MPI_REQUEST_NULL */
    default: return (int)it;
  }
}

static handle to_standard(int it) {
  return it == 0x2c000000 ? 0x180 : (handle)(unsigned)it;
}

static int source_to_mpich(int rank) {
  return rank == -1 ? -2 : rank; /* MPI_ANY_SOURCE */
}

static void status_to_standard(const mpich_status *from, standard_status *to) {
  to->source = from->source;
  to->tag = from->tag;
  memcpy(to->reserved, from->count, sizeof from->count);
}

int PMPI_Init_thread(int *, char ***, int, int *);
int MPI_Init_thread(int *count, char ***words, int wanted, int *provided) {
  int code = PMPI_Init_thread(count, words, wanted >> 10, provided); /* MPI_THREAD_FUNNELED: 1024, 1 */
  *provided *= 1024;
  return code;
}

int PMPI_Query_thread(int *);
int MPI_Query_thread(int *provided) {
  int code = PMPI_Query_thread(provided);
  *provided *= 1024;
  return code;
}

int MPI_Get_version(int *version, int *minor) {
  *version = MPI;
  *minor = 0;
  return 0;
}

int MPI_Abi_get_version(int *version, int *minor) {
  *version = 1;
  *minor = 0;
  return 0;
}

int MPI_Get_library_version(char *text, int *length) {
  strcpy(text, "the interface of MPI 5 on MPICH 4");
  *length = (int)strlen(text);
  return 0;
}

int PMPI_Comm_dup(int, int *);
int MPI_Comm_dup(handle comm, handle *copy) {
  int made;
  int code = PMPI_Comm_dup(to_mpich(comm), &made);
  *copy = to_standard(made);
  return code;
}

int PMPI_Comm_split(int, int, int, int *);
int MPI_Comm_split(handle comm, int color, int key, handle *part) {
  int made;
  int code = PMPI_Comm_split(to_mpich(comm), color, key, &made);
  *part = to_standard(made);
  return code;
}

int PMPI_Comm_free(int *);
int MPI_Comm_free(handle *comm) {
  int freed = to_mpich(*comm);
  return PMPI_Comm_free(&freed);
}

int PMPI_Comm_set_errhandler(int, int);
int MPI_Comm_set_errhandler(handle comm, handle handler) {
  return PMPI_Comm_set_errhandler(to_mpich(comm), to_mpich(handler));
}

int PMPI_Comm_rank(int, int *);
int MPI_Comm_rank(handle comm, int *rank) { return PMPI_Comm_rank(to_mpich(comm), rank); }

int PMPI_Comm_size(int, int *);
int MPI_Comm_size(handle comm, int *size) { return PMPI_Comm_size(to_mpich(comm), size); }

int PMPI_Comm_get_attr(int, int, void *, int *);
int MPI_Comm_get_attr(handle comm, int key, void *value, int *flag) {
  return PMPI_Comm_get_attr(to_mpich(comm), key == 501 ? 0x64400001 : key, value, flag); /* MPI_TAG_UB */
}

int PMPI_Iprobe(int, int, int, int *, mpich_status *);
int MPI_Iprobe(int source, int tag, handle comm, int *flag, standard_status *status) {
  mpich_status found = {0};
  int code = PMPI_Iprobe(source_to_mpich(source), tag, to_mpich(comm), flag, &found);
  status_to_standard(&found, status);
  return code;
}

int PMPI_Get_count(const mpich_status *, int, int *);
int MPI_Get_count(const standard_status *status, handle type, int *count) {
  mpich_status asked = {0};
  memcpy(asked.count, status->reserved, sizeof asked.count);
  return PMPI_Get_count(&asked, to_mpich(type), count);
}

int PMPI_Irecv(void *, int, int, int, int, int, int *);
int MPI_Irecv(void *to, int count, handle type, int source, int tag, handle comm, handle *request) {
  int started;
  int code = PMPI_Irecv(to, count, to_mpich(type), source_to_mpich(source), tag, to_mpich(comm), &started);
  *request = to_standard(started);
  return code;
}

int PMPI_Isend(const void *, int, int, int, int, int, int *);
int MPI_Isend(const void *from, int count, handle type, int target, int tag, handle comm, handle *request) {
  int started;
  int code = PMPI_Isend(from, count, to_mpich(type), target, tag, to_mpich(comm), &started);
  *request = to_standard(started);
  return code;
}

int PMPI_Test(int *, int *, mpich_status *);
int MPI_Test(handle *request, int *flag, standard_status *status) {
  mpich_status found = {0};
  int started = to_mpich(*request);
  int code = PMPI_Test(&started, flag, &found);
  *request = to_standard(started);
  status_to_standard(&found, status);
  return code;
}

int PMPI_Error_class(int, int *);
int MPI_Error_class(int code, int *error) {
  int result = PMPI_Error_class(code, error);
  *error = *error == 14 ? 15 : *error == 34 ? 39 : *error; /* MPI_ERR_TRUNCATE, MPI_ERR_NO_MEM */
  return result;
}

int PMPI_Abort(int, int);
int MPI_Abort(handle comm, int code) { return PMPI_Abort(to_mpich(comm), code); }

/* These have no handles, and the interface of MPICH: Error_string, Initialized, Finalized, Finalize, Is_thread_main and
 * Get_processor_name are found in the library below this one. */
