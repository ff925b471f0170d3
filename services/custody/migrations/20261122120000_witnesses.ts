import { sqlMigration } from '@pto/database';

/**
 * Cosignatures of witnesses on checkpoints (C2SP tlog-cosignature), and how far each witness has
 * cosigned. Cosignatures have their own table, because a note is stored and anchored as the log
 * signed it.
 */
export const witnesses = sqlMigration('20261122120000_witnesses', [
  `create table log_witnesses (
    vkey text primary key,
    -- the size of the checkpoint that the witness cosigned last: the next proof starts from it
    size bigint not null default 0,
    -- the largest size of which a cosignature is stored
    cosigned_size bigint not null default 0,
    -- the replica that submits, and until when no other one does
    lease uuid,
    leased_until timestamptz not null default '-infinity',
    -- consecutive failures, and the earliest time of the next submission
    failures int not null default 0,
    due_at timestamptz not null default '-infinity'
  )`,
  `create table log_cosignatures (
    -- of the checkpoint
    size bigint not null,
    vkey text not null,
    -- the signature line of the note, with its newline
    line text not null,
    -- when the witness cosigned, by its own claim
    cosigned_at timestamptz not null,
    primary key (size, vkey)
  )`,
]);
