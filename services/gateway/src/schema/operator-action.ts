import { defineEntity, p } from '@mikro-orm/core';

/**
 * One action of an operator (decision 59). The pages of one read are one row: a page whose
 * `fold_key` exists adds no row.
 */
export const OperatorActionEntity = defineEntity({
  name: 'OperatorAction',
  tableName: 'operator_actions',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime().defaultRaw('clock_timestamp()'),
    operatorId: p.uuid(),
    operatorName: p.text(),
    roles: p.array(),
    credential: p.text().$type<'token' | 'oidc' | 'owner'>(),
    allowed: p.boolean(),
    rpc: p.text(),
    target: p.text(),
    request: p.text(),
    requestId: p.text(),
    clientAddress: p.text(),
    foldKey: p.blob().nullable().unique('operator_actions_fold_key_key'),
  },
  indexes: [
    { name: 'operator_actions_of_operator', properties: ['operatorId', 'id'] },
    { name: 'operator_actions_on_target', properties: ['target', 'id'] },
  ],
});
