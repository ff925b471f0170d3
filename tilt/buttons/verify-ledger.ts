/** Recomputes every chain and the log; ends with 1 where one does not hold. */
import { operator } from './operator.ts';

process.stdout.write(`${JSON.stringify(await operator('ledger', 'verify'), null, 2)}\n`);
