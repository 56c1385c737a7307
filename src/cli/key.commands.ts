import type { Command } from 'commander';
import type { ApiKey } from '../accounts/api-key.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import { EVERY_SCOPE } from '../auth/scopes.js';
import type { Manifest } from '../manifest/manifest.js';
import { withNearest } from '../values/nearest.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { futureTime, recordId, scopes, textUpTo, wholeNumber } from './argument-values.js';
import { CommandFailure } from './command-failure.js';
import { type CommandRunner, MAX_LISTED } from './command-runner.js';

interface CreateOptions {
  readonly account: RecordId;
  readonly name?: string;
  readonly scopes?: string[];
  readonly rateLimit?: number;
  readonly expires?: Date;
}

/** `keys create|list|show|rotate|revoke`. */
export function addKeyCommands(cli: Command, runner: CommandRunner): void {
  const keys = cli.command('keys').description('API keys');
  keys
    .command('create')
    .description('Issue an API key; it is shown only once')
    .requiredOption('--account <id>', 'account of the key', recordId)
    .option('--name <name>', 'name of the key', textUpTo(256))
    .option('--scopes <scopes>', 'scopes of the key, such as contacts:read,messages:write (default: all)', scopes)
    .option('--rate-limit <n>', 'requests per 60 seconds (default: 100)', wholeNumber(1, 1_000_000_000))
    .option('--expires <time>', 'expiry time, ISO 8601 (default: never)', futureTime)
    .action((options: CreateOptions, command: Command) =>
      runner.run(command, async (operator) => {
        const { account: accountId, name, scopes = [EVERY_SCOPE], rateLimit, expires } = options;
        requireDeclared(scopes, operator.manifest);
        const id = newRecordId();
        const { key } = await operator.unitOfWork.transaction(async (tx) => {
          await operator.keys.lockAccount(accountId, tx);
          const changes = { scopes, expires_at: expires?.toISOString() ?? null };
          await AuditLog.write(accountId, { action: 'api_key.created', subjectId: id, changes }, tx);
          return operator.keys.issue({ id, accountId, name, scopes, rateLimit, expiresAt: expires }, tx);
        });
        return { id, api_key: key };
      }),
    );
  keys
    .command('list')
    .description('List the API keys of an account, newest first')
    .requiredOption('--account <id>', 'the account', recordId)
    .action(({ account }: { account: RecordId }, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.accounts.requireExisting(account);
        const { rows } = await operator.keys.list(account, { page: 1, limit: MAX_LISTED });
        return { api_keys: rows.map(keyRow) };
      }),
    );
  keys
    .command('show')
    .description('Show an API key without its secret')
    .argument('<id>', 'key', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await operator.keys.accountOf(id);
        return {
          ...keyRow(await operator.keys.find(accountId, id, operator.unitOfWork.autocommit)),
          account_id: accountId,
        };
      }),
    );
  keys
    .command('rotate')
    .description('Issue a successor with the same rights; the old key stops working')
    .argument('<id>', 'key', recordId)
    .option('--overlap <seconds>', 'how long the old key still works (default: 0)', wholeNumber(0, 604_800))
    .action((keyId: RecordId, { overlap = 0 }: { overlap?: number }, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await operator.keys.accountOf(keyId);
        const id = newRecordId();
        const key = await operator.unitOfWork.transaction(async (tx) => {
          const old = await operator.keys.lockForRotation(accountId, keyId, overlap, tx);
          const changes = { successor_id: id, overlap_seconds: overlap };
          await AuditLog.write(accountId, { action: 'api_key.rotated', subjectId: keyId, changes }, tx);
          return operator.keys.replace(old, { id, overlapSeconds: overlap }, tx);
        });
        return { id, api_key: key };
      }),
    );
  keys
    .command('revoke')
    .description('Revoke a key, within a second in every process')
    .argument('<id>', 'key', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await operator.keys.accountOf(id);
        await operator.unitOfWork.transaction(async (tx) => {
          await AuditLog.write(accountId, { action: 'api_key.revoked', subjectId: id }, tx);
          await operator.keys.revoke(accountId, id, tx);
        });
        return { id, status: 'revoked' };
      }),
    );
}

const keyRow = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: `pk_live_${key.prefix}`,
  scopes: key.scopes.join(','),
  rate_limit: key.rateLimit,
  networks: key.allowedNetworks?.join(',') ?? null,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});

/** @throws CommandFailure for a scope that no room declares */
function requireDeclared(scopes: readonly string[], manifest: Manifest): void {
  const known = [EVERY_SCOPE, ...manifest.scopes];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) {
    throw new CommandFailure(withNearest(`--scopes: there is no scope ${unknown}`, unknown, known));
  }
}
