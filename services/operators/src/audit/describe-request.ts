import { type DescMethod, type Message, toJson } from '@bufbuild/protobuf';
import { callers } from '@pto/proto/callers';
import { scrub } from '@pto/telemetry';

const requestMaxBytes = 4096;
const targetMax = 255;

/**
 * Returns the request as JSON, cut at 4 KiB. No field is meant for a secret. A secret that an
 * operator pastes in place of an id is masked, because nobody can remove it from the log.
 */
export const requestText = (method: DescMethod, request: Message): string => {
  const text = scrub(JSON.stringify(toJson(method.input, request)));
  const bytes = Buffer.from(text);
  if (bytes.length <= requestMaxBytes) return text;
  // stream mode omits a character that the cut has split, instead of writing U+FFFD
  const head = new TextDecoder().decode(bytes.subarray(0, requestMaxBytes), { stream: true });
  return `${head}…`;
};

/**
 * Returns the target of a call: the value of the field that `proto/callers.ts` names for the RPC,
 * cut at 255 characters; empty if no field is named.
 */
export const targetOf = (method: DescMethod, request: Message): string => {
  const path = callers[method.parent.typeName]?.[method.name]?.target ?? '';
  if (path === '') return '';
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], request);
  return typeof value === 'string' ? recordable(value).slice(0, targetMax) : '';
};

/** Fields that name the place of a page in a list. All other fields say what is read. */
const placeFields = ['afterId', 'afterOrderId', 'beforeId', 'cursor', 'pageToken', 'walk'];

/**
 * Returns what a read reads, without the place and the size of its page, and whether the request
 * asks for a further page.
 */
export const readOf = (
  method: DescMethod,
  request: Message,
): { readonly read: string; readonly isFurtherPage: boolean } => {
  const { pageSize, ...fields } = toJson(method.input, request) as Record<string, unknown>;
  // proto's JSON form omits an empty place
  const isFurtherPage = placeFields.some(
    (name) => fields[name] !== undefined && fields[name] !== '',
  );
  for (const name of placeFields) delete fields[name];
  return { read: JSON.stringify(fields), isFurtherPage };
};

/**
 * Returns the text with secrets masked. Control characters and lone surrogates, which the database
 * would reject or replace, become U+FFFD.
 */
export const recordable = (text: string): string =>
  scrub(text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD'));
