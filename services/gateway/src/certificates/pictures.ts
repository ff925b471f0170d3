/** Reads the pictures of an order's handovers, which a certificate shows beside their hashes. */
import { createHash } from 'node:crypto';
import type { Picture } from '@pto/certificate';
import { Failure } from '@pto/errors';
import type { Backends } from '../backends.ts';

/** Bounds of one certificate: larger and further pictures are named by their hash alone. */
const [picturesMax, bytesMax] = [6, 1024 * 1024];
/** Maximum time for all pictures: two certificates that read theirs hold up all others that have some. */
const readMaxMs = 2000;

interface Entry {
  readonly internal_type: string;
  readonly payload: unknown;
}

interface Artifact {
  readonly sha256: string;
  readonly media_type: string;
  /** In bytes. */
  readonly size: number;
}

/** Returns the pictures that a certificate of these entries shows. */
export const picturesOf = (entries: readonly Entry[]): readonly Artifact[] =>
  entries.flatMap(artifactOf).slice(0, picturesMax);

/**
 * Reads the pictures that are retained. One that was erased, or whose bytes have another hash than
 * the entry, is left out.
 * @throws Failure SERVICE_UNAVAILABLE, or DEADLINE_EXCEEDED after 2 s, so that a certificate has the
 *   same bytes for the same state
 */
export const readPictures = async (
  orders: Pick<Backends['orders'], 'getArtifact'>,
  order: { readonly organizationId: string; readonly orderId: string },
  read: Parameters<Backends['orders']['getArtifact']>[1],
  wanted: readonly Artifact[],
): Promise<readonly Picture[]> => {
  const within = { ...read, deadline: Math.min(read.deadline, performance.now() + readMaxMs) };
  const pictures: Picture[] = [];
  for (const { sha256 } of wanted) {
    const artifact = await orders.getArtifact({ ...order, sha256 }, within).catch(noneIfErased);
    const content = artifact?.content;
    if (content && createHash('sha256').update(content).digest('hex') === sha256)
      pictures.push({ sha256, content });
  }
  return pictures;
};

const artifactOf = ({ internal_type: type, payload }: Entry): readonly Artifact[] => {
  const artifact = (payload as { readonly artifact?: Artifact | null } | null)?.artifact;
  if (type !== 'HANDOVER_RECORDED' || !artifact) return [];
  const isPicture = ['image/png', 'image/jpeg'].includes(artifact.media_type);
  return isPicture && artifact.size <= bytesMax ? [artifact] : [];
};

const noneIfErased = (error: unknown): null => {
  if (error instanceof Failure && error.kind === 'NOT_FOUND') return null;
  throw error;
};
