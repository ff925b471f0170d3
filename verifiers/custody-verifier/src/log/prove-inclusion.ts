import { type HashesAt, type Subtree, splitOf, subtreeHashes } from './subtree.ts';

/**
 * Returns the path from a leaf to the root of the log's first `size` leaves (RFC 6962, section
 * 2.1.1).
 * @param index the leaf's position, from 0.
 * @throws RangeError if the log has no such leaf.
 */
export const proveInclusion = async (
  index: number,
  size: number,
  hashesAt: HashesAt,
): Promise<Uint8Array[]> => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`there is no leaf ${index} in a log of ${size}`);
  return subtreeHashes(besideTheWay(index, size), hashesAt);
};

const besideTheWay = (index: number, size: number): Subtree[] => {
  const beside: Subtree[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      beside.unshift({ start: middle, end });
      end = middle;
    } else {
      beside.unshift({ start, end: middle });
      start = middle;
    }
  }
  return beside;
};
