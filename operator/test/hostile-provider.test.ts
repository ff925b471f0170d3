import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { signIn } from '../src/session/provider.ts';
import {
  type Answer,
  type Answers,
  deviceCode,
  html,
  json,
  scriptedProvider,
  tokens,
} from './scripted-provider.ts';

type Seen = Awaited<ReturnType<typeof signInAt>>;

/** Signs in at a provider with these responses. */
const signInAt = async (answers: Answers) => {
  const provider = await scriptedProvider(answers);
  const { issuer, polls } = provider;
  const kind = { operatorUrl: 'https://gateway.example', issuer, clientId: 'cli' };
  const shown: number[] = [];
  try {
    const session = await signIn({ ...kind, maxAgeSeconds: 600 }, ['openid'], (code) =>
      shown.push(code.expiresInSeconds),
    );
    return { session, polls, shown };
  } catch (error) {
    const { kind, message } = error as Failure;
    return { kind, message: message.replace(issuer, 'ISSUER'), polls, shown };
  } finally {
    await provider.stop();
  }
};

const away = 'http://127.0.0.1:9/'; // the discard port: nothing listens there
const error = (name: string): Answer => json(400, { error: name });
const withToken = (claims: object): Answers => ({
  token: (request, ...rest) => {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: `http://${request.headers.host}`, aud: 'cli', sub: 'ada' };
    json(200, tokens({ ...good, iat: now, exp: now + 300, ...claims }))(request, ...rest);
  },
});
const code = (members: object): Answer => json(200, deviceCode(members));
const unavailable = (reason: string) => ({
  kind: 'SERVICE_UNAVAILABLE',
  message: `The OpenID provider ISSUER did not respond: ${reason}. Try again.`,
});
const rejected = (reason: string) => ({
  kind: 'OPERATOR_NOT_AUTHENTICATED',
  message: `The sign-in did not succeed: ${reason}. Run \`operator login\` again.`,
});
const expired = {
  kind: 'OPERATOR_NOT_AUTHENTICATED',
  message: 'The code expired. Run `operator login` again.',
};
const claim = 'unexpected JWT claim value encountered';

const cases: readonly (readonly [what: string, Answers, object])[] = [
  [
    'serves HTML as its configuration',
    { discovery: html(200) },
    unavailable('unexpected response content-type'),
  ],
  [
    'redirects its configuration',
    { discovery: html(302, away) },
    unavailable('unexpected HTTP response status code'),
  ],
  [
    'serves HTML as the device code',
    { device: html(200) },
    unavailable('unexpected response content-type'),
  ],
  [
    'redirects the device code',
    { device: html(307, away) },
    unavailable('unexpected HTTP response status code'),
  ],
  [
    'does not know the client',
    { device: error('unauthorized_client') },
    rejected('unauthorized_client'),
  ],
  [
    'names no lifetime',
    { device: code({ expires_in: 'soon' }) },
    unavailable('invalid response encountered'),
  ],
  ['serves HTML as tokens', { token: html(200) }, unavailable('unexpected response content-type')],
  [
    'redirects the tokens',
    { token: html(307, away) },
    unavailable('unexpected HTTP response status code'),
  ],
  ['says that the code expired', { token: error('expired_token') }, rejected('expired_token')],
  [
    'rejects the code as that of another client',
    { token: error('invalid_grant') },
    rejected('invalid_grant'),
  ],
  [
    'stays pending until the code expires',
    { device: code({ expires_in: 2 }), token: error('authorization_pending') },
    expired,
  ],
  ['never responds with tokens', { device: code({ expires_in: 2 }), token: () => {} }, expired],
  ['issues a token for another client', withToken({ aud: 'other' }), unavailable(claim)],
  [
    'issues a token of another issuer',
    withToken({ iss: 'https://evil.example' }),
    unavailable(claim),
  ],
  [
    'issues an expired token',
    withToken({ exp: 1 }),
    unavailable('JWT timestamp claim value failed validation'),
  ],
];

describe('a sign-in fails with a reason', () => {
  let seen: readonly Seen[];
  // all at the same time, because each waits for its interval
  beforeAll(async () => {
    seen = await Promise.all(cases.map(([, answers]) => signInAt(answers)));
  }, 30_000);
  test.each(cases.map(([what, , wanted], n) => ({ what, wanted, n })))(
    'where the provider $what',
    ({ wanted, n }) => expect(seen[n]).toMatchObject(wanted),
  );
});

// each waits for the intervals of its provider: all at the same time
test.concurrent('a provider cannot make the command line wait for more than an hour', async () => {
  for (const expires_in of [3e6, 1e12]) {
    const { session, shown } = await signInAt({ device: code({ expires_in }) });
    expect([session?.issuer, shown]).toEqual([expect.any(String), [3600]]);
  }
});

test.concurrent('a provider cannot make the command line poll faster than once per second', async () => {
  const device = code({ expires_in: 2, interval: 0.001 });
  const { polls } = await signInAt({ device, token: error('authorization_pending') });
  expect(polls.length).toBeLessThanOrEqual(2);
});

test.concurrent('a request to slow down adds five seconds to the interval', async () => {
  let polled = 0;
  const { session, polls } = await signInAt({
    token: (...call) => (polled++ === 0 ? error('slow_down') : withToken({}).token!)(...call),
  });
  expect(session).toBeDefined();
  expect(polls[1]!.at - polls[0]!.at).toBeGreaterThan(5900);
}, 20_000);

test.concurrent('a token without a representable end gives a session that ends by the maximum age', async () => {
  for (const claims of [{ exp: 1e300 }, { exp: 1e300, iat: 1e300 }]) {
    const { session } = await signInAt(withToken(claims));
    const left = Date.parse(session!.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
  }
});

test.concurrent('a provider that a person keeps waiting signs the person in', async () => {
  let polled = 0;
  const { session, polls, shown } = await signInAt({
    token: (...call) =>
      (polled++ < 2 ? error('authorization_pending') : withToken({}).token!)(...call),
  });
  expect(shown).toEqual([60]);
  expect(polls.map(({ form }) => form.get('device_code'))).toEqual(Array(3).fill('of-a-test'));
  expect(Date.parse(session!.expiresAt) - Date.now()).toBeGreaterThan(290_000);
});
