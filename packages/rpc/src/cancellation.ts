/** A call of grpc-js, as far as it can be cancelled. */
interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Returns the signal of a call that its caller cancels; made when first asked for, as most never are. */
export const cancellation = (call: Cancellable): (() => AbortSignal) => {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const made = new AbortController();
    controller = made;
    if (call.cancelled) made.abort();
    else call.on('cancelled', () => made.abort());
    return made.signal;
  };
};

/** A call's signal: aborted when its caller has gone, or by `end`. Made when it is first read. */
export const callSignal = (gone: () => AbortSignal) => {
  let [own, signal]: [AbortController | undefined, AbortSignal | undefined] = [
    undefined,
    undefined,
  ];
  let isEnded = false;
  return {
    signal: (): AbortSignal => {
      own ??= new AbortController();
      if (isEnded) own.abort();
      signal ??= AbortSignal.any([gone(), own.signal]);
      return signal;
    },
    end: (): void => {
      isEnded = true;
      own?.abort();
    },
  };
};
