import type { MarkResponse } from '@pto/proto/moves/v1/moves';
import { type CellServices, type MovedService, movedServices } from './cell-services.ts';

/** The mark of each service at which a copy began. */
export type Marks = Readonly<Partial<Record<MovedService, string>>>;

/**
 * Reads the marks of a cell. That of custody is first: the orders of a copy then cover its entries,
 * so that no auditor finds an entry in the target that orders does not know.
 * @param probeId given once for each try, to the source: orders stores an object for it.
 */
export const readMarks = async (
  cell: CellServices,
  organizationId: string,
  probeId = '',
): Promise<Readonly<Record<MovedService, MarkResponse>>> => {
  const custody = await cell.custody.mark({ organizationId });
  const [orders, webhooks] = await Promise.all([
    cell.orders.mark({ organizationId, probeId }),
    cell.webhooks.mark({ organizationId }),
  ]);
  return { orders, custody, webhooks };
};

/**
 * Copies what has changed since the marks of the copy before.
 * @param stored called after each page with its number of rows.
 * @returns the marks for the next copy.
 */
export const copyOnce = async (
  { source, target }: { readonly source: CellServices; readonly target: CellServices },
  { organizationId, token, since }: { organizationId: string; token: bigint; since: Marks },
  stored: (rows: number) => Promise<unknown>,
): Promise<Marks> => {
  const marks = await readMarks(source, organizationId);
  for (const name of movedServices) {
    const range = { organizationId, since: since[name] ?? '', until: marks[name].mark };
    let page = '';
    do {
      const { rows, nextPage } = await source[name].export({ ...range, page });
      await stored((await target[name].import({ organizationId, token, rows })).rows);
      page = nextPage;
    } while (page !== '');
  }
  return Object.fromEntries(movedServices.map((name) => [name, marks[name].mark]));
};
