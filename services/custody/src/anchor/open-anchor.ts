import { ConfigError } from '@pto/config';
import type { AnchorSettings } from '../config.ts';
import type { Anchor } from './anchor.ts';
import { fileAnchor } from './file-anchor.ts';

/** Opens the configured anchor. @throws ConfigError unless exactly one is configured. */
export const openAnchor = async (settings: AnchorSettings): Promise<Anchor> => {
  if ((settings.anchorFile === '') === (settings.anchorBucket === ''))
    throw new ConfigError(['CUSTODY_ANCHOR_FILE or CUSTODY_ANCHOR_BUCKET: give one of the two']);
  if (settings.anchorFile !== '') return fileAnchor(settings.anchorFile);
  // the client of object storage is large, so it is loaded only if it is used
  const { objectAnchor } = await import('./object-anchor.ts');
  return objectAnchor(settings);
};
