import { checkpoint, leafIndex, log, proof } from '../samples/a-proof.ts';
import { bad, type Draft } from './forge.ts';
import type { Vector } from './vector.ts';

const aheadOf42 = await log.checkpointAt(42);
const inLog =
  (change: (log: Record<string, unknown> & { inclusion: string[] }) => void) => (draft: Draft) =>
    change(draft.log);
const path = proof.log!.inclusion;
/** The two unused bits of a hash's last digit are its lowest. */
const nextDigit = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 1);
const reason = (text: string) => ({ reason: text });

/** What can be done to the log's part. */
export const logged: Vector[] = [
  bad(
    'log.inclusion',
    'a shortened path',
    inLog((l) => l.inclusion.pop()),
    reason('the inclusion path is too short'),
  ),
  bad(
    'log.inclusion',
    'a lengthened path',
    inLog((l) => l.inclusion.push(path[0]!)),
    reason('the inclusion path is too long'),
  ),
  bad(
    'log.inclusion',
    'a reordered path',
    inLog((l) => l.inclusion.reverse()),
  ),
  bad(
    'log.inclusion',
    'a path of 65 hashes',
    inLog((l) => {
      l.inclusion = Array(65).fill(path[0]);
    }),
    reason('a path has at most 64 hashes'),
  ),
  bad(
    'log.inclusion',
    'a path that is no array',
    inLog((l) => Object.assign(l, { inclusion: path[0] })),
  ),
  bad(
    'log.inclusion',
    'a hash of 31 bytes',
    inLog((l) => {
      l.inclusion[0] = Buffer.alloc(31).toString('base64');
    }),
    reason('31 bytes where 32 belong'),
  ),
  bad(
    'log.inclusion',
    'base64 without its padding',
    inLog((l) => {
      l.inclusion[0] = path[0]!.replace('=', '');
    }),
  ),
  bad(
    'log.inclusion',
    'base64 whose unused bits are set, for the same bytes',
    inLog((l) => {
      l.inclusion[0] = path[0]!.replace(/(.)=$/, (_, last) => `${nextDigit(last)}=`);
    }),
    reason('not base64 in its canonical form'),
  ),
  bad(
    'log.inclusion',
    'a hash of 4100 characters',
    inLog((l) => {
      l.inclusion[0] = 'A'.repeat(4100);
    }),
    reason('longer than 4096 characters of base64'),
  ),
  bad(
    'log.inclusion',
    'another leaf',
    inLog((l) => {
      l.leaf_index = leafIndex + 1;
    }),
  ),
  bad(
    'log.inclusion',
    'a leaf behind the end',
    inLog((l) => {
      l.leaf_index = 57;
    }),
    reason('there is no leaf 57 in a log of 57'),
  ),
  bad(
    'log.inclusion',
    'half a leaf',
    inLog((l) => {
      l.leaf_index = 41.5;
    }),
  ),
  bad(
    'log.inclusion',
    'a leaf as text',
    inLog((l) => {
      l.leaf_index = '41';
    }),
  ),
  bad(
    'log.checkpoint',
    'another size',
    inLog((l) => {
      l.tree_size = 58;
    }),
    reason('the checkpoint has 57 leaves, tree_size says 58'),
  ),
  bad(
    'log.checkpoint',
    'another origin',
    inLog((l) => {
      l.origin = 'another.example/log';
    }),
  ),
  bad(
    'log.checkpoint',
    'a checkpoint that was edited',
    inLog((l) => {
      l.checkpoint = checkpoint.replace('\n57\n', '\n58\n');
    }),
  ),
  bad('log.checkpoint', 'the signature of another checkpoint', (draft) => {
    const signature = aheadOf42.slice(aheadOf42.indexOf('\u2014'));
    draft.log.checkpoint = checkpoint.slice(0, checkpoint.indexOf('\u2014')) + signature;
  }),
  bad(
    'log.checkpoint',
    'no signature',
    inLog((l) => {
      l.checkpoint = checkpoint.slice(0, checkpoint.indexOf('\u2014'));
    }),
  ),
  bad(
    'log',
    'a missing member',
    inLog((l) => {
      delete l.origin;
    }),
  ),
  bad(
    'log',
    'an unknown member',
    inLog((l) => {
      l.extra = 1;
    }),
  ),
  bad('log', 'no object', (draft) => {
    draft.log = [];
  }),
];
