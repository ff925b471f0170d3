import { expect, test } from '@jest/globals';
import { extractText } from 'unpdf';
import { certificateHtml, certificatePdf } from '../src/index.ts';
import { chained, condition, events } from './samples/a-history.ts';
import { inputOf, proofOf, provenInput } from './samples/an-input.ts';
import { order, orderId } from './samples/an-order.ts';

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ goods_type: `Sample ${n}.`, seal_id: `SEAL-${n}.` }));

test('lists 200 of 13,500 items and counts the others', () => {
  const html = certificateHtml({ ...provenInput, order: { ...order, items: itemsOf(13_500) } });
  expect(html).toContain('13500 items');
  expect(html).toContain('SEAL-199.');
  expect(html).not.toContain('SEAL-200.');
  expect(html).toContain('and 13300 more rows');
});

test('lists all of 200 items', () => {
  const html = certificateHtml({ ...provenInput, order: { ...order, items: itemsOf(200) } });
  expect(html).toContain('SEAL-199.');
  expect(html).not.toContain('more row');
});

test('a history of 1,200 entries with 400 handovers and records has at most 80 pages', async () => {
  const times = Array.from({ length: 400 }, () => [events[6]!, events[9]!, events[8]!]).flat();
  const proof = await proofOf(chained(orderId, times));
  const input = await inputOf(proof, { order: { ...order, items: itemsOf(13_500) } });
  const { totalPages } = await extractText(new Uint8Array(await certificatePdf(input)));
  expect(totalPages).toBeGreaterThan(10);
  expect(totalPages).toBeLessThanOrEqual(80);
  expect(certificateHtml(input).length).toBeLessThan(1_000_000);
});

const withScan = async (count: number) => {
  const scanned = Array.from({ length: count }, (_, n) => `X-${n}.`);
  const { payload } = events[6]!;
  const history = [
    { ...events[5]!, payload: { seal_ids: ['S-1'] } },
    { ...events[6]!, payload: { ...payload, scanned_seal_ids: [...scanned, 'S-1'] } },
  ];
  return certificateHtml(await inputOf(await proofOf(chained(orderId, history))));
};

test('lists 20 of 5,000 unexpected seals and counts the others', async () => {
  const html = await withScan(5000);
  expect(html).toContain('X-19. and 4980 more');
  expect(html).not.toContain('X-20.');
});

test('lists all of 20 unexpected seals', async () => {
  const html = await withScan(20);
  expect(html).toContain('X-18., X-19.<');
});

test('lists 50 of 100 excursions of a record, all of 50', async () => {
  const excursions = Array.from({ length: 100 }, (_, n) => ({
    ...condition.excursions[0]!,
    extreme: 100 + n,
  }));
  const htmlOf = async (count: number) => {
    const payload = {
      ...condition,
      excursions: excursions.slice(0, count),
      excursion_count: count,
    };
    const history = [{ ...events[9]!, payload }];
    return certificateHtml(await inputOf(await proofOf(chained(orderId, history))));
  };
  const [many, fitting] = [await htmlOf(100), await htmlOf(50)];
  expect(many).toContain('and 50 more rows');
  expect(many).not.toContain('<td>150 °C</td>');
  expect(fitting).toContain('<td>149 °C</td>');
  expect(fitting).not.toContain('more row');
});

test('shows 20 of 21 temperature records, and all of 20', async () => {
  const htmlOf = async (count: number) => {
    const history = Array.from({ length: count }, () => events[9]!);
    return certificateHtml(await inputOf(await proofOf(chained(orderId, history))));
  };
  const [many, fitting] = [await htmlOf(21), await htmlOf(20)];
  expect(many).toContain('and 1 more row;');
  expect(many).not.toContain('Temperature record of entry 21');
  expect(fitting).toContain('Temperature record of entry 20');
  expect(fitting).not.toContain('more row');
});

test('cuts a listed value after 200 characters, but not one of 200', async () => {
  const htmlOf = async (field: string) => {
    const payload = { fields: [field] };
    const history = [{ internalType: 'ORDER_UPDATED', at: events[0]!.at, payload }];
    return certificateHtml(await inputOf(await proofOf(chained(orderId, history))));
  };
  expect(await htmlOf(`${'x'.repeat(200)}y`)).toContain(`${'x'.repeat(200)}…<`);
  expect(await htmlOf(`${'x'.repeat(199)}y`)).toContain(`${'x'.repeat(199)}y<`);
});

test('cuts a text of a megabyte, but not one of 2,000 characters', () => {
  const withId = (id: string) =>
    certificateHtml({ ...provenInput, order: { ...order, external_id: id } });
  expect(withId('x'.repeat(1_000_000)).length).toBeLessThan(50_000);
  expect(withId(`${'x'.repeat(1999)}y`)).toContain(`${'x'.repeat(1999)}y<`);
});

test('rejects a URL of more than 1,000 bytes, but not one of 1,000', () => {
  const url = (bytes: number) => 'https://api.example/'.padEnd(bytes, 'x');
  expect(() => certificateHtml({ ...provenInput, verifyUrl: url(1001) })).toThrow(
    'the URL for the QR code has 1001 bytes; use at most 1000',
  );
  expect(certificateHtml({ ...provenInput, verifyUrl: url(1000) })).toContain(url(1000));
});

test('accepts members of any form', async () => {
  for (const value of [null, 7, 'text', [], [null], { a: { b: [1] } }]) {
    const members = ['items', 'pickup_location', 'required_evidence', 'temperature_min', 'status'];
    const odd = Object.fromEntries(members.map((member) => [member, value]));
    const payload = Object.fromEntries(Object.keys(condition).map((member) => [member, value]));
    const handover = { stage: value, from: value, to: value, methods: value, artifact: value };
    const history = [
      { ...events[9]!, payload },
      { ...events[6]!, payload: handover },
      { ...events[10]!, payload },
      { ...events[12]!, payload: { missing_seal_ids: value } },
      { ...events[15]!, payload: { erased: value } },
    ];
    const input = await inputOf(await proofOf(chained(orderId, history)), {
      order: { ...order, ...odd },
    });
    expect(certificateHtml(input)).toContain('</html>');
    expect((await certificatePdf(input)).length).toBeGreaterThan(1000);
  }
});
