/** Every text of the driver's page has its German row. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  handoverMethods,
  handoverStages,
  incidentKinds,
  orderStatuses,
  partyRoles,
  severities,
} from '@pto/proto/vocabulary';
import { german } from '../../../console/src/driver/german.ts';
import { differingRows, readTexts } from '../console/page-texts.ts';

describe("the German driver's page", () => {
  let found: Awaited<ReturnType<typeof readTexts>>;
  beforeAll(async () => {
    found = await readTexts('console/src/driver/main.tsx');
  });

  test('no page draws a text that is in English alone', () => {
    expect(found.files).toContain('console/src/driver/handover-fields.tsx');
    expect(found.untranslated).toEqual([]);
  });

  test('each text has its German row', () => {
    expect([...found.texts].filter((text) => !Object.hasOwn(german, text)).sort()).toEqual([]);
  });

  test('each value that the page shows has its German row', () => {
    const values = [
      ...[...orderStatuses, ...handoverStages, ...handoverMethods],
      ...[...partyRoles, ...incidentKinds, ...severities],
    ];
    const words = values.map((value) => value.replaceAll('_', ' ').toLowerCase());
    expect(words.filter((word) => !Object.hasOwn(german, word))).toEqual([]);
  });

  test('each row names the places of its text', () => {
    expect(differingRows(german)).toEqual([]);
  });
});
