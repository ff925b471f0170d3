import { lineFailure, type Row, readingsMax } from './reading.ts';

const example = '{"time": "2026-01-15T09:30:00Z", "value": 4.5}';

/**
 * Returns the rows of an NDJSON file in UTF-8, at most one more than are allowed.
 *
 * Each line is an object with a text `time` and a number `value`. Other members and empty lines are
 * ignored; of two equal members the last counts (decision 15).
 * @throws Failure VALIDATION for any other line
 */
export const ndjsonRows = (bytes: Uint8Array): readonly Row[] => {
  const text = new TextDecoder().decode(bytes);
  const rows: Row[] = [];
  for (let start = 0, line = 1; start < text.length && rows.length <= readingsMax; line += 1) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const object = text.slice(start, end);
    if (object.trim() !== '') rows.push(toRow(line, object));
    start = end + 1;
  }
  return rows;
};

const toRow = (line: number, text: string): Row => {
  const { time, value } = parseObject(text);
  if (typeof time !== 'string' || typeof value !== 'number')
    throw lineFailure(line, `expected an object such as ${example}`, text);
  return { line, time, value };
};

/** Returns the members of a JSON object; none for any other text. */
const parseObject = (text: string): { readonly time?: unknown; readonly value?: unknown } => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};
