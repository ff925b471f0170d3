import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, where } from './cluster.ts';

export type Values = Readonly<Record<string, string>>;

/** Reads the values of a Secret. */
export const readSecret = async (on: Cluster, name: string): Promise<Values> => {
  const { data } = JSON.parse(await on.look('get', 'secret', name, '-o', 'json'));
  return Object.fromEntries(
    Object.entries<string>(data).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString(),
    ]),
  );
};

/** Reads one file of a Secret: '' if it has none of that name. */
export const fileOf = async (on: Cluster, secret: string, file: string): Promise<string> =>
  (await readSecret(on, secret))[file] ?? '';

/**
 * Changes values of a Secret.
 * @returns what puts the old values back; the end of the rehearsal does it as well.
 */
export const changeSecret = async (
  on: Cluster,
  stage: Stage,
  name: string,
  change: (old: Values) => Values,
): Promise<() => Promise<void>> => {
  const old = await readSecret(on, name);
  const patch = async (values: Values): Promise<void> => {
    const words = ['patch', 'secret', name, '--type=merge'];
    await on.run(
      'kubectl',
      [...where, ...words, '--patch', JSON.stringify({ stringData: values })],
      { shown: `kubectl ${words.join(' ')} (${Object.keys(values)})` },
    );
  };
  const changed = change(old);
  const before = Object.fromEntries(Object.keys(changed).map((key) => [key, old[key]!]));
  const putBack = () => patch(before);
  stage.atEnd(putBack);
  await patch(changed);
  return putBack;
};
