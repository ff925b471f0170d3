import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTelemetry } from '@pto/telemetry';
import { settingsOf, startWitness } from '../src/index.ts';
import { vkeyOfLog } from './a-log.ts';

/** The settings of a witness of these logs, as environment variables. */
export const witnessEnvironment = (folder: string, origins: readonly string[]) => ({
  WITNESS_NAME: 'witness.test',
  WITNESS_KEY: Buffer.alloc(32, 9).toString('base64'),
  WITNESS_LOGS: origins.map((origin) => `${origin} ${vkeyOfLog(origin)}`).join(','),
  WITNESS_STATE_DIR: folder,
  HTTP_PORT: '0',
  BIND_HOST: '127.0.0.1',
});

export const submit = async (url: string, body: string) => {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(10_000),
  });
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text() };
};

/** The real service in this process, on a folder of its own or on a given one. */
export const aWitness = async (
  origins: readonly string[],
  folder = mkdtempSync(join(tmpdir(), 'witness-')),
) => {
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'witness', write: (line) => lines.push(line) });
  const environment = witnessEnvironment(folder, origins);
  const service = await startWitness(settingsOf(environment), telemetry);
  const url = `http://127.0.0.1:${service.port}`;
  return {
    url,
    folder,
    vkey: service.vkey,
    /** What the witness logged. */
    lines,
    submit: (body: string) => submit(url, body),
    status: async () =>
      (await (await fetch(url)).json()) as {
        vkey: string;
        logs: { origin: string; size: number; checkpoint: string | null }[];
      },
    stop: () => service.stop(),
    forget: () => rmSync(folder, { recursive: true }),
  };
};
