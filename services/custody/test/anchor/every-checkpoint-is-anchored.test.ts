import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.ts';
import type { Anchor } from '../../src/anchor/anchor.ts';
import { fileAnchor } from '../../src/anchor/file-anchor.ts';
import { checkpoint, type Signing } from '../../src/checkpoints/checkpoints.ts';
import { integrate } from '../../src/log/integrate.ts';
import { registerFirstKeys } from '../../src/log/keys.ts';
import { noteSigner, readCheckpoint } from '../../src/log/note-signer.ts';

const origin = 'log.test/custody';
const signer = noteSigner(origin, [Buffer.alloc(32, 5)]);

let db: Database;
let admin: Client;
let folder: string;
let anchorFile: string;
/** What the store does with an append: null means it takes it. */
let fault: ((note: string) => Promise<void>) | null;

beforeAll(async () => {
  const database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 8, statementTimeoutMs: 5000, lockTimeoutMs: 5000 };
  db = await openDatabase({ url: database.serviceUrl, ...limits, telemetry });
  await registerFirstKeys(db, signer.vkeys);
  admin = new Client({ connectionString: database.superuserUrl });
  await admin.connect();
  await admin.query("set session_replication_role = 'replica'");
});
afterAll(async () => {
  await admin.end();
  await db.close();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anchor-'));
  anchorFile = join(folder, 'anchor.jsonl');
  fault = null;
  await admin.query(`
    truncate log_queue, log_leaves, log_tiles, log_checkpoints, order_index_tiles,
      order_index_versions;
    update log_state set size = 0, anchored_size = 0, anchored_hourly_size = 0`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A replica's own anchor, behind a store that can fail. */
const openAnchor = (): Anchor => {
  const anchor = fileAnchor(anchorFile);
  return {
    ...anchor,
    append: async (note, hourly) => {
      await fault?.(note);
      await anchor.append(note, hourly);
    },
  };
};
const replica = (): Signing => ({ db, origin, signer, anchor: openAnchor(), intervalMs: 1 });

const addLeaf = async (): Promise<void> => {
  await db.query(
    `with chains as (
       insert into chains (order_id, organization_id, sequence, head_hash)
       values ($1::uuid, gen_random_uuid(), 1, $2::text))
     insert into log_queue (order_id, sequence, event_hash) values ($1, 1, $2)`,
    [randomUUID(), randomBytes(32).toString('hex')],
  );
  await integrate(db);
};

const signedSizes = async (): Promise<number[]> => {
  const rows = await db.query<{ size: string }>('select size from log_checkpoints order by size');
  return rows.map(({ size }) => Number(size));
};
const anchoredSizes = async (): Promise<number[]> => {
  const sizes: number[] = [];
  for await (const { note } of fileAnchor(anchorFile).notes(''))
    sizes.push(readCheckpoint(note).size);
  return sizes;
};

test('three sequencers with a failing store anchor every checkpoint that was signed', async () => {
  let appends = 0;
  // the first appends pass, then the store fails for a while, then it fails now and then
  fault = async () => {
    appends++;
    if ((appends > 4 && appends < 60) || appends % 3 === 0) throw new Error('store unavailable');
  };
  const replicas = [replica(), replica(), replica()];
  let writing = true;
  const signing = replicas.map(async (one) => {
    while (writing) await checkpoint(one).catch(() => {});
  });
  try {
    await until(
      async () => {
        await addLeaf();
        return appends > 60 && (await signedSizes()).length > 20;
      },
      { what: 'twenty checkpoints', deadlineMs: 60_000 },
    );
  } finally {
    writing = false;
    await Promise.all(signing);
  }
  fault = null;
  await checkpoint(replica());
  expect(await anchoredSizes()).toEqual(await signedSizes());
}, 90_000);

test('a replica whose append fails signs nothing more until its checkpoint is anchored', async () => {
  const one = replica();
  await addLeaf();
  await checkpoint(one);
  fault = () => Promise.reject(new Error('store unavailable'));
  await addLeaf();
  await expect(checkpoint(one)).rejects.toThrow('store unavailable');
  await addLeaf();
  await expect(checkpoint(replica())).rejects.toThrow('store unavailable');
  expect([await signedSizes(), await anchoredSizes()]).toEqual([[1, 2], [1]]);
  fault = null;
  await checkpoint(replica());
  expect([await signedSizes(), await anchoredSizes()]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('a replica that looked at the anchor before another one signed does not sign on top of it', async () => {
  await addLeaf();
  await checkpoint(replica());
  await addLeaf();
  const looked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const late = replica();
  const { last } = late.anchor;
  const paused = {
    ...late.anchor,
    last: async () => {
      const note = await last();
      looked.resolve();
      await released.promise;
      return note;
    },
  };
  const second = checkpoint({ ...late, anchor: paused });
  await looked.promise;
  fault = () => Promise.reject(new Error('store unavailable'));
  await expect(checkpoint(replica())).rejects.toThrow('store unavailable'); // signs over 2
  await addLeaf();
  fault = null;
  released.resolve();
  await second;
  expect([await signedSizes(), await anchoredSizes()]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('signs no checkpoint while nothing was appended', async () => {
  const one = replica();
  await addLeaf();
  await checkpoint(one);
  await checkpoint(one);
  expect(await signedSizes()).toEqual([1]);
});

test('the first checkpoint of an hour is hourly, and an hour later the newest one becomes it too', async () => {
  const one = replica();
  for (let n = 0; n < 3; n++) {
    await addLeaf();
    await checkpoint(one);
  }
  const rows = await db.query('select size::int, hourly from log_checkpoints order by size');
  expect(rows).toEqual([
    { size: 1, hourly: true },
    { size: 2, hourly: false },
    { size: 3, hourly: false },
  ]);
  await admin.query(`update log_checkpoints set signed_at = signed_at - interval '61 minutes'`);
  await checkpoint(one);
  const [state] = await db.query('select anchored_hourly_size::int as size from log_state');
  expect(state).toEqual({ size: 3 });
  expect(await anchoredSizes()).toEqual([1, 2, 3]);
  await addLeaf();
  await checkpoint(one);
  const [newest] = await db.query('select hourly from log_checkpoints where size = 4');
  expect(newest).toEqual({ hourly: true });
});
