import type { Command } from 'commander';
import { findAccountIds } from '../accounts/account.queries.js';
import { TOKEN_COLUMN } from '../accounts/business-phones.service.js';
import { resealNetworkApps } from '../accounts/network-apps.service.js';
import { CAMPAIGN_CODE_COLUMN, RECIPIENT_CODE_COLUMN } from '../campaigns/authoring/code-columns.js';
import { IDENTITY_COLUMN } from '../contacts/erasure/contact-erasure.service.js';
import { HASH_PURPOSES, loadHashKey } from '../database/secrets/hash-keys.js';
import { resealColumn, type SealedColumn } from '../database/secrets/sealed-column.js';
import { type SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import type { Database } from '../database/unit-of-work.js';
import { ANSWER_COLUMN, SHOWN_ONCE_COLUMN } from '../idempotency/idempotency-keys.service.js';
import { HEADERS_COLUMN } from '../webhooks/endpoints/endpoint-headers.js';
import { SECRET_COLUMNS } from '../webhooks/endpoints/endpoint-secrets.js';
import { CommandFailure } from './command-failure.js';
import type { CommandResult, CommandRunner } from './command-runner.js';

/** Every tenant column with encrypted values, ordered so that a value only ever moves to a later column. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  TOKEN_COLUMN,
  ...SECRET_COLUMNS,
  HEADERS_COLUMN,
  ANSWER_COLUMN,
  SHOWN_ONCE_COLUMN,
  IDENTITY_COLUMN,
  CAMPAIGN_CODE_COLUMN,
  RECIPIENT_CODE_COLUMN,
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
      runner.run(command, ({ secrets, unitOfWork }) => reencrypt(secrets, unitOfWork.autocommit)),
    );
}

/** Each pass covers everything, so a pass that finds nothing proves that nothing is left. */
async function reencrypt(secrets: SecretBox, db: Database): Promise<CommandResult> {
  const unreadableKeys = await resealHashKeys(secrets, db);
  const total = new Map(SEALED_COLUMNS.map((column) => [nameOf(column), 0]));
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const { found, unreadable } = await resealAll(secrets, db, (column, resealed) =>
      total.set(nameOf(column), (total.get(nameOf(column)) ?? 0) + resealed),
    );
    const apps = await resealNetworkApps(secrets, db);
    if (found + apps.resealed > 0) continue;
    const lost = [...unreadableKeys, ...apps.unreadable, ...unreadable];
    if (lost.length > 0) throw failure(lost);
    return { key_id: secrets.keyId, ...Object.fromEntries(total) };
  }
  throw new CommandFailure(
    `a process keeps encrypting with another key than ${secrets.keyId}: restart every process of the service with ` +
      `${secrets.keyId} as the first key of ENCRYPTION_KEY, then run this again`,
  );
}

/** Re-encrypts the hash keys, which belong to no account. @returns an error for each that could not be decrypted */
async function resealHashKeys(secrets: SecretBox, db: Database): Promise<UnreadableSecret[]> {
  const unreadable: UnreadableSecret[] = [];
  for (const purpose of HASH_PURPOSES) {
    try {
      await loadHashKey(purpose, secrets, db);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      unreadable.push(error);
    }
  }
  return unreadable;
}

async function resealAll(
  secrets: SecretBox,
  db: Database,
  count: (column: SealedColumn, resealed: number) => void,
): Promise<{ readonly found: number; readonly unreadable: readonly UnreadableSecret[] }> {
  const unreadable: UnreadableSecret[] = [];
  let found = 0;
  for (let last: string | null = null; ; ) {
    const accountIds: readonly string[] = await findAccountIds(last, ACCOUNT_BATCH, db);
    for (const accountId of accountIds) {
      for (const column of SEALED_COLUMNS) {
        const done = await resealColumn(accountId, column, secrets, db);
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
    `${first?.report}${others.length === 0 ? '' : ` (and ${others.length} more)`}; everything else has been re-encrypted`,
  );
