import { expect, test } from '@jest/globals';
import { certificateHtml } from '../src/index.ts';
import { chained, condition, type Event, events } from './samples/a-history.ts';
import { inputOf, proofOf, provenInput } from './samples/an-input.ts';
import { order, orderId } from './samples/an-order.ts';

const htmlOf = async (history: readonly Event[], of: object = order) =>
  certificateHtml(await inputOf(await proofOf(chained(orderId, history)), { order: of }));
const unlimited = { ...order, temperature_min: null, temperature_max: null };
const ofTypes = (...types: readonly string[]) =>
  events.filter(({ internalType }) => types.includes(internalType));
const recorded = (payload: object) => ({
  ...events.find(({ internalType }) => internalType === 'CONDITION_RECORDED')!,
  payload: { ...condition, calibration_expired: false, ...payload },
});

test('the deviations stand between the verdict and everything else', () => {
  const html = certificateHtml(provenInput);
  const places = [
    'Proven: a trusted key',
    'Deviations were recorded:',
    'Incident reported: 1 (entry 9)',
    'Seals do not match: 1 (entry 13)',
    'Temperature outside of the limits: 1 excursion, together 12 min 30 s.',
    'What this document does not prove',
  ].map((text) => html.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('the incidents have a difference of seals, with the missing and the unexpected ones', async () => {
  const html = await htmlOf(ofTypes('SEAL_MISMATCH'));
  expect(html).toContain('Seals do not match: 1 (entry 1)');
  expect(html.slice(html.indexOf('<h2>Incidents'))).toContain(
    'Drop-off<br>Missing seals: S-1002<br>Unexpected seals: S-9999',
  );
  expect(html).not.toContain('No incident was recorded.');
});

test('a transport without deviations says so', async () => {
  const html = await htmlOf(ofTypes('ORDER_SUBMITTED', 'PICKUP_STARTED'), unlimited);
  expect(html).toContain('No deviation was recorded.');
  expect(html).toContain('No incident was recorded.');
});

test('excursions outside of the custody are listed apart and are no deviation', async () => {
  const outside = {
    ...{ excursion_count: 2, excursion_seconds: 210 },
    excursions: condition.excursions,
  };
  const none = { excursion_count: 0, excursion_seconds: 0, excursions: [] };
  const custody = { ...condition.custody, outside };
  const html = await htmlOf([recorded({ ...none, custody })]);
  expect(html).toContain('No deviation was recorded.');
  expect(html).toContain('Outside of the custody, no incident: 2 excursions, together 3 min 30 s.');
  expect(html).toContain('aria-label="Excursions outside of the custody"');
  expect(html).not.toContain('aria-label="Excursions"');
});

const [picked, delivered] = [ofTypes('PICKUP_STARTED'), ofTypes('CUSTODY_TRANSFERRED')];

test('a record states which part of the custody it covers', async () => {
  const part = (html: string) => /<dt>Part of the custody<\/dt><dd>([^<]*)</.exec(html)?.[1];
  const span = '2026-11-27, 09:40 UTC – 2026-11-27, 12:40 UTC';
  expect(part(await htmlOf([...picked, recorded({}), ...delivered]))).toBe(
    `${span}: 3 h of 3 h 36 min`,
  );
  expect(part(await htmlOf([...picked, recorded({})]))).toBe(`${span}: 3 h`);
  // an entry of before decision 78 has no custody
  const { custody: _, ...payload } = condition;
  const before = { ...recorded({}), payload };
  expect(part(await htmlOf([...picked, before, ...delivered]))).toBe(`${span}: 3 h of 3 h 36 min`);
  const custody = { ...condition.custody, covered: null };
  const none = { excursion_count: 0, excursion_seconds: 0, excursions: [] };
  const uncovered = await htmlOf([...picked, recorded({ ...none, custody })]);
  expect(part(uncovered)).toBe('none: no reading lies within the custody');
  const noExcursions = '<dt>Excursions</dt><dd>none</dd>';
  expect(uncovered).not.toContain(noExcursions);
  expect(await htmlOf([...picked, recorded(none)])).toContain(noExcursions);
});

test('a delivered order with limits and without a reading of its custody deviates', async () => {
  const text = 'No reading lies within the custody, although the order has temperature limits.';
  expect(await htmlOf([...picked, ...delivered])).toContain(text);
  expect(await htmlOf([...picked, ...delivered], unlimited)).not.toContain(text);
  expect(await htmlOf(picked)).not.toContain(text);
  expect(await htmlOf([...picked, recorded({}), ...delivered])).not.toContain(text);
});
