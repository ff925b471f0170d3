const headEnd = Buffer.from('\r\n\r\n');
export const noBytes = Buffer.alloc(0);
/**
 * Bytes of a chunked body that the parser gets at once. Only the parser knows where such a body
 * ends, and as many bytes behind it are at most ten requests.
 */
const chunkedPartBytes = 256;

/** Where the parser is: in a body with so many bytes left (Infinity: chunked), or in a head. */
interface Place {
  readonly bodyLeft: number;
  /** The last bytes of the head that the parser got already. */
  readonly headTail: Buffer;
}

/**
 * Returns how many of the bytes the parser gets next: the rest of a head, or a part of one body.
 * @param mostOfBody maximum number of bytes of a body.
 */
export const nextPart = (
  bytes: Buffer,
  { bodyLeft, headTail }: Place,
  mostOfBody: number,
): { readonly end: number; readonly isBody: boolean; readonly headTail: Buffer } => {
  if (bodyLeft > 0) {
    const most = bodyLeft === Number.POSITIVE_INFINITY ? chunkedPartBytes : bodyLeft;
    return { end: Math.min(bytes.length, most, mostOfBody), isBody: true, headTail: noBytes };
  }
  // the end of a head can be split between two reads
  const seen = headTail.length > 0 ? Buffer.concat([headTail, bytes]) : bytes;
  const at = seen.indexOf(headEnd);
  if (at >= 0)
    return { end: at + headEnd.length - headTail.length, isBody: false, headTail: noBytes };
  // a copy, which does not keep the complete read in memory
  const tail = Buffer.from(seen.subarray(1 - headEnd.length));
  return { end: bytes.length, isBody: false, headTail: tail };
};
