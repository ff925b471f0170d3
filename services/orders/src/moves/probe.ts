import { createHash, createHmac } from 'node:crypto';
import type { Artifacts } from '@pto/artifacts';
import { Failure } from '@pto/errors';
import type { CursorKeys } from '../reading/cursor.ts';

/** The settings that the orders services of two cells must share (docs/operators/growth.md). */
export interface SharedSettings {
  readonly artifacts: Artifacts;
  readonly cursorKeys: CursorKeys;
  readonly artifactsKeys: { readonly keys: readonly { readonly key: Buffer }[] };
}

const text = 'a move of an organization between cells';

/** Returns a text by which a service that has the key recognizes it. */
const tagOf = (key: Buffer): string => createHmac('sha256', key).update(text).digest('hex');

const tagsOf = ({ cursorKeys, artifactsKeys }: SharedSettings) => ({
  ORDERS_CURSOR_KEY: cursorKeys.map(tagOf),
  ARTIFACTS_KEYS: artifactsKeys.keys.map(({ key }) => tagOf(key)),
});

const contentOf = (organizationId: string): Buffer => Buffer.from(`${text}: ${organizationId}`);

/** The probe's object lies where an order with the organization's id would have its files. */
const objectOf = (organizationId: string) => ({
  orderId: organizationId,
  sha256: createHash('sha256').update(contentOf(organizationId)).digest('hex'),
});

/**
 * Returns a probe of this service's settings, and stores an object beside the artifacts. A repeated
 * call replaces the object.
 */
export const makeProbe = async (
  settings: SharedSettings,
  organizationId: string,
): Promise<Buffer> => {
  await settings.artifacts.store(objectOf(organizationId), contentOf(organizationId));
  return Buffer.from(JSON.stringify(tagsOf(settings)));
};

/**
 * Requires that this service has all keys and the store of the service that made the probe.
 * @throws Failure VALIDATION that names the setting that differs.
 */
export const checkProbe = async (
  settings: SharedSettings,
  organizationId: string,
  probe: Uint8Array,
): Promise<void> => {
  const theirs = parse(probe);
  for (const [setting, tags] of Object.entries(tagsOf(settings)))
    if (!theirs[setting]?.every((tag) => tags.includes(tag)))
      throw differs(setting, 'it lacks a key of the other cell');
  const found = await settings.artifacts.read(objectOf(organizationId));
  if (!found) throw differs('ARTIFACTS_DIR or ARTIFACTS_BUCKET', 'it is another store');
};

const parse = (probe: Uint8Array): Readonly<Record<string, readonly string[]>> => {
  try {
    return JSON.parse(Buffer.from(probe).toString());
  } catch {
    throw new Failure('VALIDATION', 'probe is not one of Mark of the orders service.');
  }
};

const differs = (setting: string, how: string): Failure =>
  new Failure(
    'VALIDATION',
    `The setting ${setting} of orders differs between the cells: ${how}. Set it to the same value in both.`,
  );

/** Erases the object of `makeProbe`. */
export const eraseProbe = ({ artifacts }: SharedSettings, organizationId: string): Promise<void> =>
  artifacts.erase(objectOf(organizationId));
