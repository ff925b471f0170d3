import { type ChildProcess, spawn } from 'node:child_process';
import { until } from '@pto/testing';

const port = 18_080;
const forwardedWithinMs = 20_000;

/** The forwarded Service of the gateway. */
export const gatewayUrl = `http://127.0.0.1:${port}`;

/** Forwards the gateway's Service to a port of this machine, until the process is killed. */
export const forwardGateway = async (namespace: string): Promise<ChildProcess> => {
  const words = ['--namespace', namespace, 'port-forward', 'service/gateway', `${port}:8080`];
  const child = spawn('kubectl', words, { stdio: 'ignore' });
  const answers = async () => (await fetch(`${gatewayUrl}/openapi.json`)).ok;
  try {
    await until(answers, {
      deadlineMs: forwardedWithinMs,
      what: 'the gateway’s forwarded Service',
    });
    return child;
  } catch (error) {
    child.kill();
    throw error;
  }
};
