import { afterAll, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { currentTraceparent, inSpan, startTracing } from '../src/index.ts';

const stop = startTracing('test', undefined);
afterAll(() => stop());

const received = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Returns the parts of the traceparent that work in a span sends on. */
const partsIn = (traceparent?: string) =>
  inSpan('span', { kind: 'server', traceparent }, async () => partsOf(currentTraceparent()));
const partsOf = (traceparent: string | undefined) => {
  const [version, traceId, spanId, flags] = traceparent!.split('-');
  return { version, traceId, spanId, flags };
};

test('a span without one above begins a trace', async () => {
  const [one, other] = [await partsIn(), await partsIn()];
  expect(one).toMatchObject({ version: '00', flags: '00' });
  expect(one.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(one.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(other.traceId).not.toBe(one.traceId);
});

test('a span continues the trace of the message that was received, and is not sampled', async () => {
  const { traceId, spanId, flags } = await partsIn(received);
  expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(spanId).not.toBe('b7ad6b7169203331');
  expect(flags).toBe('00');
});

test('a span in a span continues its trace with an id of its own', async () => {
  await inSpan('outer', { kind: 'server', traceparent: received }, async () => {
    const outer = partsOf(currentTraceparent());
    const inner = await partsIn();
    expect(inner.traceId).toBe(outer.traceId);
    expect(inner.spanId).not.toBe(outer.spanId);
    expect(partsOf(currentTraceparent())).toEqual(outer);
  });
});

test.each([
  ['zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['another form', 'x'],
  ['a version that does not exist', received.replace('00-', 'ff-')],
])('a traceparent of %s is no trace: the span above counts', async (_, traceparent) => {
  await inSpan('outer', { kind: 'server', traceparent: received }, async () => {
    expect((await partsIn(traceparent)).traceId).toBe(partsOf(received).traceId);
  });
  expect((await partsIn(traceparent)).traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
});

test('a span is what the tracer makes of it', async () => {
  await inSpan('outer', { kind: 'server', traceparent: received }, async () => {
    const made = trace.getTracer('test').startSpan('inner');
    const inner = await inSpan('inner', { kind: 'internal' }, async (span) => span);
    expect(inner.isRecording()).toBe(made.isRecording());
    const { spanId, ...expected } = made.spanContext();
    expect(inner.spanContext()).toEqual({
      ...expected,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(inner.spanContext().spanId).not.toBe(spanId);
  });
});
