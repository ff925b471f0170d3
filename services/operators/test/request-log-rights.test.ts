import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OperatorsUnderTest, query, startOperatorsService } from './operators-service.ts';

let under: OperatorsUnderTest;
beforeAll(async () => {
  under = await startOperatorsService();
});
afterAll(() => under.stop());

const today = () => new Date().toISOString().slice(0, 10).replaceAll('-', '');

describe('the log of requests', () => {
  const changes = (table: string) => [
    `update ${table} set status = 200`,
    `delete from ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
  ];
  test.each(['gateway', 'operators'])('is never changed by the %s', async (process) => {
    const { serviceUrl, operatorsUrl } = under.database;
    const url = process === 'gateway' ? serviceUrl : operatorsUrl;
    const partitions = [`requests_${today()}`, 'requests_other'];
    const statements = [
      ...changes('requests'),
      ...partitions.flatMap((table) => [...changes(table), `insert into ${table} default values`]),
    ];
    for (const statement of statements)
      await expect(query(url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('loses a day after a week, not before, and only by the operators service', async () => {
    const { ownerUrl, serviceUrl, operatorsUrl } = under.database;
    const [days] = await query<Record<'old' | 'week', string>>(
      ownerUrl,
      `select to_char((now() at time zone 'utc')::date - 8, 'YYYYMMDD') as old,
        to_char((now() at time zone 'utc')::date - 7, 'YYYYMMDD') as week`,
    );
    for (const day of [days!.old, days!.week])
      await query(
        ownerUrl,
        `create table requests_${day} partition of requests
          for values from ('${first(day)}') to ('${first(day, 1)}')`,
      );
    const rotate = (kept: number) => `select rotate_daily_partitions('requests', 7, ${kept})`;
    await expect(query(serviceUrl, rotate(7))).rejects.toThrow(/permission denied/);
    await expect(query(operatorsUrl, rotate(6))).rejects.toThrow(/at least 7 days/);
    await query(operatorsUrl, rotate(7));
    const left = await query<{ old: boolean; week: boolean }>(
      ownerUrl,
      `select to_regclass('requests_${days!.old}') is not null as old,
        to_regclass('requests_${days!.week}') is not null as week`,
    );
    expect(left).toEqual([{ old: false, week: true }]);
  });
});

/** The lower bound of a day's UUIDv7s. */
const first = (day: string, plusDays = 0): string => {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const ms = Date.parse(iso) + plusDays * 86_400_000;
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
