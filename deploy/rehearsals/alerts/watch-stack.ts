import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { type Monitoring, openMonitoring } from './prometheus.ts';
import { shortenRules } from './shortened-rules.ts';

const folder = new URL('../../monitoring/rules/', import.meta.url).pathname;

/** Watches the processes of a local stack with all rules of `deploy/monitoring`, shortened. */
export const watchStack = (stage: Stage, stack: LocalStack): Promise<Monitoring> =>
  openMonitoring(stage, {
    job: 'partner-api',
    targets: stack.file().services.map(({ metricsUrl }) => new URL(metricsUrl).host),
    rules: Object.fromEntries(
      readdirSync(folder).map((name) => [
        name,
        shortenRules(readFileSync(join(folder, name), 'utf8')),
      ]),
    ),
  });
