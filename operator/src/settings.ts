import { type Settings, text, url } from '@pto/config';

export const settings = {
  /** URL of the operators service. */
  operatorUrl: url('OPERATOR_URL', ['https']),
  /** PEM file of the trusted authorities. If empty, Node's default CA certificates are trusted. */
  caFile: text('OPERATOR_CA_FILE', { fallback: '' }),
  /** Personal token. If empty, the session of `operator login` is used. */
  token: text('OPERATOR_TOKEN', { secret: true, fallback: '' }),
  /** Path of the session file. If empty, the path of `sessionPath` is used. */
  sessionFile: text('OPERATOR_SESSION_FILE', { fallback: '' }),
};

export type OperatorSettings = Settings<typeof settings>;
