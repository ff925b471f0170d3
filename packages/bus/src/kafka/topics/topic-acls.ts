import { type BusService, topicAccess } from '@pto/proto/topics';
import kafkajs, { type AclEntry, type Admin } from 'kafkajs';
import { deadLetterTopic } from '../../consume/dead-letters/dead-letter-copies.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** A service and its Kafka user. */
export interface ServiceUser {
  readonly service: BusService;
  /** The user's principal name in Kafka, without the prefix `User:`. */
  readonly user: string;
}

/** One permission of one service. Kafka adds DESCRIBE to READ and WRITE. */
export interface Permission {
  readonly service: BusService;
  readonly operation: 'READ' | 'WRITE' | 'DESCRIBE';
  readonly resource: 'TOPIC' | 'GROUP';
  readonly name: string;
}

const services: readonly BusService[] = [
  ...new Set(
    topicAccess.flatMap(({ producers, consumers }) => [
      ...producers,
      ...consumers.map(({ service }) => service),
    ]),
  ),
];

/**
 * Returns all permissions that the services need in Kafka, and no others (decision 55, least
 * privilege).
 */
export const permissions = (): Permission[] =>
  topicAccess.flatMap(({ topic, producers, consumers }) => [
    ...producers.map((service) => topicPermission(service, 'WRITE', topic)),
    // a producer uses new partitions of its topic when the consumers have handled all that was sent
    ...producers.flatMap((service) =>
      consumers.map(({ group }) => groupPermission(service, 'DESCRIBE', group)),
    ),
    ...consumers.flatMap(({ service, group }): Permission[] => [
      topicPermission(service, 'READ', topic),
      groupPermission(service, 'READ', group),
      topicPermission(service, 'WRITE', deadLetterTopic(topic)),
    ]),
  ]);

/**
 * Grants each service's user its permissions. Skips services without a user. Existing ACLs stay.
 * The caller's user needs ALTER on the cluster, and the brokers need an authorizer.
 * @param prefix of the names of topics and groups in Kafka.
 * @returns the number of ACLs declared.
 */
export const declareAcls = async (
  admin: Admin,
  users: readonly ServiceUser[],
  prefix = '',
): Promise<number> => {
  const userOf = new Map(users.map(({ service, user }) => [service, user]));
  const acl = permissions().flatMap(({ service, operation, resource, name }): AclEntry[] => {
    const user = userOf.get(service);
    if (user === undefined) return [];
    return [
      {
        principal: `User:${user}`,
        host: '*',
        operation: AclOperationTypes[operation],
        permissionType: AclPermissionTypes.ALLOW,
        resourceType: AclResourceTypes[resource],
        resourceName: `${prefix}${name}`,
        resourcePatternType: ResourcePatternTypes.LITERAL,
      },
    ];
  });
  if (acl.length > 0) await admin.createAcls({ acl });
  return acl.length;
};

/**
 * Parses `service=user`.
 * @throws Error for a text of another form, or for a service that does not use Kafka.
 */
export const parseServiceUser = (text: string): ServiceUser => {
  const [, service = '', user = ''] = /^([a-z]+)=([^=,]+)$/.exec(text) ?? [];
  if (!services.some((known) => known === service))
    throw new Error(`expected service=user, with one of the services ${services.join(', ')}`);
  return { service: service as BusService, user };
};

const topicPermission = (
  service: BusService,
  operation: 'READ' | 'WRITE',
  name: string,
): Permission => ({ service, operation, resource: 'TOPIC', name });

const groupPermission = (
  service: BusService,
  operation: 'READ' | 'DESCRIBE',
  name: string,
): Permission => ({ service, operation, resource: 'GROUP', name });
