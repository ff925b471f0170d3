/** What the vectors are signed with: written from contract 6.4 alone, and public. Never trust it. */
import { createHmac } from 'node:crypto';

export const secret = 'whsec_TEST0123456789abcdefghijklmnopqrstuvwxyzABC';
export const newSecret = 'whsec_NEXT0123456789abcdefghijklmnopqrstuvwxyzABC';
export const t = 1_772_440_262;

export const v1 = (body: string | Buffer, time: number | string = t, by = secret): string =>
  createHmac('sha256', by).update(`${time}.`).update(body).digest('hex');

export const signed = (body: string | Buffer, time: number | string = t, by = secret): string =>
  `t=${time},v1=${v1(body, time, by)}`;
