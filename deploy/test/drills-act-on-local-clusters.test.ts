import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { requireLocalContext } from '../drills/cluster/cluster.ts';

const tilt = readFileSync(new URL('../../tilt/cluster.Tiltfile', import.meta.url), 'utf8');
const listed = (name: string): string[] => {
  const [, list] = new RegExp(`^${name} = \\[(.*)\\]$`, 'm').exec(tilt)!;
  return [...list!.matchAll(/'([^']+)'/g)].map(([, one]) => one!);
};

test.each([...listed('names'), ...listed('families').map((family) => `${family}mine`), 'node'])(
  'a drill may change the cluster of the context %s',
  (context) => {
    expect(() => requireLocalContext(context, undefined)).not.toThrow();
  },
);

test.each(['production', 'arn:aws:eks:eu-central-1:1:cluster/x', 'minikube-of-all', 'node-1', ''])(
  'a drill does not act in the context "%s", and names it',
  (context) => {
    expect(() => requireLocalContext(context, undefined)).toThrow(`the cluster "${context}"`);
    expect(() => requireLocalContext(context, 'another')).toThrow();
  },
);

test('DRILL_CONTEXT names one more context', () => {
  expect(() => requireLocalContext('team-trial', 'team-trial')).not.toThrow();
});
