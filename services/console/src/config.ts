import { integer, port, type Settings, text, url } from '@pto/config';

export const settings = {
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  /** Port of the HTTP server for browsers. */
  httpPort: port('HTTP_PORT', { fallback: 8080 }),
  /** URL at which browsers open the console. Empty: nobody signs in with OpenID. */
  publicUrl: url('CONSOLE_PUBLIC_URL', ['https', 'http'], { fallback: '' }),
  /** URL of the operators service, which every call is sent to. */
  operatorUrl: url('CONSOLE_OPERATORS_URL', ['https']),
  /** PEM file of the authority of that service. Empty: Node's default CA certificates. */
  operatorCaFile: text('CONSOLE_OPERATORS_CA_FILE', { fallback: '' }),
  /** Folder of the built web application; the image sets it. */
  folder: text('CONSOLE_DIR', { fallback: '' }),
  connectionsMax: integer('CONSOLE_CONNECTIONS_MAX', { fallback: 500 }),
};

export type ConsoleSettings = Settings<typeof settings>;
