# shellcheck shell=bash disable=SC2034
# What the scripts beside this file share, which source it: they build a module and start its programs, also under an MPI.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mpi=$root/.mpi/lib

fail() {
  echo "examples/${0##*/}: $*" >&2
  exit 1
}

misuse() {
  echo "examples/${0##*/}: $*" >&2
  exit 2
}

# Builds the module in folder $1 and what it needs, if a source is newer than its jar. A build by hand, such as 'mvn install', is as good.
# Afterwards, target is its folder for what is made, and class_path has its classes.
build() {
  target=$root/$1/target
  local jar
  jar=$(find_jar "$1")
  if [[ -z $jar ]] || sources_are_newer "$jar"; then
    echo "Building; the first time this takes a minute or two ..." >&2
    rm -rf "${target:?}/lib" # jars under older names would stay on the class path
    mvn -f "$root/pom.xml" -q -B -DskipTests -Dspecs.skip=true -pl "$1" -am package >&2
    jar=$(find_jar "$1")
    touch "$jar" # Maven keeps a jar whose own classes are the same
  fi
  class_path="$jar:$target/lib/*"
}

find_jar() {
  find "$target" -maxdepth 1 -name "${1##*/}-*.jar" -print -quit 2>/dev/null || true
}

sources_are_newer() {
  [[ -n $(find "$root"/pom.xml "$root"/*/{pom.xml,src/main} "$root"/*/*/{pom.xml,src/main} -newer "$1" -print -quit) ]]
}

# When it is killed, Open MPI leaves files behind; they are where this script deletes them.
make_scratch() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

get_bindings() {
  if [[ ! -e $mpi/mpi.jar ]]; then
    echo "Open MPI's Java bindings are not here yet; mpi/setup gets them ..." >&2
    "$root/mpi/setup" >&2
  fi
}

# A java of version 22 or later, which can call libmpi: that of this shell, or one of those that the build finds.
newer_java() {
  local home
  for home in "${JAVA_HOME-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" "${JAVA25_HOME-}" /usr/lib/jvm/*; do
    if grep -qsE '^JAVA_VERSION="?(2[2-9]|[3-9][0-9])' "$home/release"; then
      echo "$home/bin/java"
      return
    fi
  done
}

need_newer_java() {
  java22=$(newer_java)
  [[ -n $java22 ]] || fail "$1 needs Java 22 or later: install a JDK and name it with JAVA25_HOME$2."
}

first_command() {
  local name
  for name in "$@"; do
    command -v "$name" && return
  done
  return 1
}

is_open_mpi() {
  [[ $("$1" --version 2>&1) =~ Open\ MPI|OpenRTE ]]
}

# Which MPI, by the word behind --mpi, or if it is empty the one that is here; and the java for it.
choose_mpi() {
  local wanted=$1
  make_scratch
  case $wanted in
    "" | openmpi | mpich | bindings) ;;
    *) misuse "there is no MPI '$wanted': say openmpi, mpich or bindings, or nothing." ;;
  esac
  if [[ $wanted == bindings || -z $wanted && -z $(newer_java) ]]; then
    get_bindings
    way=bindings
    return
  fi
  need_newer_java "--mpi $wanted" ", or say '--mpi bindings'"
  if [[ $wanted != mpich ]] && launcher=$(first_command mpirun.openmpi mpirun) && is_open_mpi "$launcher"; then
    way=openmpi
  elif [[ $wanted != openmpi ]] && launcher=$(first_command mpiexec.mpich mpiexec.hydra mpiexec); then
    way=mpich
  else
    fail "there is no launcher of ${wanted:-an MPI} here: install openmpi-bin or mpich."
  fi
}

# The commands that start $1 processes: start, of any program, and processes, of the class that is named behind it. The network
# layer UCX would take signals that a virtual machine needs.
launch() {
  local open_mpi=(--allow-run-as-root --oversubscribe --mca btl_vader_backing_directory "$scratch")
  local foreign=(env UCX_ERROR_SIGNALS= "${java22-}" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED
    -Dcairn.transport=libmpi -cp "$class_path")
  start=(env TMPDIR="$scratch")
  case $way in
    bindings)
      start+=(mpirun "${open_mpi[@]}" -np "$1")
      processes=("${start[@]}" env java -XX:+UseSerialGC -Dcairn.transport=mpi.jar -Djava.library.path="$mpi"
        -cp "$class_path:$mpi/mpi.jar")
      ;;
    openmpi)
      start+=("$launcher" "${open_mpi[@]}" -np "$1")
      processes=("${start[@]}" "${foreign[@]}")
      ;;
    mpich)
      start+=("$launcher" -np "$1")
      processes=("${start[@]}" "${foreign[@]}")
      ;;
  esac
}
