import { isUtf8 } from 'node:buffer';
import { type Failure, invalid } from '@pto/errors';
import { csvRows } from './csv-rows.ts';
import { ndjsonRows } from './ndjson-rows.ts';
import {
  lineFailure,
  lineMax,
  type Reading,
  type ReadingsMediaType,
  readingsMax,
  toReading,
} from './reading.ts';

const bytesMax = 5 * 1024 * 1024;

/**
 * Returns the readings in a file of a temperature logger, oldest first.
 * @param bytes UTF-8 with or without a byte order mark, at most 5 MiB, lines of at most 16,384
 *   bytes, 1 to 100,000 readings.
 * @throws Failure VALIDATION at `["readings"]`. If a line is the reason, the message has its
 *   number: wrong syntax, a wrong time or value, or a time that is not after the one before.
 */
export const readReadings = (
  bytes: Uint8Array,
  mediaType: ReadingsMediaType,
): readonly Reading[] => {
  if (bytes.length > bytesMax)
    throw invalid(['readings'], `at most ${bytesMax} bytes; split the file`, bytes.length);
  if (!isUtf8(bytes)) throw encodingFailure(bytes);
  rejectLongLines(bytes);
  const rows = mediaType === 'text/csv' ? csvRows(bytes) : ndjsonRows(bytes);
  if (rows.length === 0) throw invalid(['readings'], 'no reading; send at least 1');
  if (rows.length > readingsMax)
    throw invalid(['readings'], `at most ${readingsMax} readings; split the file`);
  let previous = '';
  return rows.map((row) => {
    const reading = toReading(row);
    if (reading.at <= previous)
      throw lineFailure(row.line, `the time is not after the one before, ${previous}`, row.time);
    previous = reading.at;
    return reading;
  });
};

/** Names UTF-16, which spreadsheets write as "Unicode", or the first line that is not UTF-8. */
const encodingFailure = (bytes: Uint8Array): Failure => {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === '255 254' || mark === '254 255')
    return invalid(['readings'], 'the file is UTF-16; save it as UTF-8');
  for (let start = 0, line = 1; ; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const text = bytes.subarray(start, feed < 0 ? bytes.length : feed);
    if (!isUtf8(text) || feed < 0)
      return lineFailure(line, 'not UTF-8; save the file as UTF-8', new TextDecoder().decode(text));
    start = feed + 1;
  }
};

/** Bounds the number of CSV fields and the depth of JSON before a parser sees them. */
const rejectLongLines = (bytes: Uint8Array): void => {
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    if (end - start > lineMax) {
      const input = new TextDecoder().decode(bytes.subarray(start, start + lineMax));
      throw lineFailure(line, `more than ${lineMax} bytes; shorten the line`, input);
    }
    start = end + 1;
  }
};
