import { expect, test } from '@jest/globals';
import { judgeStatements } from '../../src/organizations/judge-statements.ts';

const tables = new Set(['orders']);
const byId = 'select *\n  from orders where id = $1';

test('names each statement without its organization once, in one line', () => {
  const bound = 'select * from orders where organization_id = $1';
  expect(judgeStatements([byId, byId, bound, 'begin'], tables, [])).toEqual([
    'No organization for orders: select * from orders where id = $1',
  ]);
});

test('accepts an exception, and names one that no statement needs', () => {
  const byIdAlone = { part: 'from orders where id =', why: 'an operator has the id alone' };
  expect(judgeStatements([byId], tables, [byIdAlone])).toEqual([]);
  const bound = 'select * from orders where id = $1 and organization_id = $2';
  for (const statements of [[], [bound]])
    expect(judgeStatements(statements, tables, [byIdAlone])).toEqual([
      'The exception "from orders where id =" has no statement.',
    ]);
});
