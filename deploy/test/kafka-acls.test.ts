import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { list } from '@pto/config';
import { parseServiceUser, permissions } from '../../packages/bus/src/kafka/topics/topic-acls.ts';
import { repository } from './monitoring/monitoring.ts';
import { findProgram } from './programs.ts';
import { manifests, podTemplates, render } from './rendered.ts';

const page = readFileSync(`${repository}docs/operators/install.md`, 'utf8');
const lower = (text: string) => text.toLowerCase();

test('the commands of the install page give every permission of the services, and no other', () => {
  const commands = page
    .split('\n')
    .filter((line) => /--allow-principal User:(?!topics )/.test(line));
  expect(commands.toSorted()).toEqual(
    permissions()
      .map(
        ({ service, operation, resource, name }) =>
          `$acls --add --allow-principal User:${service} ` +
          `--operation ${operation[0]}${lower(operation.slice(1))} --${lower(resource)} ${name}`,
      )
      .toSorted(),
  );
});

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  const settingOf = (text: string, process: string, name: string): string =>
    podTemplates(manifests(text))
      .find(({ metadata }) => metadata.name === process)!
      .spec.template.spec.containers[0].env.find(
        (variable: { name: string }) => variable.name === name,
      )?.value;

  test('production has a user for each service, and the Job declares their ACLs', () => {
    const text = render('production');
    const users = ['orders', 'custody', 'webhooks', 'custody-topics'].map((process) =>
      settingOf(text, process, 'KAFKA_USERNAME'),
    );
    expect(users).toEqual(['orders', 'custody', 'webhooks', 'topics']);
    const { parse } = list('KAFKA_ACL_USERS', parseServiceUser);
    expect(parse(settingOf(text, 'custody-topics', 'KAFKA_ACL_USERS'))).toEqual([
      { service: 'orders', user: 'orders' },
      { service: 'custody', user: 'custody' },
      { service: 'webhooks', user: 'webhooks' },
    ]);
  });

  test('one user for all is possible, without ACLs', () => {
    const text = render('sandbox', ['--set', 'global.kafka.username=one']);
    expect(settingOf(text, 'webhooks', 'KAFKA_USERNAME')).toBe('one');
    expect(settingOf(text, 'custody-topics', 'KAFKA_ACL_USERS')).toBe('');
  });

  test('ACLs without a user for each service are rejected', () => {
    const same = ['--set', 'global.kafka.users.webhooks=custody'];
    expect(() => render('production', same)).toThrow('global.kafka.acls.enabled needs three users');
  });
});
