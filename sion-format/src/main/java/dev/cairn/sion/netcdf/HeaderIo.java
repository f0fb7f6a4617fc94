package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The fields of a header, all big-endian. {@link HeaderFields} calls one method for each field, in
 * the order on disk, and goes on with the value that the method returns: a writer returns its
 * argument, a reader the value in the file.
 *
 * @param <X> what the methods throw: a reader has much to refuse, a writer nothing
 */
interface HeaderIo<X extends Exception> {

  /** The first 4 bytes. The format decides how wide the fields behind them are. */
  NetcdfFormat magic(NetcdfFormat format) throws X;

  /** The number of records, or {@link Header#STREAMING}. */
  long recordCount(long count) throws X;

  /** A list with a tag, as dimensions, attributes and variables are; or its absence. */
  <T> List<T> list(ListTag tag, List<T> items, T blank, Element<T, X> element) throws X;

  /** A count, and so many elements. */
  <T> List<T> elements(String name, List<T> items, T blank, Element<T, X> element) throws X;

  /** A count, a text in UTF-8, and padding. */
  String name(String name) throws X;

  /** A count or a length, from 0 to {@code most}. */
  long count(String name, long value, long most) throws X;

  NetcdfType type(NetcdfType type) throws X;

  /** The number of values, the values, and padding. */
  ByteBuffer values(NetcdfType type, ByteBuffer cells) throws X;

  /** The size of a variable: readers compute it, since it cannot express all sizes. */
  void size(long size) throws X;

  /** Where a variable begins. */
  long begin(long begin) throws X;

  /** The fields of one element of a list. */
  interface Element<T, X extends Exception> {
    T fields(T item) throws X;
  }
}
