package mpi;

import java.nio.Buffer;

public class Comm {
  Comm() {}

  public final native int getRank() throws MPIException;

  public final native int getSize() throws MPIException;

  public native Comm dup() throws MPIException;

  public final native void free() throws MPIException;

  public final native void abort(int errorCode) throws MPIException;

  public final native void setErrhandler(Errhandler handler) throws MPIException;

  public final native Object getAttr(int key) throws MPIException;

  public final native void barrier() throws MPIException;

  public final native Status iProbe(int source, int tag) throws MPIException;

  public final native Request iRecv(Buffer buffer, int count, Datatype type, int source, int tag)
      throws MPIException;

  public final native Request iSend(Buffer buffer, int count, Datatype type, int target, int tag)
      throws MPIException;

  public final native void send(Object buffer, int count, Datatype type, int target, int tag)
      throws MPIException;

  public final native Status recv(Object buffer, int count, Datatype type, int source, int tag)
      throws MPIException;

  public final native Status sendRecv(
      Object sent,
      int sentCount,
      Datatype sentType,
      int target,
      int sentTag,
      Object received,
      int receivedCount,
      Datatype receivedType,
      int source,
      int receivedTag)
      throws MPIException;

  public final native void allReduce(
      Object sent, Object received, int count, Datatype type, Op operation) throws MPIException;
}
