/** Evidence of a transport on a running stack: handovers, temperatures, certificate, exports, erasure. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { pngPicture, readingsCsv, until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { walkOrder } from '../../load.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { proofsOf } from '../proven-proof.ts';
import { filesWith, redisKeysWith, tablesOfStackWith } from '../search-stores.ts';

export const evidence = (stack: LocalStack): void => {
  const { provenProof, verdictOn } = proofsOf(stack);
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  const run = async (...words: readonly string[]) => {
    const { code, json, stderr } = await operator(stack, ...words);
    expect([code, stderr]).toEqual([0, '']);
    return json as Record<string, never>;
  };

  const signer = 'Canary-Signer-4714';
  const courier = 'Canary-Courier-4715';

  /** Reads a file of the API as bytes. */
  const download = async (path: string, accept = '*/*') => {
    const { gateways, organizations } = stack.file();
    const key = organizations[0]!.keys.all;
    const url = `${gateways[0]}/api/partner/v1${path}`;
    const headers = { Authorization: `Bearer ${key}`, Accept: accept };
    const response = await fetch(url, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };

  test('an order with three handovers and an excursion is proven, certified, exported and erased', async () => {
    const receiver = await startReceiver(stack);
    try {
      await receiver.subscribe();
      const { get, post } = partner(stack);
      const created = await post('/orders', {
        ...orderBody(),
        items: [{ goods_type: 'blood' }, { goods_type: 'plasma' }],
        required_evidence: { pickup: ['photo'], dropoff: ['scan'] },
        temperature_min: 2,
        temperature_max: 8,
      });
      const { id } = created.body;
      expect(created.body).toMatchObject({
        required_evidence: { pickup: ['photo'], dropoff: ['scan'], return: [] },
        temperature_min: 2,
        temperature_max: 8,
      });
      await walkOrder(stack, id, 'SEALED');
      const early = await operator(stack, 'order', 'start-transport', id);
      expect([early.code, early.stderr]).toEqual([
        1,
        expect.stringContaining('record a handover with photo'),
      ]);
      const sealed = (await get(`/orders/${id}`)).body.items.map(
        ({ seal_id }: { seal_id: string }) => seal_id,
      );
      const parties = (from: string, to: string) =>
        ['--from', from, '--from-role', 'shipper', '--to', to, '--to-role', 'carrier'] as const;
      const png = file('handover.png', pngPicture());
      await run(
        ...['order', 'handover', id, '--stage', 'pickup', ...parties('Klinik', 'Blutkurier')],
        ...['--method', 'photo', '--method', 'id_checked', '--file', png, '--to-person', courier],
      );
      await run('order', 'start-transport', id);
      await run(
        ...['order', 'handover', id, '--stage', 'transfer', ...parties('Blutkurier', 'Nachtfahrt')],
        ...['--method', 'pin', '--to-person', signer],
      );
      const last = await run(
        ...['order', 'handover', id, '--stage', 'dropoff', ...parties('Nachtfahrt', 'Labor')],
        ...['--method', 'scan', '--seal', sealed[0], '--seal', 'S-FOREIGN'],
      );
      expect(last).toMatchObject({
        missing_seal_ids: [sealed[1]],
        unexpected_seal_ids: ['S-FOREIGN'],
      });
      // a scan of other seals is not the evidence that the order requires
      const undelivered = await operator(stack, 'order', 'deliver', id);
      expect([undelivered.code, undelivered.stderr]).toEqual([
        1,
        expect.stringContaining('record a handover with scan'),
      ]);
      await run(
        ...['order', 'handover', id, '--stage', 'dropoff', ...parties('Nachtfahrt', 'Labor')],
        ...['--method', 'scan', '--seal', sealed[0], '--seal', sealed[1]],
      );
      const csv = readingsCsv(4, 9.5, 5);
      const recorded = await post(`/orders/${id}/conditions`, {
        device_id: 'TL-7',
        calibration_reference: 'CAL-1',
        calibration_date: '2026-01-14',
        unit: 'celsius',
        media_type: 'text/csv',
        readings: csv,
        summary: { maximum: 9.5 },
      });
      expect([recorded.status, recorded.body.payload.excursion_count]).toEqual([201, 1]);
      const wrong = await post(`/orders/${id}/conditions`, {
        device_id: 'TL-7',
        calibration_date: '2027-01-14',
        unit: 'celsius',
        media_type: 'text/csv',
        readings: csv,
      });
      expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'calibration_date']]);
      const readings = file('log.ndjson', `{"time":"${new Date().toISOString()}","value":4.5}\n`);
      await run('order', 'condition', id, '--file', readings, '--device', 'TL-8', '--max', '4.5');
      await run('order', 'incident', id, '--note', 'The box was dropped.');
      await walkOrder(stack, id);

      const before = await provenProof(id, 18);
      expect((await verdictOn(before)).verdict).toBe('proven');
      const internal = before.entries.map((entry) => entry.internal_type);
      for (const type of ['SEAL_MISMATCH', 'CONDITION_RECORDED', 'TEMPERATURE_EXCURSION'])
        expect(internal).toContain(type);
      await until(
        () =>
          receiver.received.filter(({ event }) => event === 'order.incident_reported').length >= 3,
        { what: 'three webhooks of incidents' },
      );

      const handover = before.entries.find((entry) => entry.internal_type === 'HANDOVER_RECORDED')!;
      const { sha256 } = (handover.payload as { artifact: { sha256: string } }).artifact;
      const artifact = await download(`/orders/${id}/artifacts/${sha256}`);
      expect(artifact.bytes.equals(pngPicture())).toBe(true);
      expect(artifact.headers.get('content-disposition')).toContain('attachment');
      expect(artifact.headers.get('x-content-type-options')).toBe('nosniff');
      const csvHash = recorded.body.payload.readings.sha256;
      expect(`${(await download(`/orders/${id}/artifacts/${csvHash}`)).bytes}`).toBe(csv);

      const certificate = `/orders/${id}/custody/certificate`;
      const pdf = await download(certificate);
      expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect((await download(certificate)).bytes.equals(pdf.bytes)).toBe(true);
      const html = await download(`${certificate}?lang=de`, 'text/html');
      expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
      for (const fact of ['lang="de"', 'S-FOREIGN', 'TL-7', signer, 'Nachtfahrt'])
        expect(`${html.bytes}`).toContain(fact);
      const epcis = JSON.parse(`${(await download(`/orders/${id}/custody/epcis`)).bytes}`);
      expect(epcis).toMatchObject({ type: 'EPCISDocument' });
      expect(JSON.stringify(epcis)).not.toContain('Canary');
      const fhir = JSON.parse(`${(await download(`/orders/${id}/custody/fhir`)).bytes}`);
      expect(fhir.resourceType).toBe('Bundle');
      expect(JSON.stringify(fhir)).toContain(signer);

      await run('erase', '--order', id, '--reason', 'request 18');
      const after = await provenProof(id, before.entries.length + 1);
      expect(await verdictOn(after)).toMatchObject({
        verdict: 'proven',
        headline: expect.stringContaining('fields erased on'),
      });
      expect((await verdictOn(before)).verdict).toBe('proven');
      expect((await download(`/orders/${id}/artifacts/${sha256}`)).status).toBe(404);
      expect(`${(await download(`${certificate}?lang=de`, 'text/html')).bytes}`).not.toContain(
        'Canary',
      );
      expect(`${(await download(`/orders/${id}/custody/fhir`)).bytes}`).not.toContain('Canary');
      await until(() => filesWith(stack, 'PNG').every((name) => !name.startsWith('artifacts')), {
        what: 'the erasure of the picture',
      });
      // the old row versions leave PostgreSQL's files with a vacuum (docs/operators/erasure.md)
      await asSuperuser(stack, 'orders', async (client) => {
        for (const table of ['disclosures', 'orders']) await client.query(`vacuum full ${table}`);
        await client.query('checkpoint');
      });
      for (const value of [signer, courier]) {
        expect(await tablesOfStackWith(stack, value)).toEqual([]);
        expect(await redisKeysWith(stack, value)).toEqual([]);
        expect(filesWith(stack, value)).toEqual([]);
      }
      expect(await operator(stack, 'ledger', 'verify')).toMatchObject({ json: { valid: true } });
    } finally {
      await receiver.stop();
    }
  }, 120_000);
};
