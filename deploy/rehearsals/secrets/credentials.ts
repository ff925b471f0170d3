import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../e2e/partner.ts';
import type { Scene } from './secrets-rotated.ts';

/** A partner's key: the partner changes over within the overlap; then the old one is revoked. */
export const rotatePartnerKey = async (scene: Scene): Promise<void> => {
  const { stage, stack, operator, view, moreClosed } = scene;
  await stage.step("a partner's key, with an overlap", async () => {
    const { id: org, keys } = stack.file().organizations[0]!;
    const listed: { id: string; last4: string; last_used_at: string | null }[] = (
      await operator('key', 'list', '--org', org)
    ).json;
    const old = listed.find(({ last4 }) => last4 === keys.all.slice(-4))!;
    const { json: issued } = await operator('key', 'rotate', old.id, '--overlap', '24h');
    await moreClosed(3);
    view.key = issued.key;
    await moreClosed(3);
    assert.equal((await operator('key', 'revoke', old.id, '--yes')).code, 0);
    const status = async () => (await partner(stack, keys.all).get('/ping')).status;
    await until(async () => (await status()) === 401, { what: 'the old key to end' });
  });
};

/** An endpoint's secret: the receiver has both during the overlap. */
export const rotateEndpointSecret = async (scene: Scene): Promise<void> => {
  const { stage, view, receiver, moreClosed } = scene;
  await stage.step("an endpoint's signing secret, with an overlap", async () => {
    const { get, post } = partner(view.stack);
    const [endpoint] = (await get('/webhooks')).body;
    const rotated = await post(`/webhooks/${endpoint.id}/secret/rotate`, { overlap: 86_400 });
    assert.equal(rotated.status, 200);
    await moreClosed(3);
    receiver.state.secret = rotated.body.secret;
    await moreClosed(3);
  });
};

/** An operator's token: a successor is issued, used, and the old one revoked. */
export const rotateOperatorToken = async (scene: Scene): Promise<void> => {
  const { stage, stack, operator, view } = scene;
  await stage.step("an operator's token", async () => {
    const { json: me } = await operator('whoami');
    const roles: string[] = me.roles;
    const { json: issued } = await operator(
      ...['token', 'issue', '--name', 'rehearsal', '--expires-in', '1d'],
      ...roles.flatMap((role) => ['--role', role]),
    );
    const tokens: { id: string; name: string }[] = (await operator('token', 'list')).json;
    const old = tokens.find(({ name }) => name === 'local')!;
    view.token = issued.token;
    view.stack = { ...view.stack }; // the clients of the old token stay with the old one
    assert.equal((await operator('token', 'revoke', old.id, '--yes')).code, 0);
    assert.equal((await operator('whoami')).code, 0);
    const { gateways, ...file } = stack.file();
    const before = { ...stack, file: () => ({ ...file, gateways }) };
    assert.equal((await scene.operatorOn(before)('whoami')).code, 1, 'the old token has ended');
  });
};
