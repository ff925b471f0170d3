import { checkPixels } from './pixels.ts';
import { reject } from './reject.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const temporary = 0x01;
const application2 = 0xe2;
/** Begins a segment of the Multi-Picture Format (CIPA DC-007). */
const multiPicture = Buffer.from('MPF\0');
/** Frames that browsers and phones read: baseline, extended and progressive (SOF0 to SOF2). */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic-coded frames, which browsers do not read. */
const unsupportedFrames: ReadonlySet<number> = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/**
 * Checks the structure of a JPEG picture, without its pixels.
 *
 * Metadata (Exif, XMP, ICC profiles, comments) is accepted: phones write it, and no program runs
 * its content. An artifact is served as attachment with its checked media type and `nosniff` only,
 * so no browser reads XMP as XML or HTML. Further pictures after the first one are accepted if the
 * first one announces them (Multi-Picture Format), as phones do for a gain map.
 * @throws Failure for a broken segment, an unsupported frame, too many pixels, or data after the
 *   end.
 */
export const checkJpeg = (bytes: Buffer, isFurther = false): void => {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage || bytes[2] !== 0xff)
    reject('the content is not a JPEG picture: send its media type, or a JPEG picture');
  let framed = false;
  let scanned = false;
  let isMulti = isFurther;
  for (let at = 2; ; ) {
    const { marker, end: data } = markerAt(bytes, at);
    if (marker === endOfImage) {
      if (!scanned) reject('the JPEG picture has no scan: export the picture again');
      if (data === bytes.length) return;
      const rest = bytes.subarray(data);
      if (!isMulti || rest[0] !== 0xff || rest[1] !== startOfImage) reject(trailing(rest.length));
      checkJpeg(rest, true);
      return;
    }
    if (marker === startOfImage || marker === 0 || marker === temporary || isRestart(marker))
      reject(`the JPEG picture has an unexpected marker at byte ${at}: export it again`);
    const segment = segmentAt(bytes, data);
    if (unsupportedFrames.has(marker) || (frames.has(marker) && framed))
      reject(
        'the JPEG picture is lossless, arithmetic-coded or has more than one frame: export it',
      );
    if (marker === application2 && segment.subarray(0, 4).equals(multiPicture)) isMulti = true;
    if (frames.has(marker)) {
      if (segment.length < 6) reject('the frame of the JPEG picture is too short');
      checkPixels(segment.readUInt16BE(3), segment.readUInt16BE(1));
      framed = true;
    }
    at = data + 2 + segment.length;
    if (marker === startOfScan) {
      if (!framed) reject('the JPEG picture has no dimensions before its scan: export it again');
      scanned = true;
      at = endOfScan(bytes, at);
    }
  }
};

const trailing = (count: number): string =>
  `${count} bytes follow the end of the JPEG picture, as in a motion photo: ` +
  'export it as a plain JPEG';

/** Reads the marker at an offset. Any number of 0xff may precede it (ITU T.81, B.1.1.2). */
const markerAt = (bytes: Buffer, from: number): { marker: number; end: number } => {
  let at = from;
  if (at < bytes.length && bytes[at] !== 0xff)
    reject(`the JPEG picture has no marker at byte ${at}: export the picture again`);
  while (bytes[at] === 0xff) at++;
  return { marker: bytes[at] ?? cut(), end: at + 1 };
};

/**
 * Returns the segment's content, without the two bytes of its length. If the bytes end before it
 * does, no marker follows, and the next read rejects the picture.
 */
const segmentAt = (bytes: Buffer, at: number): Buffer => {
  const length = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : cut();
  if (length < 2) reject(`the JPEG segment at byte ${at} has the length ${length}`);
  return bytes.subarray(at + 2, at + length);
};

/** Returns the offset of the first marker after a scan that is neither a restart nor stuffing. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return cut();
    while (bytes[at + 1] === 0xff) at++;
    const marker = bytes[at + 1] ?? cut();
    if (marker !== 0 && !isRestart(marker)) return at;
  }
};

const cut = (): never => reject('the JPEG picture ends before its EOI marker: send all its bytes');
