/** Settings of Patroni and HAProxy for two nodes, as an operator would write them. */

export interface NodePorts {
  readonly name: string;
  /** Where PostgreSQL listens; clients come through HAProxy. */
  readonly port: number;
  readonly rest: number;
  /** Where the other node connects for replication. */
  readonly replication: number;
}

const bootstrap = {
  dcs: {
    ttl: 20, // the least that Patroni takes: a dead primary is replaced 20 s later
    loop_wait: 2,
    retry_timeout: 3,
    maximum_lag_on_failover: 104_857_600,
    synchronous_mode: true,
    postgresql: {
      use_pg_rewind: true,
      use_slots: true,
      parameters: {
        max_connections: 300,
        shared_buffers: '64MB',
        jit: 'off',
        wal_level: 'replica',
      },
    },
  },
  initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C' }].concat([
    { 'locale-provider': 'builtin' } as never,
    { 'builtin-locale': 'C.UTF-8' } as never,
  ]),
};

/** Returns a node's settings; JSON is YAML. */
export const patroniSettings = (
  { name, port, rest, replication }: NodePorts,
  at: { home: string; bin: string; etcd: number; password: string },
): string => {
  const user = (username: string) => ({ username, password: at.password });
  return JSON.stringify({
    scope: 'rehearsal',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: [`127.0.0.1:${at.etcd}`] },
    bootstrap,
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${replication}`,
      data_dir: `${at.home}/data`,
      bin_dir: at.bin,
      pgpass: `${at.home}/pgpass`,
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '' },
    },
  });
};

/** Returns the settings of HAProxy, which sends every connection to the primary. */
export const haproxySettings = (port: number, nodes: readonly NodePorts[]): string =>
  `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.rest}\n`).join('')}`;
