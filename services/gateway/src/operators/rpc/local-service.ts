import type { DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { CallContext, Implementation } from '@pto/rpc';
import type { Operator } from '../operator.ts';

type LocalHandlers<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageShape<S['method'][K]['input']>,
    operator: Operator,
  ) => Promise<MessageInitShape<S['method'][K]['output']>>;
};

/** A service of the operator gateway itself. Its handlers receive the calling operator. */
export interface LocalService {
  readonly service: DescService;
  readonly handlers: Readonly<
    Record<string, (request: never, operator: Operator, context: CallContext) => Promise<object>>
  >;
}

export const local = <S extends DescService>(
  service: S,
  handlers: LocalHandlers<S>,
): LocalService => ({ service, handlers: handlers as unknown as LocalService['handlers'] });

/** Wraps an implementation whose handlers do not need the calling operator. */
export const localOf = ({ service, handlers }: Implementation): LocalService => ({
  service,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      (request: never, _: Operator, context: CallContext) => handler(request, context),
    ]),
  ),
});
