import { firstToken, openForward, operatorProgram } from '../../../tilt/buttons/operator.ts';
import type { Cluster } from './cluster.ts';

/** The operator's command line, with a credential of this run. */
export const openOperator = async ({ bed, where }: Cluster) => {
  const token = await firstToken(where);
  // biome-ignore lint/suspicious/noExplicitAny: a drill looks into whatever came
  return async (...words: readonly string[]): Promise<any> => {
    // a port-forward ends with its pod, so each command has its own
    const { environment, close } = await openForward(where);
    try {
      const printed = await bed.command(process.execPath, [operatorProgram, '--json', ...words], {
        env: { ...process.env, ...environment, OPERATOR_TOKEN: token },
        shown: `operator ${words.join(' ')}`,
      });
      return JSON.parse(printed);
    } finally {
      close();
    }
  };
};

export type Operator = Awaited<ReturnType<typeof openOperator>>;
