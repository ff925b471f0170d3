import { describe, expect, test } from '@jest/globals';
import { type Declaration, text } from '@pto/config';
import { auditorSettings } from '../../services/custody/src/auditor/config.ts';
import { settings as custody } from '../../services/custody/src/config.ts';
import { settings as gateway } from '../../services/gateway/src/config.ts';
import { settings as orders } from '../../services/orders/src/config.ts';
import { settings as webhooks } from '../../services/webhooks/src/config.ts';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

type Declared = Readonly<Record<string, Declaration<unknown>>>;
const declared: Readonly<Record<string, Declared>> = {
  gateway,
  orders,
  custody,
  webhooks,
  auditor: { ...auditorSettings, role: text('CUSTODY_ROLE') },
};
/** Read before a service's own settings, by every process. */
const ofEveryone = ['SERVICE_REPLICA', 'LOG_LEVEL', 'ADMIN_PORT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
/** Read by the store's own client. */
const ofAnchorsBucket = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
interface Variable {
  name: string;
  value?: string;
  valueFrom?: object;
}

const where = findProgram('helm') ? describe : describe.skip;

where('with Helm', () => {
  for (const environment of environments) {
    test(`${environment}: every setting that a process needs, and none that it does not read`, () => {
      const pods = podTemplates(manifests(render(environment)));
      for (const [name, settings] of Object.entries(declared)) {
        const pod = pods.find(({ metadata }) => metadata.name === name)!;
        const given: Variable[] = pod.spec.template.spec.containers[0].env;
        const names = given.map((variable) => variable.name);
        const declarations = Object.values(settings);
        const required = declarations.filter((one) => !Object.hasOwn(one, 'fallback'));
        const declaredNames = declarations.map((one) => one.name);
        const ofStore = declaredNames.includes('CUSTODY_ANCHOR_BUCKET') ? ofAnchorsBucket : [];
        const known = new Set([...declaredNames, ...ofEveryone, ...ofStore]);
        expect([
          name,
          required.map((one) => one.name).filter((one) => !names.includes(one)),
        ]).toEqual([name, []]);
        expect([name, names.filter((one) => !known.has(one))]).toEqual([name, []]);
        expect(new Set(names).size).toBe(names.length);
        for (const { name: variable, value } of given) {
          const declaration = declarations.find((one) => one.name === variable);
          if (value) expect(() => declaration?.parse(value)).not.toThrow();
          const secret = declaration?.secret || variable.endsWith('DATABASE_URL');
          if (secret) expect([variable, value]).toEqual([variable, undefined]);
        }
      }
    });
  }
});
