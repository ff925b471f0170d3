import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseNote, readCheckpointLines, rebuildIndexRoot } from '@pto/custody-verifier';
import { listening } from '@pto/lifecycle';
import { until } from '@pto/testing';
import { createOrder, inLanes, walkOrder } from '../../load.ts';
import type { LocalStack } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';

export const publicLog = (stack: LocalStack): void => {
  const verifier = new URL(
    '../../../verifiers/custody-verifier/src/bin/custody-verify.ts',
    import.meta.url,
  ).pathname;
  const follower = new URL('../../follower/', import.meta.url).pathname;

  /** Without any key. */
  const open = (path: string, method = 'GET') =>
    fetch(`${stack.file().gateways[0]}${path}`, { method, signal: AbortSignal.timeout(10_000) });
  const bytesOf = async (path: string) => Buffer.from(await (await open(path)).arrayBuffer());
  const sha = (...parts: Uint8Array[]) =>
    createHash('sha256').update(Buffer.concat(parts)).digest();

  test('who holds no key sees the log grow, and finds a partner’s entry in it', async () => {
    const ids: string[] = [];
    await inLanes(4, 2, async (n) => {
      const id = await createOrder(stack, `log-${n}`);
      await walkOrder(stack, id);
      ids.push(id);
    });
    const client = partner(stack);
    const proofs = await until(
      async () => {
        const answers = await Promise.all(
          ids.map((id) => client.get(`/orders/${id}/custody/proof`)),
        );
        return answers.every(({ body }) => body.log) && answers.map(({ body }) => body);
      },
      { what: 'a checkpoint over every chain' },
    );
    const checkpoint = await open('/custody/checkpoint');
    expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const note = await checkpoint.text();
    const [origin, size, root] = note.split('\n');
    const width = Number(size);
    expect(width).toBe(proofs.reduce((sum, { count }) => sum + count, 0));
    const keys = await (await open('/custody/keys.json')).json();
    expect(keys).toEqual({ origin, keys: proofs[0].keys });

    const entries = await bytesOf(`/custody/tile/entries/000.p/${width}`);
    const leaves = Array.from({ length: width }, (_, n) =>
      entries.subarray(n * 34 + 2, n * 34 + 34),
    );
    const tile = await bytesOf(`/custody/tile/0/000.p/${width}`);
    expect(tile).toEqual(Buffer.concat(leaves.map((leaf) => sha(Buffer.of(0), leaf))));
    const rootOf = (from: number, to: number): Buffer => {
      if (to - from === 1) return tile.subarray(from * 32, to * 32);
      let half = 1;
      while (half * 2 < to - from) half *= 2;
      return sha(Buffer.of(1), rootOf(from, from + half), rootOf(from + half, to));
    };
    expect(rootOf(0, width).toString('base64')).toBe(root);
    for (const { log, head_hash } of proofs)
      expect(leaves[log.leaf_index]!.toString('hex')).toBe(head_hash);

    // the order index, from the public tiles alone
    const numbers = await bytesOf(`/custody/tile/orders/000.p/${width}`);
    const logged = leaves.map((head, n) => ({
      key: numbers.toString('hex', 36 * n, 36 * n + 32),
      sequence: numbers.readUInt32BE(36 * n + 32),
      head: head.toString('hex'),
    }));
    const { indexRoot } = readCheckpointLines(parseNote(note).text);
    expect(Buffer.from(await rebuildIndexRoot(() => logged))).toEqual(Buffer.from(indexRoot!));
    for (const { completeness, log } of proofs)
      expect(completeness.checkpoint).toBe(log.checkpoint);

    const { body: summary } = await client.get(`/orders/${ids[0]}/custody`);
    expect(summary).toMatchObject({
      order_id: ids[0],
      count: proofs[0].count,
      head_hash: proofs[0].head_hash,
      checkpoint: { origin, leaf_index: proofs[0].log.leaf_index },
    });
  });

  describe('custody-verify, on the proof files of the service', () => {
    const verify = (text: string, ...args: string[]) => {
      const file = join(stack.dir, 'proof.json');
      writeFileSync(file, text);
      return spawnSync(process.execPath, [verifier, file, ...args], { encoding: 'utf8' });
    };
    const proofOf = async (id: string) =>
      (await partner(stack).get(`/orders/${id}/custody/proof`)).text;
    /** The keys as a partner stores them once. */
    const storedKeys = async () => {
      const file = join(stack.dir, 'keys.json');
      writeFileSync(file, await bytesOf('/custody/keys.json'));
      return ['--keys', file];
    };

    test('proves a history with the keys of keys.json, and names an entry that was changed', async () => {
      const [order] = (await partner(stack).get('/orders?limit=1')).body.data;
      const proof = await proofOf(order.id);
      const keys = await storedKeys();
      expect(verify(proof, ...keys)).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/; complete as of \S+ \(checkpoint \d+\)\./),
      });
      expect(verify(proof)).toMatchObject({ status: 3, stderr: '' });
      expect(
        verify(JSON.stringify({ ...JSON.parse(proof), log: null, completeness: null }), ...keys)
          .status,
      ).toBe(3);
      const tampered = verify(proof.replace('order.accepted', 'order.assigned'), ...keys);
      expect([tampered.status, tampered.stdout]).toEqual([1, expect.stringContaining('entry 3')]);
    });

    test('proves that an order in DRAFT has no entries', async () => {
      const draft = orderBody({ external_id: 'a-draft', auto_dispatch: false });
      const { body } = await partner(stack).post('/orders', draft);
      const proof = await proofOf(body.id);
      expect(JSON.parse(proof)).toMatchObject({ entries: [], count: 0, log: null });
      const { status, stdout } = verify(proof, ...(await storedKeys()));
      expect([status, stdout]).toEqual([
        0,
        expect.stringContaining('The order had no entries as of'),
      ]);
    });
  });

  const go = spawnSync('go', ['version']).status === 0;
  (go ? test : test.skip)(
    "other people's code opens the checkpoint and proves all of it",
    async () => {
      const { keys } = (await (await open('/custody/keys.json')).json()) as {
        keys: { vkey: string }[];
      };
      const follow = async (...older: string[]) => {
        const run = promisify(execFile);
        const args = ['run', '.', stack.file().gateways[0]!, keys[0]!.vkey, ...older];
        return JSON.parse((await run('go', args, { cwd: follower, timeout: 120_000 })).stdout);
      };
      const older = join(stack.dir, 'older-checkpoint');
      const note = await (await open('/custody/checkpoint')).text();
      writeFileSync(older, note);
      const size = Number(note.split('\n')[1]);
      await createOrder(stack, 'one-more');
      const grown = async () =>
        Number((await (await open('/custody/checkpoint')).text()).split('\n')[1]);
      await until(async () => (await grown()) === size + 1, { what: 'a checkpoint over one more' });
      expect(await follow(older)).toEqual({
        size: size + 1,
        leaves: size + 1,
        consistentWith: size,
      });
      writeFileSync(
        older,
        note.replace(/\n[^\n]+\n\n/, `\n${Buffer.alloc(32).toString('base64')}\n\n`),
      );
      await expect(follow(older)).rejects.toThrow(/invalid signature/);
    },
    180_000,
  );

  test('what the log does not contain yet is a 404, and these routes accept no writes', async () => {
    const size = Number((await (await open('/custody/checkpoint')).text()).split('\n')[1]);
    for (const path of [
      `/custody/tile/0/000.p/${size + 1}`,
      '/custody/tile/0/000',
      '/custody/tile/0/001.p/1',
      '/custody/tile/entries/001',
      '/custody/tile/orders/001',
      '/custody/tile/0/x000/000.p/1',
      '/custody/tile/7/x999/x999/x999/x999/999',
      '/custody',
      '/custody/',
      '/custody/tile/8/000',
      '/custody/tile/0/0',
      '/custody/tile/0/000.p/256',
    ]) {
      const answer = await open(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    }
    const post = await open('/custody/checkpoint', 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await open('/custody/checkpoint', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const tile = await open('/custody/tile/0/000.p/1');
    expect(tile.headers.get('cache-control')).toContain('immutable');
  });

  /** Serves what the gateway serves below /custody, with one bit of one resource flipped. */
  const withFlippedBit = async (path: string) => {
    const server = createServer(async (request, response) => {
      const answer = await open(request.url!);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (request.url === path) bytes[bytes.length - 20]! ^= 1;
      response.writeHead(answer.status).end(bytes);
    });
    const port = await listening(server, 0, '127.0.0.1');
    return { url: `http://127.0.0.1:${port}/custody/`, stop: () => server.close() };
  };

  (go ? test : test.skip)(
    'the fsck of Tessera derives the root again, and rejects a log with one flipped bit',
    async () => {
      const noted = async () => (await (await open('/custody/checkpoint')).text()).split('\n');
      const size = Number((await noted())[1]) + 300;
      await inLanes(300, 8, (n) => createOrder(stack, `full-tile-${n}`));
      await until(async () => Number((await noted())[1]) === size, { what: 'a full tile' });
      const { keys } = (await (await open('/custody/keys.json')).json()) as {
        keys: { vkey: string }[];
      };
      const keyFile = join(stack.dir, 'log-key');
      writeFileSync(keyFile, keys[0]!.vkey);
      const program = 'github.com/transparency-dev/tessera/cmd/fsck@v1.0.4';
      const fsck = (url: string) => {
        // exits with 0 whatever it finds, and with one worker hangs after a wrong tile
        const flags = ['-storage_url', url, '-public_key', keyFile, '-ui=false', '-N=4'];
        const run = promisify(execFile);
        return run('go', ['run', program, ...flags], { timeout: 120_000 }).then(
          ({ stderr }) => stderr,
        );
      };
      const accepted = await fsck(`${stack.file().gateways[0]}/custody/`);
      expect(accepted).toContain(`Successfully fsck'd log with size ${size} and root`);
      for (const path of [
        '/custody/tile/0/000',
        '/custody/tile/1/000.p/1',
        '/custody/tile/entries/000',
        `/custody/tile/entries/001.p/${size - 256}`,
        '/custody/checkpoint',
      ]) {
        const flipped = await withFlippedBit(path);
        expect({ path, outcome: await fsck(flipped.url) }).toEqual({
          path,
          outcome: expect.stringContaining('fsck failed: '),
        });
        flipped.stop();
      }
    },
    240_000,
  );
};
