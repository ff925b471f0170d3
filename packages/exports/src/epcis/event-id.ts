/** The event hash of GS1's Core Business Vocabulary 2.0 (section 8.9), by which an event is named. */
import { createHash } from 'node:crypto';
import { namespace } from '../identifiers.ts';
import type { Json, JsonObject } from '../order-record.ts';

/**
 * Returns the `eventID` of an event.
 *
 * GS1's reference implementation (`epcis_event_hash_generator` 1.9.3) and the text of the standard
 * differ: the reference puts the lists of transactions, destinations and sources behind the sensors
 * and orders the three by name. This function does what the reference does, so that a partner can
 * recompute each id with it.
 * @param event with times of milliseconds in UTC. Members of other namespaces than ours are not
 *   supported, nor are EPCs of GS1, booleans, nulls and texts that look like numbers.
 */
export const eventId = (event: JsonObject): string =>
  `ni:///sha-256;${createHash('sha256').update(preHash(event)).digest('hex')}?ver=CBV2.0`;

/** Returns the canonical text of an event: its members as `name=value` in a fixed order. */
export const preHash = (event: JsonObject): string =>
  `eventType=${event.type}${inOrder(event, eventOrder)}${remaining(event)}`;

const terms = 'https://ref.gs1.org/cbv/';

/**
 * Returns a finite number as the reference writes it (Python): a whole number with all its digits, and
 * an exponent of at least two digits below 0.0001.
 */
const numberText = (number: number): string => {
  if (Number.isInteger(number)) return String(BigInt(number));
  if (Math.abs(number) >= 0.0001) return String(number);
  return number.toExponential().replace(/e-(\d)$/, 'e-0$1');
};

/** The members whose value is a word of the vocabulary, and the URI that the word stands for. */
const vocabulary: Readonly<Record<string, string>> = {
  bizStep: `${terms}BizStep-`,
  disposition: `${terms}Disp-`,
};

type Order = readonly (readonly [name: string, write: (value: Json) => string])[];

const value =
  (name: string, prefix = '') =>
  (found: Json): string =>
    `${name}=${prefix}${typeof found === 'number' ? numberText(found) : found}`;
const values = (list: string, name: string) => [list, each(list, value(name))] as const;
const plain = (name: string) => [name, value(name, vocabulary[name])] as const;
const place = (name: string) =>
  [name, (found: Json) => `${name}id=${(found as JsonObject).id}`] as const;

/** Writes a list: its name once, then its elements, sorted. */
const each =
  (name: string, write: (element: Json) => string) =>
  (list: Json): string =>
    name + sorted((list as readonly Json[]).map(write));

const sorted = (texts: readonly string[]): string => texts.toSorted().join('');

const inOrder = (members: JsonObject, order: Order): string =>
  order.map(([name, write]) => (members[name] === undefined ? '' : write(members[name]))).join('');

const metadataOrder: Order = ['startTime', 'endTime', 'deviceID', 'deviceMetadata', 'rawData'].map(
  plain,
);

const reportOrder: Order = [
  ['type', value('type', 'https://gs1.org/voc/')],
  ['exception', value('exception', 'https://gs1.org/voc/')],
  ...['value', 'minValue', 'maxValue', 'meanValue', 'uom'].map(plain),
];

const elementOrder: Order = [
  ['sensorMetadata', (found) => `sensorMetadata${inOrder(found as JsonObject, metadataOrder)}`],
  ['sensorReport', each('', (found) => `sensorReport${inOrder(found as JsonObject, reportOrder)}`)],
];

const eventOrder: Order = [
  plain('eventTime'),
  plain('eventTimeZoneOffset'),
  plain('parentID'),
  values('epcList', 'epc'),
  values('childEPCs', 'epc'),
  plain('action'),
  plain('bizStep'),
  plain('disposition'),
  place('readPoint'),
  place('bizLocation'),
  [
    'sensorElementList',
    each(
      'sensorElementList',
      (found) => `sensorElement${inOrder(found as JsonObject, elementOrder)}`,
    ),
  ],
];

/** Returns the writer of a list of pairs: a type of the vocabulary and a URI. */
const pairs = (list: string, name: string, prefix: string) =>
  each(list, (found) => {
    const pair = found as JsonObject;
    const type = String(pair.type);
    return `type=${type.includes(':') ? '' : prefix}${type}${name}=${pair[name]}`;
  });

const lists: Readonly<Record<string, (list: Json) => string>> = {
  bizTransactionList: pairs('bizTransactionList', 'bizTransaction', `${terms}BTT-`),
  sourceList: pairs('sourceList', 'source', `${terms}SDT-`),
  destinationList: pairs('destinationList', 'destination', `${terms}SDT-`),
};

/** Writes the lists of pairs and the members of our namespace, sorted. */
const remaining = (event: JsonObject): string =>
  sorted(
    Object.entries(event).flatMap(([name, found]) => {
      if (found === undefined) return [];
      if (Object.hasOwn(lists, name)) return [lists[name]!(found)];
      if (!name.startsWith('pto:')) return [];
      const full = `{${namespace}}${name.slice('pto:'.length)}`;
      return (Array.isArray(found) ? found : [found]).map(value(full));
    }),
  );
