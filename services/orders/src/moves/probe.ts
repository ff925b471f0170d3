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

/** A probe of one move, which its id names. */
export interface ProbeKey {
  readonly organizationId: string;
  /** No other move has this id: no earlier one has left an object of its name in another store. */
  readonly probeId: string;
}

const contentOf = ({ organizationId, probeId }: ProbeKey): Buffer =>
  Buffer.from(`${text}: ${organizationId} ${probeId}`);

/** The probe's object lies where an order with the organization's id would have its files. */
const objectOf = (key: ProbeKey) => ({
  orderId: key.organizationId,
  sha256: createHash('sha256').update(contentOf(key)).digest('hex'),
});

/**
 * Returns a probe of this service's settings, and stores an object beside the artifacts. A repeated
 * call replaces the object. Only the source of the move does this: the target must find the object.
 */
export const makeProbe = async (settings: SharedSettings, key: ProbeKey): Promise<Buffer> => {
  await settings.artifacts.store(objectOf(key), contentOf(key));
  const { probeId } = key;
  return Buffer.from(JSON.stringify({ probeId, tags: tagsOf(settings) } satisfies Probe));
};

interface Probe {
  readonly probeId: string;
  /** Tags of the keys of each setting. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
}

/**
 * Requires that this service has all keys and the store of the service that made the probe.
 * @throws Failure VALIDATION that names the setting that differs.
 */
export const checkProbe = async (
  settings: SharedSettings,
  organizationId: string,
  probe: Uint8Array,
): Promise<void> => {
  const { probeId, tags: theirs } = parse(probe);
  for (const [setting, tags] of Object.entries(tagsOf(settings)))
    if (!theirs[setting]?.every((tag) => tags.includes(tag)))
      throw differs(setting, 'it lacks a key of the other cell');
  const found = await settings.artifacts.read(objectOf({ organizationId, probeId }));
  if (!found) throw differs('ARTIFACTS_DIR or ARTIFACTS_BUCKET', 'it is another store');
};

const parse = (probe: Uint8Array): Probe => {
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
export const eraseProbe = ({ artifacts }: SharedSettings, key: ProbeKey): Promise<void> =>
  artifacts.erase(objectOf(key));
