import { Failure } from '@pto/errors';
import { entryColumns } from '../chain/read-chain.ts';
import type { Rows } from '../schema/ledger-database.ts';

/** The columns of `entries`, in the order of a page's JSON. */
export const copiedColumns = [
  ...entryColumns,
  'appended_at',
  'external_id',
  'order_status',
  'order_updated_at',
] as const;

/** An entry with its number in the organization's feed (decision 68). */
export type NumberedEntry = Readonly<Pick<Rows['entries'], (typeof copiedColumns)[number]>> & {
  readonly number: number;
};

/** A page of an organization's entries, in the order of their numbers. */
export interface EntriesPage {
  readonly organizationId: string;
  readonly entries: readonly NumberedEntry[];
}

export const encodePage = ({ organizationId, entries }: EntriesPage): Uint8Array =>
  Buffer.from(JSON.stringify({ organization_id: organizationId, entries }));

/**
 * Reads a page that `encodePage` has written. Every member has the type of its column; nothing else
 * is verified.
 * @throws Failure VALIDATION
 */
export const decodePage = (bytes: Uint8Array): EntriesPage => {
  const page = parsed(bytes);
  const { organization_id: organizationId, entries } = page ?? {};
  if (!isUuid(organizationId) || !Array.isArray(entries)) throw malformed('the page');
  for (const [n, entry] of entries.entries()) {
    const wrong = wrongMember(entry);
    if (wrong !== null) throw malformed(`${wrong} of entry ${n + 1} of the page`);
  }
  return { organizationId, entries };
};

const parsed = (bytes: Uint8Array): Record<string, unknown> | null => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw malformed('the page', error);
  }
};

const malformed = (what: string, cause?: unknown): Failure =>
  new Failure('VALIDATION', `rows is not a page of entries: ${what} is malformed.`, { cause });

type Form = (value: unknown) => boolean;

const isUuid = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value);
/** PostgreSQL stores no NUL, and a lone surrogate as another character. */
const isText: Form = (value) =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
const isCount =
  (most: number): Form =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most;
const nullOr =
  (form: Form): Form =>
  (value) =>
    value === null || form(value);
const isNumber = (value: unknown) => typeof value === 'number';
const isJson: Form = (value) => {
  try {
    return isText(value) && typeof JSON.parse(value as string) === 'object';
  } catch {
    return false;
  }
};
/** A timestamptz as PostgreSQL writes it in UTC. */
const isTimestamp: Form = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value);

const forms: Readonly<Record<keyof NumberedEntry, Form>> = {
  number: isCount(Number.MAX_SAFE_INTEGER),
  order_id: isUuid,
  sequence: isCount(2 ** 31 - 1),
  id: isUuid,
  type: isText,
  internal_type: isText,
  ts_utc: isText,
  gps_lat: nullOr(isNumber),
  gps_lng: nullOr(isNumber),
  payload: nullOr(isJson),
  prev_event_hash: isText,
  event_hash: isText,
  canonical_text: isText,
  appended_at: isTimestamp,
  external_id: nullOr(isText),
  order_status: nullOr(isText),
  order_updated_at: nullOr(isText),
};

/** Returns the first member that is missing, of another type, or unknown; null if there is none. */
const wrongMember = (entry: unknown): string | null => {
  if (typeof entry !== 'object' || entry === null) return 'a member';
  const members = entry as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(forms, name));
  const wrong = Object.entries(forms).find(([name, form]) => !form(members[name]));
  return unknown !== undefined ? 'an unknown member' : (wrong?.[0] ?? null);
};
