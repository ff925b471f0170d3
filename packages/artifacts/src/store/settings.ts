import { type Settings, text, url } from '@pto/config';
import { sealingKeys } from '@pto/sealing';

/** Settings of a service that stores artifacts. ARTIFACTS_DIR or ARTIFACTS_BUCKET must be set. */
export const artifactSettings = {
  /** Folder on a volume that all replicas share. */
  artifactsDir: text('ARTIFACTS_DIR', { fallback: '' }),
  /**
   * `s3://bucket` or `s3://bucket/prefix`. Region and credentials are those of the AWS SDK's default
   * chain, such as AWS_REGION and a web identity.
   */
  artifactsBucket: text('ARTIFACTS_BUCKET', { fallback: '' }),
  /** URL of object storage other than AWS, which is addressed by path. */
  artifactsEndpoint: url('ARTIFACTS_ENDPOINT', ['http', 'https'], { fallback: '' }),
  /** Keys that encrypt artifacts: `id:base64`, comma-separated. The first key encrypts. */
  artifactsKeys: sealingKeys('ARTIFACTS_KEYS'),
};

export type ArtifactSettings = Settings<typeof artifactSettings>;
