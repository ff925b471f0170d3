import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { checkpointText } from '@pto/custody-verifier';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { fileAnchor } from '../../src/anchor/file-anchor.ts';
import { noteSigner } from '../../src/log/note-signer.ts';
import { anchorStart, checkAnchor } from '../../src/verification/check-anchor.ts';

const origin = 'log.test/custody';
const signer = noteSigner(origin, [Buffer.alloc(32, 5)]);
const noteOver = (size: number): string =>
  signer.sign(checkpointText({ origin, size, root: new Uint8Array(32) }));
/** More than two pages of a thousand. */
const sizes = Array.from({ length: 2500 }, (_, n) => n + 1);
const lines = sizes.map((size) => JSON.stringify({ note: noteOver(size) }));

const folder = mkdtempSync(join(tmpdir(), 'anchor-'));
const path = join(folder, 'anchor.jsonl');
let db: Database;
beforeAll(async () => {
  const database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 5000, lockTimeoutMs: 5000 };
  db = await openDatabase({ url: database.serviceUrl, ...limits, telemetry });
  await db.query(
    `insert into log_checkpoints (size, root, note)
     select size, '\\x00'::bytea, note from unnest($1::bigint[], $2::text[]) as c (size, note)`,
    [sizes, sizes.map(noteOver)],
  );
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => write(lines));

const write = (kept: readonly string[]): void => writeFileSync(path, `${kept.join('\n')}\n`);

const verified = async (): Promise<{ pages: number; reasons: string[] }> => {
  const reasons: string[] = [];
  for (let progress = anchorStart, pages = 1; ; pages++) {
    const page = await checkAnchor(db, fileAnchor(path), progress);
    reasons.push(...page.violations.map(({ reason }) => reason));
    if (page.ended) return { pages, reasons };
    progress = page.reached;
  }
};

test('a whole anchor is looked at in pages, and has no fault', async () => {
  expect(readFileSync(path, 'utf8')).toContain(noteOver(2500).split('\n')[0]);
  expect(await verified()).toEqual({ pages: 3, reasons: [] });
});

test.each([1, 999, 1000, 1001, 2000, 2001, 2499])('checkpoint %i is missed', async (size) => {
  write(lines.filter((_, n) => n + 1 !== size));
  const reason = `the anchor lacks the checkpoint over ${size} leaves`;
  expect((await verified()).reasons).toEqual([reason]);
});

test('a note that stands there twice is no violation, also where a page ends', async () => {
  write(lines.flatMap((line, n) => ([999, 1999].includes(n) ? [line, line] : [line])));
  expect((await verified()).reasons).toEqual([]);
});

test('notes in another order are found', async () => {
  write(lines.map((_, n) => lines[n === 10 ? 11 : n === 11 ? 10 : n]!));
  expect((await verified()).reasons).toEqual(['the anchor lacks the checkpoint over 11 leaves']);
});

test('what the database has lost is found, behind the last page of its own too', async () => {
  write([...lines, JSON.stringify({ note: noteOver(2600) })]);
  const reason = 'the database lacks the anchored checkpoint over 2600 leaves';
  expect((await verified()).reasons).toEqual([reason]);
});

test('an hourly checkpoint is missed after 10,500 that the anchor need not have', async () => {
  await db.query(
    `insert into log_checkpoints (size, root, note, hourly, signed_at)
     select size, '\\x00', 'a note', false, now() - interval '2 days'
     from generate_series(3000, 13500) as size`,
  );
  await db.query(
    `insert into log_checkpoints (size, root, note, signed_at)
     values (14000, '\\x00', 'lost', now() - interval '2 days'), (15000, '\\x00', $1, now())`,
    [noteOver(15_000)],
  );
  write([...lines, JSON.stringify({ note: noteOver(15_000) })]);
  expect((await verified()).reasons).toEqual(['the anchor lacks the checkpoint over 14000 leaves']);
});
