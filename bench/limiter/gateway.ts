/**
 * A gateway beside that of the local stack, from the same sources with the same settings. With the
 * setting `limited: false`, its budgets are those of no-budgets.ts, which grant every request.
 */
import { registerHooks } from 'node:module';
import { settingsOf } from '../drain/program.ts';

const { limited } = settingsOf<{ limited: boolean }>();
const budgets = new URL('../../services/gateway/src/admission/budgets.ts', import.meta.url).href;
const noBudgets = new URL('no-budgets.ts', import.meta.url).href;

if (!limited)
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const isBudgets = resolved.url === budgets && context.parentURL !== noBudgets;
      return isBudgets ? { ...resolved, url: noBudgets } : resolved;
    },
  });
await import('../../services/gateway/src/main.ts');
