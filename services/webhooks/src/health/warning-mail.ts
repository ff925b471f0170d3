import type { Mail } from '@pto/mail';
import type { WarningLevel } from './health.ts';

export interface WarningFacts {
  readonly endpointId: string;
  readonly url: string;
  readonly level: WarningLevel;
  readonly consecutiveFailures: number;
  readonly failuresMax: number;
  /** When the endpoint becomes BROKEN, `YYYY-MM-DDTHH:mm:ss.sssZ`; null if no time is known. */
  readonly breaksAt: string | null;
  readonly lastSuccessAt: string | null;
  /** The last failed attempts, newest first. */
  readonly attempts: readonly {
    readonly at: string;
    readonly event: string;
    /** Status or error: `HTTP 503`, `timeout`. */
    readonly result: string;
  }[];
  readonly publicBaseUrl: string;
}

/** Returns the warning mail to administrators: what fails, the last failures, how to recover. */
export const warningMail = (facts: WarningFacts): Omit<Mail, 'to'> => {
  const url = withoutQuery(facts.url);
  const { host } = new URL(facts.url);
  const broken = facts.level === 100;
  return {
    subject: broken
      ? `Your webhook endpoint at ${host} is BROKEN: nothing is delivered to it`
      : `Your webhook endpoint at ${host} keeps failing (${facts.level} % of what it may)`,
    text: [
      broken
        ? `Your webhook endpoint ${url} has failed for so long that we stopped delivering to it.`
        : `Your webhook endpoint ${url} has failed ${facts.consecutiveFailures} times in a row. At ${facts.failuresMax} failures in a row we stop delivering to it.`,
      ...(facts.breaksAt && !broken
        ? [`If no delivery succeeds before ${facts.breaksAt}, we stop delivering then.`]
        : []),
      '',
      `Endpoint: ${facts.endpointId}`,
      `Last success: ${facts.lastSuccessAt ?? 'never'}`,
      'The last failed attempts:',
      ...facts.attempts.map(({ at, event, result }) => `- ${at}  ${event}  ${result}`),
      '',
      'What to do:',
      '1. Find out why your receiver does not answer 2xx within 10 seconds.',
      `2. Prove that it works: POST ${facts.publicBaseUrl}/webhooks/${facts.endpointId}/verify${broken ? ' makes it ENABLED again.' : ' resets the count.'}`,
      `3. Fetch what you missed: POST ${facts.publicBaseUrl}/webhooks/${facts.endpointId}/recover with {"since": "<when it began>"}.`,
      '',
    ].join('\n'),
  };
};

/** Removes the query: it may contain a secret of the receiver. */
const withoutQuery = (text: string): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
};
