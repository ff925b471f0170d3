import { type Failure, invalid } from '@pto/errors';
import { CsvError, type InfoRecord, type Options, parse } from 'csv-parse/sync';
import { lineFailure, lineMax, type Row, readingsMax, startFailure } from './reading.ts';

const syntax = {
  bom: true,
  record_delimiter: ['\r\n', '\n'],
  skip_empty_lines: true,
  max_record_size: lineMax,
} as const satisfies Options;

/** A number as text: neither a sign `+` nor an exponent, and no formula of a spreadsheet. */
const decimal = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns the rows of a CSV file (RFC 4180) in UTF-8, at most one more than are allowed.
 *
 * The header has the columns `time` and `value` in any order, and decides whether a comma or a
 * semicolon separates fields. Other columns and empty lines are ignored.
 * @throws Failure VALIDATION for another header, for a row with more or fewer fields than the
 *   header, for wrong quotes and for a row over several lines of more than 16,384 bytes
 */
export const csvRows = (bytes: Uint8Array): readonly Row[] => {
  const { delimiter, time, value } = readHeader(bytes);
  const rows: Row[] = [];
  const addRow = (fields: readonly string[], { lines }: InfoRecord): null => {
    const [stated, text] = [fields[time]!, fields[value]!];
    rows.push({ line: lines, time: stated, value: decimal.test(text) ? Number(text) : text });
    return null;
  };
  try {
    parse(bytes, { ...syntax, delimiter, to: 1 + readingsMax + 1, on_record: addRow });
  } catch (error) {
    if (error instanceof CsvError) throw syntaxFailure(error);
    throw error;
  }
  return rows.slice(1);
};

const readHeader = (bytes: Uint8Array) => {
  for (const delimiter of [',', ';']) {
    const names = firstRecord(bytes, delimiter);
    const [time, value] = [names.indexOf('time'), names.indexOf('value')];
    const isTwice = names.lastIndexOf('time') > time || names.lastIndexOf('value') > value;
    if (isTwice)
      throw invalid(['readings'], 'the header names time or value twice; name each once');
    if (time >= 0 && value >= 0) return { delimiter, time, value };
  }
  throw headerFailure(bytes);
};

/** Returns a failure that says which header counts, and with which line the file begins. */
const headerFailure = (bytes: Uint8Array): Failure => {
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, lineMax))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const expected =
    'expected a header with the columns time and value, separated by a comma or a semicolon';
  const names = first.includes('\t') ? 'the separator is a tab' : 'only these small letters count';
  return startFailure(`${expected}; ${names}. The first line is`, first);
};

const firstRecord = (bytes: Uint8Array, delimiter: string): readonly string[] => {
  try {
    return parse(bytes, { ...syntax, delimiter, to: 1 })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
};

const syntaxFailure = (error: CsvError): Failure => {
  const { code, record } = error;
  const line = Number(error.lines);
  const input = Array.isArray(record) ? record.join(',') : '';
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return lineFailure(line, 'expected as many fields as the header has', input);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return lineFailure(line, `more than ${lineMax} bytes in one row; close each quote`, input);
  return lineFailure(line, 'quote a complete field, and double the quotes inside of it', input);
};
