import { shortId } from '../parts/short-id.ts';
import { visibleText } from '../parts/visible-text.ts';
import { unshownMs, useBoard } from './use-board.ts';

/** Returns a function from an order's id to its reference if it is open and has one, else a short id. */
export const useOrderName = (): ((id: string) => string) => {
  const { data } = useBoard({ everyMs: unshownMs });
  const names = new Map(data?.orders.map(({ id, externalId }) => [id, externalId]));
  return (id) => visibleText(names.get(id) ?? shortId(id));
};
