import { reject } from '../reject.ts';
import type { Body } from './body.ts';

/** `obj` after a number, space or comment, and `trailer` before a dictionary or comment. */
const keyword = /(?<=[0-9\0\t\n\f\r ])obj(?![A-Za-z0-9_])|trailer(?=[\0\t\n\f\r ]*(?:<<|%))/g;
const twoNumbers = /\d[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]*$/;
/** A line that is, or may be, a comment; then digits and spaces. */
const comment = /(?:%|^)[^\r\n%]*[\r\n][\d\0\t\n\f\r ]*$/;
/** Number of bytes before `obj` in which its numbers are searched. */
const before = 128;

/**
 * Checks that no object or trailer begins inside of a stream, a string or a comment. A viewer finds
 * objects by offset, so it would read one that a reader from begin to end skips.
 * @throws Failure with the offset of such an object.
 */
export const checkHiddenObjects = (bytes: Buffer, { keywords }: Body): void => {
  const text = bytes.toString('latin1');
  for (const { index, 0: word } of text.matchAll(keyword)) {
    if (keywords.has(index)) continue;
    const preceding = text.slice(Math.max(0, index - before), index);
    if (word === 'trailer' || twoNumbers.test(preceding) || comment.test(preceding))
      reject(`the PDF has an object inside of a stream, string or comment at byte ${index}`);
  }
};
