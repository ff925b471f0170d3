import { entries, proof } from '../samples/a-proof.ts';
import { entryForm } from './entry-form.ts';
import { bad, type Draft } from './forge.ts';
import type { Vector } from './vector.ts';

const text = JSON.stringify(proof);

const badText = (name: string, file: string, reason?: string): Vector => ({
  name,
  input: { file },
  expect: { verdict: 'invalid', at: 'form', ...(reason && { reason }) },
});

/** What two readers could read differently, or what is not the form of the file. */
export const form: Vector[] = [
  badText('an empty file', '', 'not JSON: damaged, cut off or empty'),
  badText('a truncated file', text.slice(0, -20), 'not JSON: damaged, cut off or empty'),
  badText('null', 'null'),
  badText('a list of events', JSON.stringify(entries)),
  badText('nested beyond reason', '['.repeat(1000) + ']'.repeat(1000), 'nested too deeply'),
  badText(
    'a member name twice',
    text.replace('"count":3', '"count":2,"count":3'),
    'a member name stands twice in one object',
  ),
  badText(
    'a name twice in a payload, once escaped',
    text.replace('"seal_id"', '"seal_id":"S-9","seal\\u005fid"'),
    'a member name stands twice in one object',
  ),
  badText('-0', text.replace('"gps_lat":null', '"gps_lat":-0'), '-0 is written as 0'),
  badText(
    'a number that loses digits',
    text.replace('4.5', '4.50000000000000000001'),
    'the number 4.50000000000000000001 loses digits',
  ),
  badText(
    'a number of 401 characters',
    text.replace('4.5', `4.5${'0'.repeat(398)}`),
    'a number has more than 400 characters',
  ),
  badText('an infinite number', text.replace('4.5', '1e999'), 'a number is not finite'),
  badText('a lone surrogate', text.replace('"S-1042"', '"\\ud800"'), 'a lone surrogate is no text'),
  bad('form', 'an unknown version', (draft) => {
    draft.v = 'custody-proof/2';
  }),
  bad('form', 'a missing member', (draft) => {
    delete (draft as Partial<Draft>).keys;
  }),
  bad('form', 'an unknown member', (draft) => Object.assign(draft, { remark: 'all is well' })),
  bad('form', 'an order id in upper case', (draft) => {
    draft.order_id = draft.order_id.toUpperCase();
  }),
  bad('form', 'entries that are no array', (draft) => {
    draft.entries = {} as never;
  }),
  bad('genesis', 'an unknown member of genesis', (draft) => {
    draft.genesis.v = 1;
  }),
  bad('count', 'a count as text', (draft) => {
    draft.count = '3';
  }),
  bad('head_hash', 'a head in upper case', (draft) => {
    draft.head_hash = draft.head_hash.toUpperCase();
  }),
  bad(
    'entries',
    'an entry that is no object',
    (draft) => {
      draft.entries[0] = null;
    },
    { index: 0, reason: 'not an object' },
  ),
  ...entryForm,
];
