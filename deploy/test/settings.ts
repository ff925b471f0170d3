/** What each process of the charts reads from its environment, as its own declarations say it. */
import { type Declaration, text } from '@pto/config';
import { kafkaSettings } from '../../packages/bus/src/settings.ts';
import { settings as migration } from '../../packages/database/src/migrations/migrate-once.ts';
import { settings as console } from '../../services/console/src/config.ts';
import { settings as courier } from '../../services/courier/src/config.ts';
import { auditorSettings } from '../../services/custody/src/auditor/config.ts';
import { settings as custody, publicKeySettings } from '../../services/custody/src/config.ts';
import { settings as gateway } from '../../services/gateway/src/config.ts';
import { settings as operators } from '../../services/operators/src/config.ts';
import { settings as mover } from '../../services/operators/src/mover/config.ts';
import { settings as orders } from '../../services/orders/src/config.ts';
import { settings as webhooks } from '../../services/webhooks/src/config.ts';
import { settings as witness } from '../../verifiers/witness/src/config.ts';

export type Declared = Readonly<Record<string, Declaration<unknown>>>;

export const services: Readonly<Record<string, Declared>> = {
  gateway,
  operators,
  orders,
  custody,
  webhooks,
  courier,
  console,
  auditor: { ...auditorSettings, role: text('CUSTODY_ROLE') },
  mover: { ...mover, role: text('OPERATORS_ROLE') },
};
/** Read before a service's own settings, by every process. */
export const ofEveryone = [
  ...['SERVICE_REPLICA', 'LOG_LEVEL', 'ADMIN_PORT', 'BIND_HOST', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
];
/** Read by the client of object storage: of the anchor and of artifacts. */
export const ofObjectStorage = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
/** Read by Node itself. */
export const ofNode = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'UV_THREADPOOL_SIZE'];

/** Values that the charts make of others: not to be set beside them. */
const ofCharts =
  /^(SERVICE_REPLICA|(HTTP|GRPC|CONNECT|OPERATORS|ADMIN)_PORT|((TLS|WEBHOOKS_CLIENT)_(CERT|KEY)|(TLS|KAFKA)_CA)_FILE|TLS_IDENTITY_DOMAIN|CUSTODY_ANCHOR_\w+|AWS_\w+)$/;

const settable = (declared: Declared, common: readonly string[]): string[] => {
  const names = [...Object.values(declared).map(({ name }) => name), ...common, ...ofNode];
  return [...new Set(names)].filter((name) => !ofCharts.test(name)).sort();
};

const ofTopics = { topics: text('KAFKA_TOPICS'), aclUsers: text('KAFKA_ACL_USERS') };

/** Names that values may give, by the chart's definition of them. */
export const settableNames: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(services).map(([name, declared]) => [name, settable(declared, ofEveryone)]),
  ),
  orders: [...settable(orders, ofEveryone), ...ofObjectStorage].sort(),
  witness: settable(witness, ofEveryone),
  migration: settable(migration, ['LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT']),
  custodyMigration: settable({ ...migration, ...publicKeySettings }, [
    ...['LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ]),
  topics: settable({ ...kafkaSettings, ...ofTopics }, [
    ...['LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ]),
};
