import { type Settings, text, url } from '@pto/config';

export const settings = {
  /** The operator gateway. */
  operatorUrl: url('OPERATOR_URL', ['https']),
  /** PEM file of the authorities to trust; empty: the system's. */
  caFile: text('OPERATOR_CA_FILE', { fallback: '' }),
  /** A personal token; empty: the session of `operator login`. */
  token: text('OPERATOR_TOKEN', { secret: true, fallback: '' }),
  /** Empty: under XDG_STATE_HOME. */
  sessionFile: text('OPERATOR_SESSION_FILE', { fallback: '' }),
};

export type OperatorSettings = Settings<typeof settings>;
