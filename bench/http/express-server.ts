/**
 * The comparison for the local stack: Express and pg in one process, with the same rows and the same
 * response bytes, and nothing of the rest (no key, no limits, no RPC, no log).
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import pg from 'pg';
import { expectedTimes } from '../../services/orders/src/expected-times/expected-times.ts';
import { settingsOf } from '../drain/program.ts';

const { databaseUrl, organizationId } = settingsOf<{
  databaseUrl: string;
  organizationId: string;
}>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const columns = `o.*, row_to_json(p) as pickup, row_to_json(d) as dropoff`;
const tables = `orders o join locations p on p.id = o.pickup_location_id
  join locations d on d.id = o.dropoff_location_id`;

const iso = (time: string | Date | null) => (time === null ? null : new Date(time).toISOString());

const decimal = (text: string | null) => (text === null ? null : Number(text));

// biome-ignore lint/suspicious/noExplicitAny: rows, as pg gives them
const location = (row: any) => ({
  id: row.id,
  label: row.label,
  street: row.street,
  zip: row.zip,
  city: row.city,
  country: row.country,
  lat: row.lat,
  lng: row.lng,
  created_via_api: row.created_via_api,
  created_at: iso(row.created_at),
});

// biome-ignore lint/suspicious/noExplicitAny: rows, as pg gives them
const etas = (row: any) => {
  const times = {
    pickupWindowStart: iso(row.pickup_window_start)!,
    updatedAt: iso(row.updated_at)!,
  };
  const stored = { ...times, status: row.status, expected: JSON.parse(row.expected_times) };
  const { pickupEta, dropoffEta, etaSource } = expectedTimes(stored, row.pickup, row.dropoff);
  return { pickup_eta: pickupEta, dropoff_eta: dropoffEta, eta_source: etaSource };
};

// biome-ignore lint/suspicious/noExplicitAny: rows, as pg gives them
const order = (row: any) => ({
  id: row.id,
  external_id: row.external_id,
  status: row.status,
  sla: row.sla,
  source: row.source,
  pickup_location: location(row.pickup),
  dropoff_location: location(row.dropoff),
  dropoff_address_text: row.dropoff_address_text,
  pickup_window_start: iso(row.pickup_window_start),
  pickup_window_end: iso(row.pickup_window_end),
  ...etas(row),
  notes: row.notes,
  pickup_detail: row.pickup_detail,
  dropoff_detail: row.dropoff_detail,
  items: row.items,
  price_total: decimal(row.price_total),
  cancel_reason: row.cancel_reason,
  required_evidence: row.required_evidence,
  temperature_min: decimal(row.temperature_min),
  temperature_max: decimal(row.temperature_max),
  has_incident: row.has_incident,
  open_incidents: row.open_incidents === null ? [] : JSON.parse(row.open_incidents),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

const app = express();
app.disable('etag');
app.disable('x-powered-by');
const sendJson = (response: Response, body: unknown) => response.json(body);
app.get('/orders/:id', async (request, response) => {
  const { rows } = await pool.query({
    name: 'get',
    text: `select ${columns} from ${tables} where o.id = $1 and o.organization_id = $2`,
    values: [request.params.id, organizationId],
  });
  sendJson(response, order(rows[0]));
});
app.get('/orders', async (request, response) => {
  const limit = Number(request.query.limit);
  const { rows } = await pool.query({
    name: 'list',
    text: `select ${columns} from ${tables} where o.organization_id = $1
      order by o.created_at desc, o.id desc limit $2`,
    values: [organizationId, limit],
  });
  sendJson(response, { data: rows.map(order) });
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send!((server.address() as AddressInfo).port);
