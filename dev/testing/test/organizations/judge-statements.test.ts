import { expect, test } from '@jest/globals';
import { judgeStatements } from '../../src/organizations/judge-statements.ts';

const tables = new Set(['orders']);
const byId = 'select *\n  from orders where id = $1';

test('names each statement without its organization once, in one line', async () => {
  const bound = 'select * from orders where organization_id = $1';
  expect(await judgeStatements([byId, byId, bound, 'begin'], tables, [])).toEqual([
    'No organization for orders: select * from orders where id = $1',
  ]);
});

test('accepts an exception, and names one that no statement needs', async () => {
  const byIdAlone = { part: 'from orders where id =', why: 'an operator has the id alone' };
  expect(await judgeStatements([byId], tables, [byIdAlone])).toEqual([]);
  const bound = 'select * from orders where id = $1 and organization_id = $2';
  for (const statements of [[], [bound]])
    expect(await judgeStatements(statements, tables, [byIdAlone])).toEqual([
      'The exception "from orders where id =" has no statement.',
    ]);
});
