import type { LocalStack } from './local-stack.ts';

/** Returns one number of a service's metrics, summed over its series; undefined without a series. */
export const metric = async (
  stack: LocalStack,
  service: string,
  name: string,
  labels = '',
): Promise<number | undefined> => {
  const { metricsUrl } = stack.file().services.find((one) => one.name === service)!;
  const text = await (await fetch(metricsUrl)).text();
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(labels))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
};
