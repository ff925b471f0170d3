/** The arrows between the rooms (ARCHITECTURE.md). `npm run check` fails on any other. */
const services = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'console'];

export const arrows = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      // files beside the folders, such as service.ts and config.ts, compose them and are no folder
      name: 'no-circles-of-the-folders-of-a-room',
      severity: 'error',
      scope: 'folder',
      from: {
        path: '^((?:services|packages|verifiers|dev)/[^/]+|operator|local|site)/src/[^/]+$',
      },
      to: { path: '^$1/src/[^/]+$', circular: true },
    },
    {
      name: 'all-imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...services.map((service) => ({
      name: `${service}-meets-other-services-in-proto-only`,
      severity: 'error',
      // the gateway's tests read a database that the operators service migrates, and its keys; the
      // courier's tests move orders of the real service; those of the mover have cells of real services
      from: {
        path: `^services/${service}/`,
        pathNot: '^services/((gateway|courier)/test|operators/test/mover)/',
      },
      to: { path: '^services/', pathNot: `^services/${service}/` },
    })),
    {
      name: 'services-build-on-packages-and-proto',
      severity: 'error',
      from: { path: '^services/[^/]+/(src|migrations)/' },
      to: { path: '^(operator|local|site|e2e|bench|dev)/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^(packages|verifiers|dev)/' },
      to: { path: '^(services|operator|local|site|e2e|bench)/' },
    },
    {
      name: 'what-runs-needs-nothing-of-dev',
      severity: 'error',
      from: { path: '^(packages|verifiers)/[^/]+/src/' },
      to: { path: '^dev/' },
    },
    {
      name: 'operator-speaks-rpc-only',
      severity: 'error',
      from: { path: '^operator/src/' },
      to: { path: '^(services|local|e2e|packages/(database|bus|outbox)|dev)/' },
    },
    {
      name: 'the-domain-knows-errors-and-the-vocabulary-alone',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/' },
      to: {
        pathNot: [
          '^services/[^/]+/src/domain/',
          '^packages/errors/',
          '^proto/(vocabulary|order-commands|payloads)',
        ],
      },
    },
    {
      name: 'kafkajs-stays-behind-the-port',
      severity: 'error',
      from: { pathNot: '^(packages/bus/(src/kafka|test)|e2e/faults|bench/relay)/' },
      to: { path: 'node_modules/kafkajs' },
    },
    {
      name: 'the-wire-formats-of-rpc-stay-in-rpc',
      severity: 'error',
      from: { pathNot: '^(packages/rpc|console)/' }, // a browser speaks Connect itself
      to: { path: 'node_modules/(@grpc|@connectrpc)/' },
    },
    {
      name: 'the-verifiers-depend-on-nothing',
      severity: 'error',
      from: { path: '^verifiers/(custody|webhook)-verifier/src/' },
      to: { pathNot: '^verifiers/$1-verifier/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-client-depends-on-the-verifiers-alone',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: {
        pathNot: ['^clients/typescript/src/', '^verifiers/(custody|webhook)-verifier/src/index'],
      },
    },
    {
      name: 'the-partners-command-needs-the-client-alone',
      severity: 'error',
      from: { path: '^clients/command-line/src/' },
      to: { path: '^(services|operator|local|e2e|dev|proto|packages/(?!terminal/))' },
    },
    {
      name: 'the-webhook-verifier-needs-nothing-of-node',
      severity: 'error',
      from: { path: '^verifiers/webhook-verifier/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'tests-are-not-production',
      severity: 'error',
      from: { pathNot: '(/test/|^e2e/|^bench/|^deploy/drills/|^dev/(testing|stores)/)' },
      to: { path: '(/test/|^dev/testing/)' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^proto/gen'] },
    // pages run in a browser, where the gateway decides what stands at a path
    exclude: { path: ['\\.local', '^services/gateway/pages/'] },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
