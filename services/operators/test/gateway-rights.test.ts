import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OperatorsUnderTest, query, startOperatorsService } from './operators-service.ts';

let under: OperatorsUnderTest;
beforeAll(async () => {
  under = await startOperatorsService();
  await query(
    under.database.operatorsUrl,
    `insert into organizations (id, name, enabled, admins)
      values (gen_random_uuid(), 'Demo Clinic', true, '{ada@clinic.example}')`,
  );
});
afterAll(() => under.stop());

test.each([
  'select admins from organizations',
  'select * from organizations',
  'select count(*) from organizations where array_length(admins, 1) > 0',
  'select code_hash from portal_sessions',
  'select name from operators',
  'select name from operator_tokens',
  'select operator_name from operator_actions',
])('the role of the gateway cannot %s', async (statement) => {
  const read = query(under.database.serviceUrl, statement);
  await expect(read).rejects.toThrow(/permission denied/);
});

test('the role of the gateway reads what it needs of an organization', async () => {
  const columns = 'id, name, enabled, created_at, cell, is_moving';
  const rows = await query(under.database.serviceUrl, `select ${columns} from organizations`);
  expect(rows).toEqual([expect.objectContaining({ name: 'Demo Clinic', enabled: true })]);
});
