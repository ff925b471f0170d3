/** Who says whether a delivery is believed: SDKs of others, whose header has our form, and ours. */
import { execFileSync } from 'node:child_process';
import { pythonWith } from '@pto/testing';
import { verify } from '@pto/webhook-verifier';
import { Stripe } from 'stripe';

/** A body and its header as they came, and who judges them when. */
export interface Call {
  readonly rawBody: Buffer;
  readonly header: string;
  readonly secret: string;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** Stripe's SDK for Node. */
export const byStripe = ({ rawBody, header, secret, now }: Call): boolean => {
  try {
    Stripe.webhooks.constructEvent(rawBody, header, secret, undefined, undefined, now * 1000);
    return true;
  } catch {
    return false;
  }
};

/** What our receivers are given. */
export const byUs = async ({ rawBody, header, secret, now }: Call): Promise<boolean> =>
  (await verify({ rawBody, header, secrets: [secret], now })).valid;

/** Null if it is not available. */
export const stripesPython = pythonWith(['stripe==16.1.0']);
const program = `
import base64, json, sys, time
import stripe

def judge(call):
    time.time = lambda: call["now"]
    try:
        body = base64.b64decode(call["body"])
        stripe.Webhook.construct_event(body, call["header"], call["secret"], api_key="none")
        return True
    except (stripe.SignatureVerificationError, UnicodeDecodeError):
        return False

json.dump([judge(call) for call in json.load(sys.stdin)], sys.stdout)
`;
/** Stripe's SDK for Python, asked for many at once. */
export const byStripesPython = (calls: readonly Call[]): boolean[] => {
  const asked = calls.map((call) => ({ ...call, body: call.rawBody.toString('base64') }));
  const input = JSON.stringify(asked);
  return JSON.parse(execFileSync(stripesPython!, ['-c', program], { input, encoding: 'utf8' }));
};
