import { hash } from 'node:crypto';
import { ConfigError } from '@pto/config';
import { artifactMaxBytes } from '../inspect-artifact.ts';
import { type ArtifactId, nameOf } from './artifact-id.ts';
import type { BlobStore } from './blob-store.ts';
import { envelopeMaxBytes, fromEnvelope, toEnvelope } from './envelope.ts';
import { openFolder } from './folder.ts';
import type { ArtifactSettings } from './settings.ts';

/** The stored artifacts of all orders. Each method throws Error for an id of another form. */
export interface Artifacts {
  /**
   * Stores an artifact. An artifact that is stored already is replaced by the same bytes.
   * @throws Error if the bytes have another SHA-256 than the id, or more than 5 MiB.
   */
  store(id: ArtifactId, bytes: Uint8Array): Promise<void>;
  /**
   * Returns the bytes of an artifact, or null if it is not stored.
   * @throws Error if the stored bytes were changed, or the key ring lacks their key.
   */
  read(id: ArtifactId): Promise<Buffer | null>;
  /** Deletes an artifact with all its versions. Does nothing if it is not stored. */
  erase(id: ArtifactId): Promise<void>;
  close(): void;
}

/**
 * Opens the configured store of artifacts.
 * @throws ConfigError unless exactly one of folder and bucket is configured, and if it is unusable.
 */
export const openArtifacts = async (settings: ArtifactSettings): Promise<Artifacts> => {
  const ring = settings.artifactsKeys;
  const blobs = await openBlobs(settings);
  return {
    store: async (id, bytes) => {
      const name = nameOf(id);
      if (bytes.length > artifactMaxBytes)
        throw new Error(`artifact ${name} has ${bytes.length} bytes, at most ${artifactMaxBytes}`);
      if (hash('sha256', bytes) !== id.sha256)
        throw new Error(`artifact ${name} has another SHA-256 than its id`);
      await blobs.put(name, toEnvelope(ring, name, bytes));
    },
    read: async (id) => {
      const name = nameOf(id);
      const envelope = await blobs.get(name);
      return envelope && fromEnvelope(ring, name, { envelope, sha256: id.sha256 });
    },
    erase: async (id) => blobs.delete(nameOf(id)),
    close: () => blobs.close(),
  };
};

/** Maximum size of a stored file. */
const storedMaxBytes = artifactMaxBytes + envelopeMaxBytes;

const openBlobs = async (settings: ArtifactSettings): Promise<BlobStore> => {
  const { artifactsDir, artifactsBucket, artifactsEndpoint } = settings;
  if ((artifactsDir === '') === (artifactsBucket === ''))
    throw new ConfigError(['ARTIFACTS_DIR or ARTIFACTS_BUCKET: give one of the two']);
  if (artifactsDir !== '') return openFolder(artifactsDir, storedMaxBytes);
  // the client of object storage is large, so it is loaded only if it is used
  const { openBucket } = await import('./bucket.ts');
  return openBucket(artifactsBucket, artifactsEndpoint, { maxBytes: storedMaxBytes });
};
