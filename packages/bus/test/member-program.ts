/** Says `ready`, then a line for each message as soon as it has it. */
import { writeSync } from 'node:fs';
import { openTestBus } from './open-test-bus.ts';

const { settings, group, topic } = JSON.parse(process.env.MEMBER!);
const bus = await openTestBus(settings);
await bus.subscribe({
  group,
  topic,
  handle: async (batch) => {
    for (const { id, key, value } of batch) {
      writeSync(1, `${JSON.stringify({ id, key, value: Buffer.from(value).toString() })}\n`);
    }
  },
});
writeSync(1, 'ready\n');
