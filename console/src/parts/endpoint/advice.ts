import type { Schemas } from '../schemas.ts';

const early =
  'The connection ended early, or the bytes are no HTTP response: look at the proxy in front of the receiver.';
const rejected =
  'The receiver rejects the signature: give it the secret of this endpoint, let it verify the raw body, and remove any other authentication.';
const clock =
  'The receiver finds the signature too old or too new: its clock is wrong by more than 5 minutes.';

/** What the reasons of handshakes and attempts mean, and what to do, as docs/partners/webhooks.md. */
const byReason: Readonly<Record<string, string>> = {
  unreachable:
    'No connection within 3 seconds: check the DNS entry, the firewall and the port. The address must be public.',
  tls: 'No trusted certificate for this host, or the receiver rejects our client certificate: renew it, and send the intermediate certificates, too.',
  timeout: 'No complete response within 10 seconds: respond before you do any work.',
  connection_lost: early,
  protocol: early,
  redirect: 'Redirects are not followed: register the URL that the redirect names.',
  status:
    'The response to the GET must be 2xx: compare the URL with the routes of the receiver, and remove any login in front of it.',
  body: 'The response is not the nonce: return exactly the value of the parameter verification.',
  echo: 'The response repeats more of the request than the nonce: return the value of verification alone.',
  not_sent: 'We could not send the request. Try again later.',
  lost: 'The result was lost on our side. The attempt is repeated.',
  duplicate: 'A rehearsal of the sandbox sends the delivery again.',
};

/** What a receiver answers about a signature: the reasons of the verifiers, and what others write. */
const bySignature: readonly (readonly [RegExp, string])[] = [
  [/no secret/i, 'The receiver has no secret: give it the secret of this endpoint.'],
  [/stale|from_the_future|expired|timestamp|too old/i, clock],
  [/signature|_v1|_header|hmac/i, rejected],
];

const byStatus: readonly (readonly [from: number, to: number, advice: string])[] = [
  [300, 399, byReason.redirect!],
  [401, 403, rejected],
  [404, 410, 'The receiver takes no POST at this path: compare the URL with its routes.'],
  [413, 413, 'The receiver limits bodies too much: accept 64 KiB.'],
  [429, 429, 'The receiver limits requests: it must accept all events. They are sent again.'],
  [400, 499, 'The receiver rejects the request: its log says why.'],
  [500, 599, 'The receiver failed: look into its log at this time.'],
];

type Failed = Partial<
  Pick<Schemas['DeliveryAttempt'], 'status_code' | 'error' | 'response_body'>
> & {
  readonly reason?: string | null;
};

/** Returns what a failure means and what to do, in English; empty: nothing is known, or it is none. */
export const adviceOn = ({ status_code, error, response_body, reason }: Failed): string => {
  const known = byReason[error ?? reason ?? ''];
  if (known) return known;
  const status = status_code ?? 0;
  const said = status < 400 ? undefined : bySignature.find(([of]) => of.test(response_body ?? ''));
  return said?.[1] ?? byStatus.find(([from, to]) => status >= from && status <= to)?.[2] ?? '';
};
