import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, leavesOpen } from '@pto/errors';
import { type Move, MoveSchema } from '@pto/proto/access/v1/moves';
import { note, progress } from '@pto/terminal';
import type { Command } from 'commander';
import { type Clients, everyPage, type OpenClients } from '../clients.ts';
import { members, NotValid, print } from '../output.ts';

const pollMs = 500;
/** How long polls may fail before the command ends, in ms. */
const failingMaxMs = 60_000;
const columns = [
  ...(['organization_id', 'source', 'target', 'phase', 'started_at', 'copied_rows'] as const),
  ...(['held_ms', 'waits_for', 'failure', 'ended_at'] as const),
];

const shape = (move: Move | undefined) => members(MoveSchema, move!);

/** Adds the commands that move organizations between cells. */
export const moveCommands = (org: Command, open: OpenClients): void => {
  org
    .command('move <id>')
    .description('move it to another cell while its partners work; ends when the cell serves it')
    .requiredOption('--to <cell>', 'the cell')
    .option('--no-wait', 'return at once; `org moves` shows the move')
    .action(async (organizationId, { to, wait }, command) => {
      const { moves } = open();
      const { move } = await moves.moveOrganization({ organizationId, cell: to });
      const last = wait ? await whenMoved(moves, move!) : move!;
      await print(command, shape(last));
      if (last.phase === 'CANCELLED') throw new NotValid();
    });
  org
    .command('cancel-move <id>')
    .description('put a move back that has not switched; its cell serves on')
    .action(async (organizationId, _, command) => {
      const { move } = await open().moves.cancelMove({ organizationId });
      await print(command, shape(move));
    });
  org
    .command('moves [id]')
    .description('moves of one organization, or of all, newest first')
    .action(async (organizationId = '', _, command) => {
      const all = await everyPage(
        (beforeId) => open().moves.listMoves({ organizationId, beforeId }),
        (page) => page.moves,
      );
      await print(command, all.map(shape), columns);
    });
};

/**
 * Waits until the target serves the organization, or the move was put back. The move does not depend
 * on this command, so a poll that fails at the service is repeated for a minute.
 */
const whenMoved = async (moves: Clients['moves'], { id, organizationId }: Move): Promise<Move> => {
  for (let answeredAt = performance.now(); ; await sleep(pollMs)) {
    const page = await moves.listMoves({ organizationId }).catch((error) => {
      const isOpen = error instanceof Failure && leavesOpen(error.kind);
      if (isOpen && performance.now() - answeredAt < failingMaxMs) return null;
      note(`The move goes on. \`org moves ${organizationId}\` shows it.`);
      throw error;
    });
    if (page === null) continue;
    answeredAt = performance.now();
    const move = page.moves.find((one) => one.id === id)!;
    if (move.switchedAt !== undefined || move.endedAt !== undefined) {
      progress('');
      return move;
    }
    const rows = `${move.phase}: ${move.copiedRows} rows in ${move.copies} copies`;
    progress([rows, move.waitsFor, move.failure].filter(Boolean).join('; '));
  }
};
