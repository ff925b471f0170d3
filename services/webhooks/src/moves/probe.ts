import { Failure, invalid } from '@pto/errors';
import { type KeyRing, open, seal } from '@pto/sealing';

/** The settings that both cells of a move must share. */
export interface SharedSettings {
  readonly secretKeys: KeyRing;
  readonly publicBaseUrl: string;
  readonly environment: string;
}

/** Authenticated with the sealed text, which nothing else of this service has. */
const context = 'probe of a move';

/** Returns what a target reads with the same settings alone. */
export const makeProbe = ({ secretKeys, publicBaseUrl, environment }: SharedSettings): Buffer => {
  const { keyId, sealed } = seal(secretKeys, context, Buffer.from(publicBaseUrl));
  return Buffer.from(
    JSON.stringify({ publicBaseUrl, environment, keyId, sealed: sealed.toString('base64') }),
  );
};

/**
 * Requires that this cell can decrypt the source's secrets, and that its payloads have the source's
 * links.
 * @throws Failure VALIDATION that names the setting.
 */
export const requireProbe = (probe: Uint8Array, settings: SharedSettings): void => {
  const source = parse(probe);
  if (source.publicBaseUrl !== settings.publicBaseUrl)
    throw invalid(['probe'], 'PUBLIC_BASE_URL must be equal in both cells', source.publicBaseUrl);
  if (source.environment !== settings.environment)
    throw invalid(['probe'], 'ENVIRONMENT must be equal in both cells', source.environment);
  try {
    open(settings.secretKeys, context, {
      keyId: source.keyId,
      sealed: Buffer.from(source.sealed, 'base64'),
    });
  } catch (cause) {
    throw new Failure(
      'VALIDATION',
      'probe: WEBHOOKS_SECRET_KEYS must have the key with which the other cell seals secrets',
      { cause },
    );
  }
};

const parse = (probe: Uint8Array) => {
  try {
    return JSON.parse(Buffer.from(probe).toString('utf8')) as {
      publicBaseUrl: string;
      environment: string;
      keyId: string;
      sealed: string;
    };
  } catch {
    throw invalid(['probe'], 'is not the probe of a mark');
  }
};
