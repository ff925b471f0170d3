import { Failure } from '@pto/errors';
import { movedServices } from '@pto/moves';
import type { CellDatabases } from './cells.ts';

/** The settings that both cells must share, by the service that stores their tags. */
const shared = {
  orders: ['ORDERS_CURSOR_KEY', 'ARTIFACTS_KEYS', 'ARTIFACTS_DIR or ARTIFACTS_BUCKET'],
  webhooks: ['WEBHOOKS_SECRET_KEYS', 'PUBLIC_BASE_URL', 'ENVIRONMENT'],
} as const;

/** The settings of a service, by name. */
const settingsOf = async (
  cell: CellDatabases,
  name: keyof typeof shared,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await cell[name].query<{ name: string; tags: string[] }>(
    'select name, tags from move_settings',
  );
  return new Map(rows.map((row) => [row.name, row.tags]));
};

/** Returns how long orders stores responses and ids of commands in this cell, in ms. */
export const keepMsOf = async (cell: CellDatabases): Promise<number> => {
  const [kept] = (await settingsOf(cell, 'orders')).get('ORDERS_IDEMPOTENCY_KEEP') ?? [];
  return kept === undefined ? 86_400_000 : Number(kept);
};

/**
 * Requires that rows can be copied: both cells have the same schemas, and the target can read what
 * the source has sealed, signed and stored.
 * @throws Failure VALIDATION that names what differs.
 */
export const compareCells = async (
  source: CellDatabases,
  target: CellDatabases,
  names: { readonly source: string; readonly target: string },
): Promise<void> => {
  for (const name of movedServices) {
    const [from, to] = await Promise.all(
      [source, target].map((cell) =>
        cell[name].query<{ name: string }>('select max(name) as name from migrations'),
      ),
    );
    const [ofSource, ofTarget] = [from![0]!.name, to![0]!.name];
    if (ofSource !== ofTarget)
      throw new Failure(
        'VALIDATION',
        `The cells run different releases: ${name} has the schema ${ofSource} in ${names.source} and ${ofTarget} in ${names.target}. Upgrade both, then start the move again.`,
      );
  }
  for (const name of ['orders', 'webhooks'] as const) {
    const [ofSource, ofTarget] = await Promise.all([
      settingsOf(source, name),
      settingsOf(target, name),
    ]);
    for (const setting of shared[name]) {
      const tags = ofSource.get(setting);
      if (tags?.every((tag) => ofTarget.get(setting)?.includes(tag))) continue;
      throw new Failure(
        'VALIDATION',
        `The setting ${setting} of ${name} differs between the cells: ${names.target} lacks a value of ${names.source}. Set it to the same value in both.`,
      );
    }
  }
};
