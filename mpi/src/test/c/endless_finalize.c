/* An MPI whose MPI_Finalize returns on no rank, or not on the rank that LINGERS names: it never gets to the real one, for which the
 * others wait.
 *
 *   cc -shared -fPIC -o endless.so endless_finalize.c -l:libmpich.so.12      or any other libmpi
 */
#include <stdlib.h>
#include <unistd.h>

int PMPI_Finalize(void);

int MPI_Finalize(void) {
  const char *rank = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
  const char *lingers = getenv("LINGERS");
  if (lingers && atoi(rank) != atoi(lingers)) return PMPI_Finalize();
  for (;;) pause();
}
