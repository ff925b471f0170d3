import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '@pto/lifecycle';

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  form: URLSearchParams,
) => void;
export type Answers = Readonly<Partial<Record<'discovery' | 'device' | 'token', Answer>>>;

/** Answers with this status and this document as JSON. */
export const json =
  (status: number, document: unknown): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  };

/** Answers with a page, and a redirect if there is a location. */
export const html =
  (status: number, location?: string): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) });
    response.end('<html></html>');
  };

/** An unsigned ID token: the command line stores it, and the gateway verifies it. */
const unsignedIdToken = (claims: object): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}.${Buffer.from('none').toString('base64url')}`;
};

/** An OpenID provider with the device flow; `answers` replaces single responses of it. */
export const scriptedProvider = async (answers: Answers = {}) => {
  const polls: { readonly at: number; readonly form: URLSearchParams }[] = [];
  let issuer = '';
  const honest: Required<Answers> = {
    discovery: (...call) =>
      json(200, {
        issuer,
        device_authorization_endpoint: `${issuer}/device`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      })(...call),
    device: json(200, deviceCode()),
    token: (...call) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: 'cli', sub: 'ada', iat: now, exp: now + 300 };
      json(200, tokens(claims))(...call);
    },
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const of = request.url === '/device' || request.url === '/token' ? request.url : '/discovery';
    if (of === '/token') polls.push({ at: performance.now(), form });
    const name = of.slice(1) as keyof Answers;
    (answers[name] ?? honest[name])(request, response, form);
  });
  issuer = `http://127.0.0.1:${await listening(server, 0, '127.0.0.1')}`;
  return {
    issuer,
    polls,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** The response to a request for a device code. */
export const deviceCode = (members: object = {}) => ({
  device_code: 'of-a-test',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://idp.example/device',
  expires_in: 60,
  interval: 1,
  ...members,
});

/** The response of the token endpoint with an ID token of these claims. */
export const tokens = (claims: object) => ({
  access_token: 'of-a-test',
  token_type: 'bearer',
  id_token: unsignedIdToken(claims),
});
