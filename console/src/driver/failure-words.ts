/** What a driver reads of a failed call, and does about it. */
import { answers } from '../calls/answer.ts';
import { t } from '../parts/words.ts';

export interface Reason {
  /** A kind of packages/errors; `NO_ANSWER`: no server answered. */
  readonly kind: string;
  /** The field or resource that the failure is about; empty: none. */
  readonly subject?: string;
  /** The sentence of the service, in English; empty: none. */
  readonly message: string;
}

const ofAnswers = Object.fromEntries(
  Object.entries(answers).map(([kind, both]) => [kind, () => both().join(' ')]),
);
const notPermitted = () => t('Your shift does not permit this. Call your dispatcher.');

/** By kind, and by kind and subject. */
export const words: Readonly<Record<string, () => string>> = {
  ...ofAnswers,
  REQUEST_TIMEOUT: ofAnswers.SERVICE_UNAVAILABLE!,
  ORGANIZATION_HELD: ofAnswers.SERVICE_UNAVAILABLE!,
  INTERNAL: () => t('The server has an error. Try again; if it stays so, call your dispatcher.'),
  OPERATOR_NOT_AUTHENTICATED: () => t('The shift has ended. Ask the dispatcher for a link.'),
  OPERATOR_NOT_PERMITTED: notPermitted,
  CALLER_NOT_ALLOWED: notPermitted,
  NOT_FOUND: () => t('This phone has no such order of yours.'),
  'NOT_FOUND driver link': () =>
    t('This link was opened before, has expired or is not complete. Ask for a new one.'),
  ILLEGAL_TRANSITION: () => t('The order has moved on meanwhile.'),
  IDEMPOTENCY_KEY_REUSED: () => t('Another record has the same number. Record it again.'),
  VALIDATION: () => t('The server does not accept a value.'),
  'VALIDATION code': () => t('The code was wrong, or is locked.'),
  'VALIDATION artifact': () => t('The picture cannot be used. Take another photo.'),
  'VALIDATION readings': () => t('The file of the logger cannot be used, or was sent before.'),
  'VALIDATION device': () => t('The signature of this phone does not fit the record.'),
  'VALIDATION key': () => t('The office had blocked this phone when you recorded it.'),
  'VALIDATION incident': () => t('Too many incidents are open. Call your dispatcher.'),
};

/** Returns what went wrong, and what to do. */
export const textOf = ({ kind, subject }: Reason): string =>
  (words[`${kind} ${subject}`] ?? words[kind] ?? words.INTERNAL!)();
