import { EndpointPage as Page } from '../../parts/endpoint/page.tsx';
import type { EndpointSource } from '../../parts/endpoint/source.ts';
import { titled } from '../../parts/environment.ts';
import { t } from '../../parts/words.ts';
import { command, read } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';

export const source: EndpointSource = {
  get brand() {
    return titled('Portal');
  },
  live: livePortal,
  endpoint: (id) => read(`/webhooks/${id}`),
  deliveries: (id, filter) => read(`/webhooks/${id}/deliveries`, { ...filter, limit: '25' }),
  test: (id) => command('POST', `/webhooks/${id}/test`),
  sendExample: (id, event_type) => command('POST', `/webhooks/${id}/test`, { event_type }),
  change: (id, fields) => command('PATCH', `/webhooks/${id}`, fields),
  remove: (id) => command('DELETE', `/webhooks/${id}`),
  metrics: (id) => read(`/webhooks/${id}/metrics`),
  verify: (id) => command('POST', `/webhooks/${id}/verify`),
  setDisabled: (id, disabled) => command('PATCH', `/webhooks/${id}`, { disabled }),
  rotate: (id, overlap) => command('POST', `/webhooks/${id}/secret/rotate`, { overlap }),
  get secretText() {
    return t('Nobody can show it again.');
  },
  recover: (id, span) => command('POST', `/webhooks/${id}/recover`, span),
  replay: ({ id, endpoint_id }) =>
    command('POST', `/webhooks/${endpoint_id}/deliveries/${id}/replay`),
  isReplayedOnce: false,
};

/** One endpoint, with what the session permits. */
export const EndpointPage = ({ id }: { id: string }) => {
  const { changesEndpoints: may, endpointId } = usePermitted();
  // who has a link for one endpoint runs its receiver, and would have no page without it
  const remove = may && endpointId === undefined;
  const rights = { check: may, disable: may, recover: may, rotate: may, change: may, remove };
  return <Page id={id} source={source} may={rights} />;
};
