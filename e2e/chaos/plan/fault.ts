import type { FailingDatabase } from '../faults/failing-statements.ts';

export type Fault =
  | { readonly kind: 'kill'; readonly service: string; readonly replica: number }
  | { readonly kind: 'killAll'; readonly service: string }
  | {
      readonly kind: 'freeze';
      readonly service: string;
      readonly replica: number;
      readonly ms: number;
    }
  | { readonly kind: 'freezeStore'; readonly store: 'kafka' | 'redis'; readonly ms: number }
  | { readonly kind: 'restartStore'; readonly store: 'postgres' | 'kafka' | 'redis' }
  | { readonly kind: 'cut' | 'slow'; readonly link: string; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly topic: 'orders' | 'custody'; readonly share: number }
  | { readonly kind: 'poison'; readonly topic: 'orders' | 'custody'; readonly slot: number }
  | { readonly kind: 'forge'; readonly topic: 'orders' | 'custody'; readonly share: number }
  | {
      readonly kind: 'clock';
      readonly service: string;
      readonly replica: number;
      readonly offsetMs: number;
      readonly ms: number;
    }
  | {
      readonly kind: 'lose' | 'refuse';
      /** A service, or kafka. */
      readonly target: string;
      readonly replica: number;
      readonly ms: number;
    }
  | {
      readonly kind: 'failingStatements';
      readonly database: FailingDatabase;
      readonly sqlstate: string;
      readonly ms: number;
    }
  | { readonly kind: 'failingReceiver'; readonly status: number; readonly ms: number };
