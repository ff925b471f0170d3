import { type DescMethod, type Message, toJson } from '@bufbuild/protobuf';
import { callers } from '@pto/proto/callers';
import { scrub } from '@pto/telemetry';

const requestMaxBytes = 4096;
const targetMax = 255;

/**
 * The request as JSON, cut at 4 KiB. No field is for a secret; one that an operator pastes in the
 * place of an id is masked, as nobody can remove it from the log.
 */
export const requestText = (method: DescMethod, request: Message): string => {
  const text = scrub(JSON.stringify(toJson(method.input, request)));
  const bytes = Buffer.from(text);
  if (bytes.length <= requestMaxBytes) return text;
  // a character cut in two becomes U+FFFD, which stream mode leaves out
  const head = new TextDecoder().decode(bytes.subarray(0, requestMaxBytes), { stream: true });
  return `${head}…`;
};

/** What is acted on: the field at the path that the callers' table names; empty where none is. */
export const targetOf = (method: DescMethod, request: Message): string => {
  const path = callers[method.parent.typeName]?.[method.name]?.target ?? '';
  if (path === '') return '';
  const value = path.split('.').reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key)
      ? (at as Record<string, unknown>)[key]
      : undefined;
  }, request);
  return typeof value === 'string' ? recordable(value).slice(0, targetMax) : '';
};

/**
 * The text without secrets, and without control characters and lone surrogates, which the database
 * would reject or replace.
 */
export const recordable = (text: string): string =>
  scrub(text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD'));
