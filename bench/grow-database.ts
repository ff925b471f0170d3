/**
 * R10: p50 of each operation with many orders in the databases of orders and custody against the
 * same with 100,000, on two local stacks. `ROWS=10000000 node bench/grow-database.ts`; ROWS is
 * 1,000,000 by default, SMALL the size of the other side. 10,000,000 orders take about 20 GB.
 */
import { grownSide, operations } from './growth/grown-side.ts';
import { withGrownStack } from './growth/grown-stack.ts';
import { compare } from './measuring/ratio.ts';

const large = Number(process.env.ROWS ?? 1_000_000);
const small = Number(process.env.SMALL ?? 100_000);
const named = (rows: number) => `${rows.toLocaleString('en')} orders`;

await withGrownStack(small, (few) =>
  withGrownStack(large, async (many) => {
    for (const operation of operations)
      await compare(
        `R10: p50 of ${operation.name} at ${named(large)} against ${named(small)}`,
        grownSide(named(large), many, operation),
        grownSide(named(small), few, operation),
        { by: 'p50Ms' },
      );
  }),
);
