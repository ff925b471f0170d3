/** The HTTP proxy (WEBHOOKS_EGRESS_PROXY) of all connections to webhook endpoints. */
export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  /** The value of the `Proxy-Authorization` header; undefined without credentials. */
  readonly authorization: string | undefined;
}

/**
 * Parses WEBHOOKS_EGRESS_PROXY: `http://[user:password@]host:port`, with special characters
 * percent-encoded; port 80 by default.
 * @throws Error with the expected form, without the value.
 */
export const parseProxy = (text: string): EgressProxy => {
  const fault = new Error('expected http://[user:password@]host:port');
  if (!/^http:\/\/[^/?#\\\s]+\/?$/i.test(text) || !URL.canParse(text)) throw fault;
  const url = new URL(text);
  const port = url.port === '' ? 80 : Number(url.port);
  if (port === 0) throw fault;
  const [user, password] = [url.username, url.password].map(decoded);
  // a user name with a colon would be ambiguous in `user:password` (RFC 7617)
  if (user === undefined || password === undefined || user.includes(':')) throw fault;
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const authorization = credentials === noCredentials ? undefined : `Basic ${credentials}`;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, authorization };
};

const noCredentials = Buffer.from(':').toString('base64');

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
