/** What the log's key signs when it shows another history to somebody else. */
import { aLog, otherLeaf } from './a-signed-log.ts';

const fork = await aLog(Array.from({ length: 70 }, (_, n) => otherLeaf(n === 3 ? 1000 : n)));

export const forkedCheckpoint = (size: number): Promise<string> => fork.checkpointAt(size);
