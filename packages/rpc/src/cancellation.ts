/** The members of a grpc-js call that report its cancellation. */
interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/**
 * Returns a function that returns the signal of a call, aborted when the caller cancels. The signal
 * is created at the first use, because most handlers never use it.
 */
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

/**
 * Creates a call's signal, which is aborted when the signal of `gone` is aborted or when `end` is
 * called. The signal is created at the first use.
 */
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
