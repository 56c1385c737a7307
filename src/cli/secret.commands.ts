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

/** Every column of rows of accounts that holds sealed values. A value that moves while we work moves to a column further down. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  TOKEN_COLUMN,
  ...SECRET_COLUMNS,
  ANSWER_COLUMN,
  IDENTITY_COLUMN,
];

/** Accounts that are looked up at once. */
const ACCOUNTS = 1000;
/** Passes after which values that are still under another key must come from a process that goes on using it. */
const MAX_PASSES = 5;

/** `secrets reencrypt`. */
export function addSecretCommands(cli: Command, runner: CommandRunner): void {
  cli
    .command('secrets')
    .description('Secrets that are stored encrypted')
    .command('reencrypt')
    .description(
      'Bring everything under the first key of ENCRYPTION_KEY while the service runs; afterwards the other keys can go',
    )
    .action((_: unknown, command: Command) =>
      runner.run(command, async ({ secrets, unitOfWork }) => {
        // The key of hashes belongs to no account.
        await new IdentityHashesService(unitOfWork, secrets).onModuleInit();
        return reencrypt(secrets, unitOfWork.autocommit);
      }),
    );
}

/** Each pass is complete, so one that finds nothing proves that nothing is left. */
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
    `somebody goes on encrypting under another key than ${secrets.keyId}: restart every process of the service with ` +
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
    const accountIds: readonly string[] = await findAccountIds(last, ACCOUNTS, tx);
    for (const accountId of accountIds) {
      for (const column of SEALED_COLUMNS) {
        const done = await resealColumn(accountId, column, secrets, tx);
        count(column, done.resealed);
        found += done.resealed + done.overtaken;
        unreadable.push(...done.unreadable);
      }
    }
    last = accountIds.at(-1) ?? null;
    if (accountIds.length < ACCOUNTS) return { found, unreadable };
  }
}

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

const failure = ([first, ...others]: readonly UnreadableSecret[]): CommandFailure =>
  new CommandFailure(
    `${first?.message}${others.length === 0 ? '' : ` (and ${others.length} more)`}; everything else is re-encrypted`,
  );
