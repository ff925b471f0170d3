import { reject } from '../reject.ts';
import { type Body, nesting, type Place } from './body.ts';
import { Lexer } from './lexer.ts';
import type { ObjectStream } from './object-streams.ts';

/** Maximum number of tokens that are read for all open actions; one action has about 20. */
const tokensMax = 100_000;

/**
 * Checks that opening the PDF only jumps to a page: /OpenAction is a destination or a GoTo action.
 * LaTeX writes such an action as an object of its own.
 * @param objectStreams the decompressed object streams.
 * @throws Failure for any other action.
 */
export const checkOpenActions = (
  actions: readonly Place[],
  body: Body,
  bytes: Buffer,
  objectStreams: readonly ObjectStream[],
): void => {
  if (actions.length === 0) return;
  const objects = placesByNumber(body, bytes, objectStreams);
  const checked = new Set<string>();
  let tokens = 0;
  const next = (lexer: Lexer) => (++tokens > tokensMax ? rejectAction() : lexer.next());

  const checkValue = ({ bytes, at }: Place, mayRefer: boolean): void => {
    const lexer = new Lexer(bytes, at);
    const kind = next(lexer);
    if (kind === '<<') checkDictionary(lexer);
    if (kind !== 'word' || lexer.text() === 'null') return;
    const number = lexer.text();
    if (!mayRefer || !/^\d{1,10}$/.test(number)) rejectAction();
    if (checked.has(number)) return;
    checked.add(number);
    for (const place of objects.get(Number(number)) ?? []) checkValue(place, false);
  };
  const checkDictionary = (lexer: Lexer): void => {
    const types: string[] = [];
    for (let depth = 1; depth > 0; ) {
      const kind = next(lexer);
      if (kind === 'end') rejectAction();
      depth += nesting(kind);
      if (kind !== 'name' || depth !== 1) continue;
      if (lexer.text() === '/Next') rejectAction();
      if (lexer.text() === '/S') types.push(next(lexer) === 'name' ? lexer.text() : '');
    }
    if (types.length !== 1 || types[0] !== '/GoTo') rejectAction();
  };
  for (const action of actions) checkValue(action, true);
};

const rejectAction = (): never =>
  reject('the PDF has an /OpenAction that is no jump to a page: print it to a new PDF');

/** Returns every version of each object, because viewers differ in which of two they use. */
const placesByNumber = (
  { objects }: Body,
  bytes: Buffer,
  objectStreams: readonly ObjectStream[],
): ReadonlyMap<number, readonly Place[]> => {
  const places = new Map<number, Place[]>();
  const add = (number: number, place: Place): void => {
    const known = places.get(number);
    if (known) known.push(place);
    else places.set(number, [place]);
  };
  for (const { number, at } of objects) add(number, { bytes, at });
  for (const stream of objectStreams)
    for (const { number, at } of directoryOf(stream)) add(number, { bytes: stream.bytes, at });
  return places;
};

/** Returns the number and the offset of each object. */
const directoryOf = ({ bytes, first }: ObjectStream): { number: number; at: number }[] => {
  const objects: { number: number; at: number }[] = [];
  const lexer = new Lexer(bytes, 0, Math.min(first, bytes.length));
  for (;;) {
    const [number, offset] = [integer(lexer), integer(lexer)];
    if (number === undefined || offset === undefined) return objects;
    objects.push({ number, at: first + offset });
  }
};

const integer = (lexer: Lexer): number | undefined =>
  lexer.next() === 'word' && /^\d+$/.test(lexer.text()) ? Number(lexer.text()) : undefined;
