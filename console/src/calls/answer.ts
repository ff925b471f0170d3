/** What a failed call is where no service names it: what a proxy, the console's server or nobody has answered. */
import { Code, type ConnectError } from '@connectrpc/connect';
import { t } from '../parts/words.ts';

/** What a person reads about a failed call. */
export interface Failed {
  /** A kind of packages/errors, such as ILLEGAL_TRANSITION; empty if no service answered. */
  readonly kind: string;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** The same, with what to do. */
  readonly message: string;
  /** By which the logs have the call; empty: none, as no service answered. */
  readonly requestId: string;
  /** No service answered, and a later call may get an answer. */
  readonly isOffline: boolean;
  /** It is open whether a command took effect. */
  readonly isOpen: boolean;
}

type Words = () => readonly [what: string, advice: string];

const busy: Words = () => [
  t('The server is busy or being updated.'),
  t('Nothing is lost. Wait a minute.'),
];

/** What it is and what to do, by a kind of packages/errors; `NO_ANSWER`: nobody has answered. */
export const answers = {
  NO_ANSWER: () => [t('No answer.'), t('Check the network; the page tries again.')],
  RATE_LIMITED: () => [t('Too many requests.'), t('Wait a minute, then try again.')],
  SERVICE_UNAVAILABLE: busy,
  DEADLINE_EXCEEDED: busy,
  INTERNAL: () => [t('The server has an error.'), t('Try again.')],
} as const satisfies Readonly<Record<string, Words>>;

export type Answer = keyof typeof answers;

const byStatus: Readonly<Record<number, Answer>> = {
  429: 'RATE_LIMITED',
  502: 'SERVICE_UNAVAILABLE',
  503: 'SERVICE_UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/**
 * Returns what a response without a service's words is; undefined: the request was wrong.
 * @param status undefined: no response came.
 */
export const answerOf = (status: number | undefined): Answer | undefined =>
  status === undefined
    ? 'NO_ANSWER'
    : (byStatus[status] ?? (status < 500 ? undefined : 'INTERNAL'));

/** Of the errors that the console's server sends. */
const byCode: Readonly<Partial<Record<Code, number>>> = {
  [Code.ResourceExhausted]: 429,
  [Code.Unavailable]: 503,
  [Code.DeadlineExceeded]: 504,
  [Code.Unknown]: 500,
  [Code.Internal]: 500,
};

/** Returns the status of the response of a failed RPC; undefined: no response of the server came. */
export const statusOf = ({
  code,
  metadata,
  rawMessage,
}: Pick<ConnectError, 'code' | 'metadata' | 'rawMessage'>): number | undefined => {
  // the metadata of a response are its headers; a page of HTML is that of a network's sign-in
  const isNone = metadata.keys().next().done || rawMessage.startsWith('unsupported content type');
  if (isNone) return undefined;
  // Connect takes a proxy's 429 for Unavailable, and names the status
  const [, named] = /^HTTP (\d+)$/.exec(rawMessage) ?? [];
  return named === undefined ? (byCode[code] ?? 400) : Number(named);
};

/** Returns a response without a service's words in words. @param status undefined: none came. */
export const unanswered = (
  status: number | undefined,
  message: string,
  requestId: string,
): Failed => {
  const answer = answerOf(status);
  const [what, advice] = answer ? answers[answer]() : [message];
  return {
    ...{ kind: '', what, requestId },
    message: advice === undefined ? what : `${what} ${advice}`,
    isOffline: answer !== undefined && answer !== 'INTERNAL',
    // a proxy that limits requests does not pass them on
    isOpen: answer !== undefined && answer !== 'RATE_LIMITED',
  };
};
