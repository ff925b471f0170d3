/** `D/mesh.json`, as far as these tests read it. */
export interface StackFile {
  readonly baseUrl: string;
  readonly gateways: readonly string[];
  readonly organizations: readonly {
    id: string;
    name: string;
    keys: Readonly<Record<'all' | 'read' | 'write' | 'webhooks', string>>;
  }[];
  readonly operator: {
    command: readonly string[];
    cwd: string;
    env: Readonly<Record<string, string>>;
  };
  readonly stores: {
    postgres: Readonly<Record<'access' | 'orders' | 'custody' | 'webhooks' | 'superuser', string>>;
    redis: string | null;
    kafka: readonly string[];
    pids: Readonly<Record<string, number>>;
  };
  readonly services: readonly {
    name: string;
    replica: number;
    pid: number;
    internalUrl: string;
    metricsUrl: string;
    healthUrl: string;
  }[];
  readonly receiver: { caFile: string; certFile: string; keyFile: string };
}
