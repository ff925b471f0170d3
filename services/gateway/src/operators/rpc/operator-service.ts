import { OperatorService } from '@pto/proto/operators/v1/operators';
import type { people } from '../people.ts';
import type { operatorTokens } from '../tokens.ts';
import { local } from './local-service.ts';

/**
 * Serves the RPCs for operators' identities: personal tokens, and people who sign in with OpenID.
 */
export const operatorService = (deps: {
  tokens: ReturnType<typeof operatorTokens>;
  people: ReturnType<typeof people>;
}) =>
  local(OperatorService, {
    whoAmI: async (_, { id, name, roles, credential, expiresAt }) => ({
      id,
      name,
      roles: [...roles],
      credential,
      expiresAt: expiresAt.toISOString(),
    }),
    issueToken: ({ name, roles, expiresInSeconds }, operator) =>
      deps.tokens.issue({
        name,
        roles,
        expiresInSeconds: Number(expiresInSeconds),
        by: operator.name,
      }),
    listTokens: ({ afterId }) => deps.tokens.list(afterId),
    revokeToken: async ({ id }, { name }) => ({ token: await deps.tokens.revoke(id, name) }),
    listOperators: ({ afterId }) => deps.people.list(afterId),
    blockOperator: async ({ id }, { name }) => ({ operator: await deps.people.block(id, name) }),
    unblockOperator: async ({ id }) => ({ operator: await deps.people.unblock(id) }),
  });
