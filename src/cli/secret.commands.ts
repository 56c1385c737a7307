import type { Command } from 'commander';
import { findAccountIds } from '../accounts/account.queries.js';
import { TOKEN_COLUMN } from '../accounts/business-phones.service.js';
import { IDENTITY_COLUMN } from '../contacts/erasure/contact-erasure.service.js';
import { IdentityHashesService } from '../contacts/erasure/identity-hashes.service.js';
import { resealColumn, type SealedColumn } from '../database/secrets/sealed-column.js';
import type { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import type { Tx } from '../database/unit-of-work.js';
import { ANSWER_COLUMN } from '../idempotency/idempotency-keys.service.js';
import { SECRET_COLUMNS } from '../webhooks/endpoints/endpoint-secrets.js';
import { CommandFailure } from './command-failure.js';
import type { Answer, CommandRunner } from './command-runner.js';

/** Every tenant column with encrypted values, ordered so that a value only ever moves to a later column. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  TOKEN_COLUMN,
  ...SECRET_COLUMNS,
  ANSWER_COLUMN,
  IDENTITY_COLUMN,
];

/** Accounts per batch. */
const ACCOUNT_BATCH = 1000;
/** Values that still use another key after this many passes come from a process that keeps using that key. */
const MAX_PASSES = 5;

/** `secrets reencrypt`. */
export function addSecretCommands(cli: Command, runner: CommandRunner): void {
  cli
    .command('secrets')
    .description('Encrypted secrets')
    .command('reencrypt')
    .description(
      'Re-encrypt everything with the first key of ENCRYPTION_KEY, without downtime; then remove the other keys',
    )
    .action((_: unknown, command: Command) =>
      runner.run(command, async ({ secrets, unitOfWork }) => {
        // The hash key belongs to no account, so resealAll does not cover it.
        await new IdentityHashesService(unitOfWork, secrets).onModuleInit();
        return reencrypt(secrets, unitOfWork.autocommit);
      }),
    );
}

/** Each pass covers everything, so a pass that finds nothing proves that nothing is left. */
async function reencrypt(secrets: SecretBox, tx: Tx): Promise<Answer> {
  const total = new Map(SEALED_COLUMNS.map((column) => [nameOf(column), 0]));
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const { found, unreadable } = await resealAll(secrets, tx, (column, resealed) =>
      total.set(nameOf(column), (total.get(nameOf(column)) ?? 0) + resealed),
    );
    if (found > 0) continue;
    if (unreadable.length > 0) throw failure(unreadable);
    return { key_id: secrets.keyId, ...Object.fromEntries(total) };
  }
  throw new CommandFailure(
    `a process keeps encrypting with another key than ${secrets.keyId}: restart every process of the service with ` +
      `${secrets.keyId} as the first key of ENCRYPTION_KEY, then run this again`,
  );
}

async function resealAll(
  secrets: SecretBox,
  tx: Tx,
  count: (column: SealedColumn, resealed: number) => void,
): Promise<{ readonly found: number; readonly unreadable: readonly UnreadableSecret[] }> {
  const unreadable: UnreadableSecret[] = [];
  let found = 0;
  for (let last: string | null = null; ; ) {
    const accountIds: readonly string[] = await findAccountIds(last, ACCOUNT_BATCH, tx);
    for (const accountId of accountIds) {
      for (const column of SEALED_COLUMNS) {
        const done = await resealColumn(accountId, column, secrets, tx);
        count(column, done.resealed);
        found += done.resealed + done.overtaken;
        unreadable.push(...done.unreadable);
      }
    }
    last = accountIds.at(-1) ?? null;
    if (accountIds.length < ACCOUNT_BATCH) return { found, unreadable };
  }
}

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

const failure = ([first, ...others]: readonly UnreadableSecret[]): CommandFailure =>
  new CommandFailure(
    `${first?.message}${others.length === 0 ? '' : ` (and ${others.length} more)`}; everything else has been re-encrypted`,
  );
