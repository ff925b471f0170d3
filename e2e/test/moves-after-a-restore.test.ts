import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { asSuperuser } from '../as-superuser.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();
const url = new URL('../../docs/operators/backup-restore.md', import.meta.url);
const heading = '### Moves of organizations after a restore of access';
const section = readFileSync(url, 'utf8').split(heading)[1]!.split('\n## ')[0]!;
/** The statements of the page, in their order. */
const statements = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text]) => text!);
const [listHeld, hasOrders, listCells, raiseTokens, cancelMove, endMove, retireFormer] = statements;

const organization = randomUUID();

test('the page has a statement for each name here', () => {
  expect(statements).toHaveLength(7);
});

/** Runs statements in a transaction that is rolled back, except for the sequence of tokens, which only rises. */
const withoutEffect = (database: 'access' | 'orders', work: (client: Client) => Promise<void>) =>
  asSuperuser(stack, database, async (client) => {
    await client.query('begin');
    await work(client).finally(() => client.query('rollback'));
  });

const filledIn = (text: string | undefined, words: Readonly<Record<string, string>>): string =>
  Object.entries(words).reduce(
    (line, [word, value]) => line.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value),
    text!,
  );

test('the page lists the organizations that a cell holds, and whether it has their orders', () =>
  withoutEffect('orders', async (client) => {
    await client.query('insert into held_organizations values ($1, 7, 2)', [organization]);
    const { rows } = await client.query(listHeld!);
    expect(rows).toContainEqual({
      organization_id: organization,
      level: 2,
      has_orders: false,
      moved_orders: '0',
    });
    const found = await client.query(filledIn(hasOrders, { ID: organization }));
    expect(found.rows).toEqual([{ exists: false }]);
  }));

test('the page cancels a move, ends one whose switch was lost, and has the rows of the source deleted', () =>
  withoutEffect('access', async (client) => {
    await client.query(
      `insert into organizations (id, name, enabled, admins, is_moving)
       values ($1, 'Restored', true, '{}', true)`,
      [organization],
    );
    await client.query(
      `insert into organization_moves (id, organization_id, source, target, phase, started_by)
       values ($1, $2, 'main', 'north', 'HOLDING', 'an operator')`,
      [randomUUID(), organization],
    );
    const state = async () =>
      (await client.query(listCells!)).rows.find(({ id }) => id === organization);
    expect(await state()).toMatchObject({ cell: 'main', is_moving: true, phase: 'HOLDING' });

    await client.query(filledIn(raiseTokens, { N: '7' }));
    const { rows: tokens } = await client.query("select nextval('move_tokens')");
    expect(Number(tokens[0].nextval)).toBeGreaterThan(7);

    const words = { ID: organization, CELL: 'north', FORMER: 'main' };
    const cancelled = await client.query(filledIn(cancelMove, words));
    expect(cancelled.rowCount).toBe(1);

    await client.query(filledIn(endMove, words));
    expect(await state()).toMatchObject({ cell: 'north', is_moving: false, phase: null });
    const { rows: moves } = await client.query(
      'select phase from organization_moves where organization_id = $1',
      [organization],
    );
    expect(moves).toEqual([{ phase: 'MOVED' }]);

    await client.query(filledIn(retireFormer, words));
    expect(await state()).toMatchObject({
      ...{ cell: 'north', is_moving: false, phase: 'RETIRING' },
      ...{ source: 'main', target: 'north' },
    });
  }));
