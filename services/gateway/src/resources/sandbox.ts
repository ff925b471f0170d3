import type { MessageInitShape } from '@bufbuild/protobuf';
import { parseDurationMs } from '@pto/config';
import type { ListStepsResponse, ScriptStepSchema } from '@pto/proto/courier/v1/courier';
import { orderStatuses } from '@pto/proto/vocabulary';
import { boolean } from '../validation/numbers.ts';
import { count, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  type Output,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice, string } from '../validation/texts.ts';
import { orderStatus } from './orders.ts';

const delayMaxMs = 86_400_000;

/** Returns a duration in milliseconds; zero is permitted. @throws Error */
export const durationOf = (text: string): number =>
  /^0(ms|s|m|h|d)$/.test(text) ? 0 : parseDurationMs(text);

/** A duration of at most 24 h, as a text such as `30s`. @param zero whether 0 is permitted. */
export const duration = ({ zero } = { zero: true }) =>
  string({
    max: 20,
    rule: (text) => {
      try {
        return (zero ? durationOf : parseDurationMs)(text) <= delayMaxMs
          ? undefined
          : 'expected at most 24h';
      } catch {
        return `expected a duration such as ${zero ? '0s, ' : ''}30s, 5m or 24h`;
      }
    },
  });

/** The scenarios of the courier (decision 64). */
export const sandboxScenarios = [
  'auto',
  'decline',
  'driver_dropped',
  'incident',
  'escalation',
  'late_seal',
  'tampered_proof',
  'offline_gap',
  'handover_code',
  'revoked_device',
] as const;

/** Headers of `POST /orders` in the sandbox. Production ignores them. */
export const sandboxHeaders = parameters({
  'X-Sandbox-Courier': described(
    optional(choice(sandboxScenarios, 'SandboxScenario')),
    'Sandbox only: the courier moves the order step by step to CLOSED, by this scenario. A DRAFT waits until it is submitted. An `external_id` that begins with `sandbox-SCENARIO-` does the same.',
  ),
  'X-Sandbox-Step': described(
    optional(duration(), '30s'),
    'Sandbox only: the time before each step of the courier, such as `1s`; at most `24h`.',
  ),
});

export type SandboxHeaders = Output<typeof sandboxHeaders>;

const targets = orderStatuses.filter((status) => status !== 'CANCELLED');
const note = () => string({ min: 1, max: 2000 });
const kinds = ['to', 'incident', 'escalation', 'decline', 'release_driver'] as const;
const stepsMax = 50;

const scriptStep = model(
  'SandboxStep',
  {
    to: described(
      maybe(choice(targets, 'SandboxTarget')),
      'Move the order step by step to this status. Nothing happens if the order has reached it.',
    ),
    incident: described(maybe(note()), 'Report an incident with this note.'),
    escalation: described(maybe(note()), 'Escalate the order with this note.'),
    decline: described(
      optional(boolean(), false),
      'The transport organization declines: ASSIGNED becomes SUBMITTED.',
    ),
    release_driver: described(
      optional(boolean(), false),
      'The driver drops out: DRIVER_ASSIGNED becomes ACCEPTED.',
    ),
    after: described(
      optional(duration(), '0s'),
      'Time after the step before, such as `30s`; at most `24h`.',
    ),
  },
  {
    whole: (value, input) => {
      const given = kinds.filter((kind) => value[kind]);
      if (given.length !== 1)
        input.reject('value_error', `Value error, give exactly one of ${kinds.join(', ')}`, {
          given,
        });
    },
  },
);

/** The request to move a sandbox order (decisions 64 and 67). */
export const sandboxAdvance = model(
  'SandboxAdvance',
  {
    to: described(
      maybe(choice(targets, 'SandboxTarget')),
      'Move the order step by step to this status. Absent, and without `script`: one step.',
    ),
    script: described(
      maybe(list(scriptStep, { min: 1 })),
      `1 to ${stepsMax} steps with delays, which replace the order's run.`,
    ),
  },
  {
    member: {
      script: (script, { to }) => {
        if (script && to) return 'give either to or script';
        return script && script.length > stepsMax
          ? `expected at most ${stepsMax} steps`
          : undefined;
      },
    },
  },
);

type ScriptStep = Output<typeof scriptStep>;

/** Converts a valid step of a script for the RPC. */
export const scriptStepMessage = (step: ScriptStep): MessageInitShape<typeof ScriptStepSchema> => {
  const kind = kinds.find((name) => step[name])!;
  const value = step[kind];
  return {
    kind,
    value: typeof value === 'string' ? value : '',
    afterMs: durationOf(step.after),
  };
};

const run = model('SandboxRun', {
  plan: openEnum('SandboxPlan', [...sandboxScenarios, 'script'], "The run's scenario."),
  state: openEnum('SandboxRunState', ['running', 'done', 'ended'], 'State of the run.'),
  taken: described(count(), 'Steps that were taken.'),
  count: described(count(), 'All steps of the run.'),
  next_at: described(maybe(timestamp()), 'When the next step is due; null if the run is over.'),
  reason: described(maybe(string()), 'Why the run ended before its last step; else null.'),
});

/** What is possible on a sandbox order, and its run. */
export const sandboxSteps = model('SandboxSteps', {
  status: orderStatus,
  next: described(maybe(orderStatus), 'The status after one step; null if no step leads on.'),
  actions: described(list(string()), 'The steps of a script that are possible in this status.'),
  run: described(maybe(run), 'The newest run of the order; null if it had none.'),
});

/** Returns the JSON for partners. */
export const sandboxStepsJson = ({
  status,
  next,
  actions,
  run,
}: ListStepsResponse): Output<typeof sandboxSteps> => ({
  status,
  next: next ?? null,
  actions,
  run: run
    ? {
        plan: run.plan,
        state: run.state,
        taken: run.taken,
        count: run.count,
        next_at: run.nextAt ?? null,
        reason: run.reason ?? null,
      }
    : null,
});
