import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { otherId, startFeed } from './a-feed.ts';
import { aHome, runPto } from './pto-command.ts';

let feed: Awaited<ReturnType<typeof startFeed>>;
let home: ReturnType<typeof aHome>;
beforeAll(async () => {
  feed = await startFeed('A\u001b[2J\u202e');
  feed.add(...Array.from({ length: 130 }, () => 'order.sealed'));
});
afterAll(() => feed.stop());
beforeEach(() => {
  home = aHome({ PTO_API_KEY: 'svc_test_canary7', PTO_BASE_URL: feed.baseUrl });
});
afterEach(() => home.forget());

const events = (...words: string[]) => runPto(home.environment, ['events', ...words]);
const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('prints the first hundred as a table, and says how to go on', async () => {
  const { code, stdout, stderr } = await events();
  expect([code, stderr]).toEqual([0, 'There are more: pto events --after 100 --feed f00\n']);
  expect(lines(stdout)).toHaveLength(101);
  expect(lines(stdout)[0]).toMatch(/^NUMBER +OCCURRED_AT +EVENT +ORDER/);
  expect(lines(stdout)[1]).toContain('A\\u001b[2J\\u202e');
});

test('--limit 0 prints all, with one line of names', async () => {
  const { stdout, stderr } = await events('--limit', '0');
  expect([lines(stdout).length, stderr]).toEqual([131, '']);
});

test('--json prints one event per line, after the given number', async () => {
  const { stdout } = await events('--json', '--after', '127');
  expect(lines(stdout).map((line) => JSON.parse(line).number)).toEqual([128, 129, 130]);
});

test('--feed accepts a number of this feed, and rejects one of another', async () => {
  expect((await events('--after', '129', '--feed', 'f00')).code).toBe(0);
  const { code, stderr } = await events('--after', '129', '--feed', 'bad');
  expect([code, stderr]).toEqual([1, expect.stringContaining('of another feed')]);
});

test('no event is said in a table, and is no line of JSON', async () => {
  expect((await events('--after', '130')).stdout).toBe('(none)\n');
  expect((await events('--after', '130', '--json')).stdout).toBe('');
});

test('--order lists the events of one order, by its id or external_id, up to --limit', async () => {
  const own = await startFeed();
  for (let n = 0; n < 60; n++) {
    own.add('order.updated', 'order.updated');
    own.addOther('order.sealed');
  }
  const environment = { ...home.environment, PTO_BASE_URL: own.baseUrl };
  const of = async (...words: string[]) => {
    const { stdout, stderr } = await runPto(environment, ['events', '--json', ...words]);
    return { numbers: lines(stdout).map((line) => JSON.parse(line).number), stderr };
  };
  const all = Array.from({ length: 60 }, (_, n) => 3 * n + 3);
  expect(await of('--order', otherId)).toEqual({ numbers: all, stderr: '' });
  expect(await of('--order', 'OTHER', '--limit', '40')).toEqual({
    numbers: all.slice(0, 40),
    stderr: 'There are more: pto events --after 120 --feed f00 --order OTHER\n',
  });
  expect((await of('--order', 'OTHER', '--after', '120')).numbers).toEqual(all.slice(40));
  await own.stop();
});

test('an order that does not exist ends with 1, and one without events with 0', async () => {
  for (const order of ['NOPE', otherId.replace(/b$/, 'c')]) {
    const { code, stdout, stderr } = await events('--order', order);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`error: There is no order with the id or external_id ${order}.\n`);
  }
  for (const order of ['OTHER', otherId])
    expect(await events('--order', order)).toMatchObject({ code: 0, stdout: '(none)\n' });
});

test('a number beyond the feed ends with 2 and names the newest one', async () => {
  const { code, stdout, stderr } = await events('--after', '131');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('the newest event is 130');
  expect(stderr).toContain('give --after 0 for all events, or --after 130 for those to come');
});

test('a limit that is no number is wrong usage', async () => {
  expect((await events('--limit', '-1')).code).toBe(2);
});
