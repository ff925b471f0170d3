import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Mailer } from '@pto/mail';
import { createTelemetry } from '@pto/telemetry';
import { sendWarnings } from '../../src/health/send-warnings.ts';
import { queueBacklog } from '../backlog.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

let stores: ServiceDatabase;
let db: Database;
const lines: string[] = [];
const telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores, { lockTimeoutMs: 1000 });
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

/** The subjects of the mails that this replica sends now. */
const send = async (
  replica: Database = db,
  rejected: readonly string[] = [],
): Promise<string[]> => {
  const subjects: string[] = [];
  const mailer = {
    works: true,
    send: async ({ subject }: { subject: string }) => {
      subjects.push(subject);
      return { rejected };
    },
  } satisfies Mailer;
  await sendWarnings({
    db: replica,
    mailer,
    administrators: async () => ['ward@clinic.example'],
    limits: { brokenFailures: 100, brokenMinAgeMs: 1, brokenSilenceMs: 1 },
    publicBaseUrl: '',
    log: telemetry.log,
  });
  return subjects;
};

test('while another replica sends a warning, the next one of the endpoint waits', async () => {
  await queueBacklog(stores, {
    organizationId: anOrganization(),
    url: 'https://hooks.example.com/',
    endpoints: 1,
    deliveriesEach: 1,
  });
  // the other replica has taken the one at 50 percent; the endpoint is BROKEN meanwhile
  await stores.superuser.query(
    `insert into warnings (id, endpoint_id, organization_id, level, next_try_at)
     select gen_random_uuid(), id, organization_id, level, now() + due
     from endpoints, (values (50, interval '1 hour'), (100, interval '0')) as w (level, due)`,
  );
  expect(await send()).toEqual([]);
  await stores.superuser.query('delete from warnings where level = 50');
  expect(await send()).toEqual([expect.stringContaining('BROKEN')]);
});

test('a warning that another replica takes at this moment is not sent a second time', async () => {
  await stores.superuser.query(
    `insert into warnings (id, endpoint_id, organization_id, level)
     select gen_random_uuid(), id, organization_id, 70 from endpoints`,
  );
  await stores.superuser.transaction(async (tx) => {
    await tx.query("update warnings set next_try_at = now() + interval '1 hour'");
    expect(await send()).toEqual([]);
  });
  expect(await send()).toEqual([]);
});

test('a warning waits while the database does not respond, and is sent afterwards', async () => {
  await stores.superuser.query('delete from warnings');
  await stores.superuser.query(
    `insert into warnings (id, endpoint_id, organization_id, level)
     select gen_random_uuid(), id, organization_id, 90 from endpoints`,
  );
  const query: Database['query'] = (text, parameters) =>
    text.startsWith('select')
      ? Promise.reject(new Failure('SERVICE_UNAVAILABLE', 'No database.'))
      : db.query(text, parameters);
  expect(await send({ ...db, query })).toEqual([]);
  await stores.superuser.query('update warnings set next_try_at = now()');
  expect(await send()).toHaveLength(1);
});

test('rejected administrators are logged with their organization and without an address', async () => {
  await stores.superuser.query('delete from warnings');
  await stores.superuser.query(
    `insert into warnings (id, endpoint_id, organization_id, level)
     select gen_random_uuid(), id, organization_id, 90 from endpoints`,
  );
  lines.length = 0;
  expect(await send(db, ['550', 'SMTPUTF8'])).toHaveLength(1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'error',
      organizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      rejected: ['550', 'SMTPUTF8'],
      msg: expect.stringContaining('operator org admins'),
    },
  ]);
  expect(lines.join()).not.toContain('clinic.example');
  // the others have the mail, so it is not sent again
  expect(await stores.superuser.query('select from warnings')).toEqual([]);
});
