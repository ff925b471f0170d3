/** Bodies of requests that a partner has in files. */
import { readTextFile } from '@pto/terminal';
import type { SandboxStep } from '../../typescript/src/index.ts';
import { WrongUsage } from './failure.ts';

/** Reads a script: its steps, or the body that the guide of the sandbox shows. */
export const stepsOf = async (path: string): Promise<SandboxStep[]> => {
  const read = await jsonOf<SandboxStep[] | { script?: SandboxStep[] } | null>(path);
  const steps = Array.isArray(read) ? read : read?.script;
  if (!Array.isArray(steps)) throw new WrongUsage(`${path}: expected a list of steps.`);
  return steps;
};

/** Reads the JSON of a request. The API checks it. @throws WrongUsage, UnreadableText */
export const jsonOf = async <T>(path: string): Promise<T> => {
  const text = await readTextFile(path);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new WrongUsage(`${path} is not JSON.`);
  }
};
