import { type HashesAt, type Subtree, splitOf, subtreeHashes } from './subtree.ts';

/**
 * Returns the path that proves that a log of `later` leaves begins with the log of `earlier` leaves
 * (RFC 6962, section 2.1.2).
 * @throws RangeError if a size is not a whole number from 0, or if earlier is greater than later.
 */
export const proveConsistency = async (
  earlier: number,
  later: number,
  hashesAt: HashesAt,
): Promise<Uint8Array[]> => {
  if (!Number.isSafeInteger(earlier) || !Number.isSafeInteger(later) || earlier < 0)
    throw new RangeError('sizes are whole numbers from 0');
  if (earlier > later) throw new RangeError(`a log of ${later} has no first ${earlier} leaves`);
  if (earlier === 0) return [];
  return subtreeHashes(besideTheEdge(earlier, later), hashesAt);
};

const besideTheEdge = (earlier: number, later: number): Subtree[] => {
  const beside: Subtree[] = [];
  let [start, end] = [0, later];
  while (end !== earlier) {
    const middle = start + splitOf(end - start);
    if (earlier <= middle) {
      beside.unshift({ start: middle, end });
      end = middle;
    } else {
      beside.unshift({ start, end: middle });
      start = middle;
    }
  }
  // a subtree that begins at the first leaf is the earlier log itself, whose root is known
  return start === 0 ? beside : [{ start, end }, ...beside];
};
