import { firstToken, openForward, operatorProgram } from '../../../tilt/buttons/operator.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { where } from './cluster.ts';

/** The operator's command line, with a credential of this run. */
export const openOperator = async (stage: Stage) => {
  const token = await firstToken(where);
  // biome-ignore lint/suspicious/noExplicitAny: a rehearsal looks into whatever came
  return async (...words: readonly string[]): Promise<any> => {
    // a port-forward ends with its pod, so each command has its own
    const { environment, close } = await openForward(where);
    try {
      const printed = await stage.command(process.execPath, [operatorProgram, '--json', ...words], {
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
