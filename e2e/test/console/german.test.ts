/** Every text of the portal's pages has its German row: read from the sources that the portal's script is built of. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryStates, endpointStatuses, orderStatuses } from '@pto/proto/vocabulary';
import { german } from '../../../console/src/portal/german/index.ts';
import { differingRows, readTexts } from './page-texts.ts';

describe('the German portal', () => {
  let found: Awaited<ReturnType<typeof readTexts>>;
  beforeAll(async () => {
    found = await readTexts('console/src/portal/main.tsx');
  });

  test('each file of the portal is read', () => {
    expect(found.files).toContain('console/src/parts/order-facts.tsx');
  });

  test('no page draws a text that is in English alone', () => {
    expect(found.untranslated).toEqual([]);
  });

  test('each text has its German row', () => {
    expect([...found.texts].filter((text) => !Object.hasOwn(german, text)).sort()).toEqual([]);
  });

  test('each state of an order, an endpoint and a delivery has its German row', () => {
    const states = [
      ...orderStatuses,
      ...endpointStatuses,
      'DISABLED',
      'FAILING',
      ...deliveryStates,
    ];
    const words = states.map((state) => state.replaceAll('_', ' ').toLowerCase());
    expect(words.filter((word) => !Object.hasOwn(german, word))).toEqual([]);
  });

  test('each row names the places of its text', () => {
    expect(differingRows(german)).toEqual([]);
  });
});
