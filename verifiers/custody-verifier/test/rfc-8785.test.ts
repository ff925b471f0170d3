import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { entryHash, entryText } from '../src/index.ts';
import { askPython, python } from './a-python.ts';

const seed = 8785;
const numRuns = 1000;

/** Floats, the edges of their spelling, and -0. */
const numbers = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(
    -0,
    1e21,
    1e20,
    123456789012345680000,
    1e-6,
    1e-7,
    5e-324,
    1.7976931348623157e308,
  ),
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000\u001f\u007f\u0085', '"\\/', '\u2028\u2029', 'e\u0301é', 'ﬁ\ufb33€😀'),
);
const payloads = fc.dictionary(
  texts,
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false),
      numbers,
      texts,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
    ),
  })).value,
);
const entries = fc.record({
  id: fc.uuid(),
  type: texts,
  internal_type: texts,
  ts_utc: fc.date({ noInvalidDate: true }).map((time) => time.toISOString()),
  gps_lat: fc.option(numbers),
  gps_lng: fc.option(numbers),
  payload: fc.option(payloads),
  prev_event_hash: fc.constant('0'.repeat(64)),
});
const order = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';

/** Reads every number as the double that JSON's readers elsewhere make of it. */
const independent = `
import hashlib, json, sys, rfc8785
texts = []
for text in json.load(sys.stdin):
    event = json.loads(text, parse_int=float)
    canonical = rfc8785.dumps({**event, "v": "custody-event/1", "order_id": "${order}"})
    texts.append([canonical.decode(), hashlib.sha256(canonical).hexdigest()])
json.dump(texts, sys.stdout)
`;

(python ? describe : describe.skip)(`${numRuns} events`, () => {
  test('have the text and the hash that the Python package rfc8785 gives them', () => {
    const sample = fc.sample(entries, { seed, numRuns });
    const asked = sample.map((entry) => JSON.stringify(entry));
    expect(new Set(asked).size).toBeGreaterThan(numRuns * 0.9);
    const answered = askPython(independent, asked) as string[][];
    expect(sample.map((entry) => [entryText(order, entry), entryHash(order, entry)])).toEqual(
      answered,
    );
  });
});
