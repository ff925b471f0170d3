import { Failure, toFailure } from '@pto/errors';
import { cellHeader } from '@pto/proto/headers';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import type { ConnectCall, Implementation } from '@pto/rpc';
import { currentRequestId, newRequestId, type Telemetry } from '@pto/telemetry';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { auditLog } from '../audit/audit-log.ts';
import { createdOf, readOf, recordable, requestText, targetOf } from '../audit/audit-log.ts';
import type { authentication } from '../identity/authenticate.ts';
import { isPermitted, notPermitted, type Operator } from '../identity/operator.ts';
import type { Forward } from './forward.ts';

/**
 * Maximum number of denied attempts per operator and minute that are recorded. Further denied
 * attempts fail with RATE_LIMITED and are not recorded.
 */
const deniedPerMinute = 60;
const requestIdMax = 128;

/**
 * Handles an operator's call: verifies the credential and the role, records the attempt, calls the
 * service and records the outcome. A call that cannot be recorded is not forwarded (decision 59).
 */
export const handleCall = (deps: {
  authenticate: ReturnType<typeof authentication>;
  addressOf: (call: ConnectCall) => string;
  /** Returns the services of this process, for one operator. */
  ownServices: (operator: Operator) => readonly Implementation[];
  forward: Forward;
  audit: ReturnType<typeof auditLog>;
  telemetry: Telemetry;
}) => {
  const denials = new RateLimiterMemory({ points: deniedPerMinute, duration: 60 });

  const deny = async (operator: Operator, record: () => Promise<unknown>, failure: Failure) => {
    const left = await denials.consume(operator.id).catch(() => undefined);
    if (!left)
      throw new Failure('RATE_LIMITED', 'Too many calls that none of your roles permits.', {
        retryAfterSeconds: 60,
      });
    await record();
    throw failure;
  };

  return async (call: ConnectCall): Promise<object> => {
    const { method, request, http, context } = call;
    const clientAddress = deps.addressOf(call);
    const operator = await deps.authenticate(http.headers, clientAddress);
    // it reads nothing, and every map needs it: no row is recorded
    if (method === OperatorService.method.checkCredential) return {};
    const service = method.parent.typeName;
    const cell = cellOf(http);
    const allowed = isPermitted(operator, service, method.name);
    const begin = () =>
      deps.audit.begin({
        operator,
        rpc: `${service}/${method.name}`,
        target: targetOf(method, request),
        request: requestText(method, request, cell),
        requestId: recordable(currentRequestId() ?? newRequestId()).slice(0, requestIdMax),
        clientAddress,
        allowed,
        page: readOf(method, request, cell),
      });
    if (!allowed) return deny(operator, begin, notPermitted(operator, service, method.name));
    const id = await begin();
    const started = performance.now();
    const ended = (outcome: string, createdId = '') =>
      deps.audit.end(id, outcome, performance.now() - started, createdId).catch((err) => {
        // the service has already handled the call; the log shows its outcome as `unknown`
        deps.telemetry.log.error({ err, action: id }, 'outcome of an operator action not recorded');
      });
    try {
      const own = deps.ownServices(operator).find(({ service }) => service === method.parent);
      const response = own
        ? await own.handlers[method.localName]!(request as never, context)
        : await deps.forward({ ...call, cell }, operator, context);
      await ended('ok', createdOf(method, response));
      return response;
    } catch (thrown) {
      await ended(toFailure(thrown).kind);
      throw thrown;
    }
  };
};

const cellMax = 31;

/** Returns the cell that the operator has named; undefined: none. */
const cellOf = ({ headers }: ConnectCall['http']): string | undefined => {
  const name = headers[cellHeader]?.toString() ?? '';
  return name === '' ? undefined : recordable(name).slice(0, cellMax);
};
