/** Checks that the receiver accepts every genuine delivery (contract 6.2, 6.3, 6.5 and 6.6). */
import { randomBytes } from 'node:crypto';
import { send } from '../../listen/post.ts';
import type { Check } from '../check.ts';
import { deliver, deliverHalf, isExpected } from '../deliver.ts';
import { isEcho } from '../echo.ts';
import { genuineAttempt } from '../genuine.ts';
import { printableBody } from '../printable-body.ts';

/** Events that an outage holds back, and attempts at the same time. */
const heldCount = 30;
const atOnce = 10;
/** Part of a handshake's response that the service reads, in bytes (decision 35). */
const nonceMaxBytes = 4096;
const hourMs = 3_600_000;
const reference = 'guides/webhook-reference';

export const deliveryChecks: readonly Check[] = [
  {
    name: 'handshake',
    does: 'Requests the URL with ?verification=NONCE and expects 2xx with the nonce as the body.',
    fix: 'Respond to GET with status 200 and exactly the value of the parameter verification.',
    section: `${reference}#in-ten-minutes`,
    run: async ({ receiver, nextSecret, signal }, seen) => {
      const nonce = randomBytes(32).toString('base64url');
      const url = new URL(receiver.url);
      url.searchParams.append('verification', nonce);
      const { status, text, ms } = await send(
        url.href,
        { method: 'GET' },
        { signal, maxBytes: nonceMaxBytes },
      );
      const isAccepted = isExpected(status, '2xx');
      const ok = isAccepted && isEcho(text, nonce);
      const error = status === null ? text : ok || !isAccepted ? null : 'the body is not the nonce';
      const response = status === null ? '' : printableBody(text, [receiver.secret, nextSecret]);
      seen.attempts.push({
        ...{ what: 'the handshake', delivery: null, event: null, expected: '2xx' },
        ...{ status, error, response, ms, ok },
      });
    },
  },
  {
    name: 'genuine',
    does: 'Sends a signed event and expects 2xx within 10 s.',
    fix: 'Verify the signature over the raw body with the secret that pto got, store the delivery, respond 2xx, and work afterwards.',
    section: `${reference}#verify-keep-answer`,
    run: async (trial, seen) => {
      seen.attempts.push(await genuineAttempt(trial));
    },
  },
  {
    name: 'retry',
    does: 'Breaks an attempt in the middle of its body, sends the delivery again with the same id, and expects 2xx.',
    fix: 'Record a delivery id in the same transaction as the event, and not before the body is complete.',
    section: `${reference}#when-your-endpoint-fails`,
    run: async (trial, seen) => {
      const delivery = trial.sample();
      await deliverHalf(trial, seen, delivery);
      await deliver(trial, seen, { what: 'the retry', delivery, expected: '2xx' });
    },
  },
  {
    name: 'duplicate',
    does: 'Sends a delivery twice with the same id and expects 2xx both times.',
    fix: 'Respond 2xx to a delivery id that you have stored already, and do not process it again.',
    section: `${reference}#repeated-delayed-reordered-and-missing-events`,
    run: async (trial, seen) => {
      const delivery = trial.sample();
      await deliver(trial, seen, { what: 'the delivery', delivery, expected: '2xx' });
      await deliver(trial, seen, { what: 'the duplicate', delivery, expected: '2xx' });
    },
  },
  {
    name: 'reordering',
    does: 'Sends the later of two events of an order first and expects 2xx for both.',
    fix: 'Accept an event with a lower data.order.sequence; only do not let it overwrite a newer status.',
    section: `${reference}#repeated-delayed-reordered-and-missing-events`,
    run: async (trial, seen) => {
      const earlier = trial.sample({ event: 'order.assigned', status: 'assigned' });
      const later = trial.sample({ event: 'order.accepted', status: 'accepted' });
      await deliver(trial, seen, { what: 'the later event', delivery: later, expected: '2xx' });
      await deliver(trial, seen, { what: 'the earlier event', delivery: earlier, expected: '2xx' });
    },
  },
  {
    name: 'outage',
    does: `Holds back ${heldCount} events, as while the receiver is unreachable, sends them ${atOnce} at a time with their times of an hour ago, and expects 2xx for each.`,
    fix: 'Accept several deliveries at the same time, and events whose occurred_at is old: only the time of the signature counts.',
    section: `${reference}#when-your-endpoint-fails`,
    run: async (trial, seen) => {
      const held = Array.from({ length: heldCount }, () => trial.sample({ ageMs: hourMs }));
      for (let from = 0; from < held.length; from += atOnce)
        await Promise.all(
          held
            .slice(from, from + atOnce)
            .map((delivery) =>
              deliver(trial, seen, { what: 'a held event', delivery, expected: '2xx' }),
            ),
        );
    },
  },
  {
    name: 'unknown-event',
    does: 'Sends an event with an unknown name and expects 2xx.',
    fix: 'Respond 2xx to events that you do not know, and ignore them.',
    section: `${reference}#what-a-request-contains`,
    run: (trial, seen) => {
      const delivery = trial.sample({ event: 'order.of_a_later_version' });
      return deliver(trial, seen, { what: 'an unknown event', delivery, expected: '2xx' });
    },
  },
  {
    name: 'unknown-status',
    does: 'Sends a known event whose order has an unknown status and expects 2xx.',
    fix: 'Accept statuses that you do not know: every enumeration of the API can grow.',
    section: `${reference}#what-a-request-contains`,
    run: (trial, seen) => {
      const delivery = trial.sample({ status: 'status_of_a_later_version' });
      return deliver(trial, seen, { what: 'an unknown status', delivery, expected: '2xx' });
    },
  },
  {
    name: 'unknown-fields',
    does: 'Sends a known event with additional members and expects 2xx.',
    fix: 'Ignore members that you do not know: the payload can grow at any time.',
    section: `${reference}#what-a-request-contains`,
    run: (trial, seen) => {
      const delivery = trial.sample({
        change: (body) => ({
          ...body,
          later: { version: [1, null] },
          data: { later: true, order: { ...body.data.order, later: null } },
          links: { ...body.links, later: body.links.order },
        }),
      });
      return deliver(trial, seen, { what: 'unknown members', delivery, expected: '2xx' });
    },
  },
];
