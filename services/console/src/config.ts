import { base64Key, ConfigError, integer, port, type Settings, text, url } from '@pto/config';

export const settings = {
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  /** Port of the HTTP server for browsers. */
  httpPort: port('HTTP_PORT', { fallback: 8080 }),
  /** URL at which browsers open the console. Empty: nobody signs in with OpenID. */
  publicUrl: url('CONSOLE_PUBLIC_URL', ['https', 'http'], { fallback: '' }),
  /**
   * Key of the cookie of a sign-in with OpenID, the same in all replicas. Empty: a key of this process
   * alone, for a console at an http URL, which is one process.
   */
  openIdKey: base64Key('CONSOLE_OPENID_KEY', { fallback: Buffer.alloc(0) }),
  /** URL of the operators service, which every call is sent to. */
  operatorUrl: url('CONSOLE_OPERATORS_URL', ['https']),
  /** PEM file of the authority of that service. Empty: Node's default CA certificates. */
  operatorCaFile: text('CONSOLE_OPERATORS_CA_FILE', { fallback: '' }),
  /**
   * URL at which partners open the portal; its host differs from the console's, so that neither page
   * reaches the other's session. Empty: no portal.
   */
  portalUrl: url('CONSOLE_PORTAL_URL', ['https', 'http'], { fallback: '' }),
  /** URL of the partners' API with its path; required for a portal. */
  gatewayUrl: url('CONSOLE_GATEWAY_URL', ['https', 'http'], { fallback: '' }),
  /** Folder of the built web application; the image sets it. */
  folder: text('CONSOLE_DIR', { fallback: '' }),
  connectionsMax: integer('CONSOLE_CONNECTIONS_MAX', { fallback: 500 }),
};

export type ConsoleSettings = Settings<typeof settings>;

/**
 * Without the key, a sign-in would fail that another replica began.
 * @throws ConfigError for an https URL without a key
 */
export const checkOpenId = ({ publicUrl, openIdKey }: ConsoleSettings): void => {
  if (publicUrl.startsWith('https:') && openIdKey.length === 0)
    throw new ConfigError(['CONSOLE_OPENID_KEY is required with an https CONSOLE_PUBLIC_URL']);
};

/** @throws ConfigError for a portal without the partners' API, or on the console's host. */
export const checkPortal = ({ portalUrl, publicUrl, gatewayUrl }: ConsoleSettings): void => {
  if (portalUrl === '') return;
  const faults = [
    ...(gatewayUrl === '' ? ['CONSOLE_GATEWAY_URL is required with CONSOLE_PORTAL_URL'] : []),
    ...(URL.parse(publicUrl)?.host === new URL(portalUrl).host
      ? ['CONSOLE_PORTAL_URL: expected another host than that of CONSOLE_PUBLIC_URL']
      : []),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
};
