/** Judges the vectors of the installed packages; prints counts and the names of wrong verdicts. */
import { readdirSync, readFileSync } from 'node:fs';
import * as custody from '@pto/custody-verifier';
import * as webhooks from '@pto/webhook-verifier';

// named by an argument: the package is installed where this file is copied to, not here
const { verifyProof, verifyWebhook } = await import(process.argv[2]);

const vectors = (name) => {
  const folder = `node_modules/@pto/${name}/vectors`;
  const files = readdirSync(folder).filter((file) => file !== 'decision-31.json');
  return files.flatMap((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));
};

const wrong = [];
const [deliveries, proofs] = [vectors('webhook-verifier'), vectors('custody-verifier')];
for (const { name, input, expect } of deliveries) {
  const { body, ...rest } = input;
  const rawBody = typeof body === 'string' ? body : Buffer.from(body.base64, 'base64');
  for (const verify of [webhooks.verify, verifyWebhook]) {
    const { valid, reason } = await verify({ ...rest, rawBody });
    if (valid !== expect.valid || reason !== expect.reason) wrong.push(name);
  }
}
for (const { name, input, expect } of proofs) {
  const { file, trusted_keys: trustedKeys, ...rest } = input;
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  for (const verify of [custody.verifyProof, verifyProof]) {
    const { verdict } = await verify(text, { ...rest, trustedKeys });
    if (verdict !== expect.verdict) wrong.push(name);
  }
}
const counts = { deliveries: deliveries.length, proofs: proofs.length };
process.stdout.write(JSON.stringify({ ...counts, wrong, version: process.version }));
